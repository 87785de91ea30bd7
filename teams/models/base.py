"""What every definition has: a name, texts for people, an on/off switch, an end."""

from __future__ import annotations

import uuid
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from supervisor_site.common.names import (
    NAME_MAX_LENGTH,
    name_key,
    normal_name,
    validate_name,
)


class DefinitionQuerySet(models.QuerySet[Any]):
    def live(self) -> Self:
        """Without the dropped ones, which only old runs still know."""
        return self.filter(dropped_at__isnull=True)

    def named(self, name: str) -> Self:
        return self.live().filter(name_key=name_key(name))


class Definition(models.Model):
    """A named object an administrator builds.

    Dropping sets ``dropped_at``: the row stays, so that history keeps its links,
    and its name is free again. ``uid`` is the identity that versions record;
    renaming changes nothing.
    """

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(
        _("name"),
        max_length=NAME_MAX_LENGTH,
        validators=[validate_name],
        help_text=_(
            "Letters of any script, digits, “_” and “-”. Unique, whatever the case."
        ),
    )
    name_key = models.CharField(
        max_length=NAME_MAX_LENGTH * 2, editable=False, db_index=True
    )
    display_name = models.CharField(
        _("display name"),
        max_length=200,
        blank=True,
        help_text=_("What people read. Any text."),
    )
    description = models.TextField(_("description"), blank=True)
    enabled = models.BooleanField(_("enabled"), default=True)
    dropped_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
    )

    objects = DefinitionQuerySet.as_manager()

    class Meta:
        abstract = True
        ordering = ["name_key"]
        constraints = [
            models.UniqueConstraint(
                fields=["name_key"],
                condition=models.Q(dropped_at__isnull=True),
                name="%(class)s_name_unique",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """What people read: the display name, else the name."""
        return self.display_name or self.name

    def clean_fields(self, exclude: Any = None) -> None:
        self.name = normal_name(self.name)
        super().clean_fields(exclude=exclude)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name = normal_name(self.name)
        self.name_key = name_key(self.name)
        super().save(*args, **kwargs)
