"""Paths of the run page; included at the root of the site."""

from __future__ import annotations

from django.urls import path

from conversations.trace import views

urlpatterns = [
    path("runs/<uuid:run_id>/", views.run_page, name="run_trace"),
    path("runs/<uuid:run_id>/beside/", views.beside, name="run_trace_beside"),
    path("runs/<uuid:run_id>/live/", views.live, name="run_trace_live"),
    path("runs/<uuid:run_id>/cancel/", views.cancel, name="run_trace_cancel"),
    path("runs/<uuid:run_id>/retry/", views.retry, name="run_trace_retry"),
    path("runs/<uuid:run_id>/steps/<uuid:step_id>/", views.step, name="run_trace_step"),
    path(
        "runs/<uuid:run_id>/steps/<uuid:step_id>/prompt/",
        views.prompt,
        name="run_trace_prompt",
    ),
]
