from __future__ import annotations

import hashlib
import secrets
import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class ApiToken(models.Model):
    """A bearer token of one person. Only its hash is stored; it is shown once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="api_tokens",
    )
    name = models.CharField(_("name"), max_length=100)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(
        _("last used"), null=True, blank=True, editable=False
    )

    class Meta:
        ordering = ["-created_at"]
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return self.name

    @classmethod
    def issue(cls, *, user: object, name: str) -> tuple[Self, str]:
        """A new token and its text, which nothing can show again."""
        text = f"svs_{secrets.token_urlsafe(32)}"
        return cls.objects.create(user=user, name=name, digest=token_hash(text)), text
