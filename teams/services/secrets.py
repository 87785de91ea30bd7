"""Stored secrets as a whole: moving them to a newer encryption key."""

from __future__ import annotations

from django.db import transaction

from supervisor_site.common import crypto
from teams.models import Profile


def rotate_secrets() -> tuple[int, list[str]]:
    """Encrypt every stored key with the newest encryption key.

    Answers how many were moved and the names of profiles whose key none of the
    listed encryption keys reads; those stay as they are. Dropped profiles count,
    since runs in flight may still use them.
    """
    moved, unreadable = 0, []
    with transaction.atomic():
        held = Profile.objects.exclude(api_key_encrypted="").select_for_update()
        for profile in held:
            try:
                token = crypto.rotate(profile.api_key_encrypted)
            except crypto.SecretUnreadable:
                unreadable.append(profile.name)
                continue
            # Not an edit of the profile: updated_at stays.
            Profile.objects.filter(pk=profile.pk).update(api_key_encrypted=token)
            moved += 1
    return moved, unreadable
