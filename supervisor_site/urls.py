"""Addresses of the site."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

from supervisor_site import health, metrics
from supervisor_site.api import api

urlpatterns = [
    path("", include("conversations.urls")),
    path("", include("conversations.trace.urls")),
    path(
        "accounts/login/",
        auth.LoginView.as_view(redirect_authenticated_user=True),
        name="login",
    ),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("api/", api.urls),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
]
