"""From a frozen profile to a connection: base URL and key as they are now."""

from __future__ import annotations

from django.conf import settings

from supervisor_site.common.crypto import SecretUnreadable, decrypt
from supervisor_site.common.hosts import HostNotAllowed, Target, target_of
from teams.choices import Provider
from teams.definition import ProfileDefinition
from teams.models import Profile
from teams.providers.types import Connection, ModelFailure

OPENAI_URL = "https://api.openai.com/v1"
# Allowed for profiles without being listed, at public addresses.
ALWAYS_ALLOWED = ("api.openai.com:443",)
REHEARSAL_URL = "http://rehearsal.invalid/v1"


def connection_for(profile: ProfileDefinition) -> Connection:
    """Where and how the profile's model is called right now.

    A profile of provider ``env`` is the rehearsal model where the environment names
    neither a server nor a key. A dropped profile still serves the runs that use it.
    Raises ``ModelFailure``: ``model_not_configured`` or ``model_host_not_allowed``.
    """
    if profile.provider == Provider.ENV:
        return _from_environment(profile)
    if profile.provider == Provider.REHEARSAL:
        return _rehearsal(profile)
    row = (
        Profile.objects.filter(uid=profile.uid)
        .values_list("base_url", "api_key_encrypted")
        .first()
    )
    if row is None:
        raise ModelFailure("model_not_configured", reason="profile_missing")
    try:
        key = decrypt(row[1])
    except SecretUnreadable as error:
        raise ModelFailure("model_not_configured", reason="key_unreadable") from error
    return _connection(profile, row[0] or OPENAI_URL, key, profile.model)


def connection_of_old(profile: ProfileDefinition, model: str) -> Connection:
    """What shaped the body of a past call, without address and key: it can be read
    whatever became of them, and calls nothing."""
    return Connection(
        provider=profile.provider,
        base_url="",
        api_key="",
        model=model,
        parameters=profile.parameters,
        compat={} if is_rehearsal(profile.provider) else profile.compat,
        timeout=profile.timeout,
        max_retries=profile.max_retries,
    )


def is_rehearsal(provider: str) -> bool:
    """Whether a profile of this provider is answered by the rehearsal model now."""
    if provider == Provider.ENV:
        return not (settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL)
    return provider == Provider.REHEARSAL


def allowed_target(base_url: str) -> Target:
    """The host and port behind a base URL. Raises ``model_host_not_allowed``."""
    try:
        return target_of(base_url, also=ALWAYS_ALLOWED)
    except HostNotAllowed as error:
        raise host_failure(error, base_url) from error


def host_failure(error: HostNotAllowed, base_url: str) -> ModelFailure:
    host = error.host or base_url.rpartition("@")[2][:100]
    return ModelFailure("model_host_not_allowed", host=host, reason=error.code)


def _from_environment(profile: ProfileDefinition) -> Connection:
    if is_rehearsal(profile.provider):
        return _rehearsal(profile)
    return _connection(
        profile,
        settings.OPENAI_BASE_URL or OPENAI_URL,
        settings.OPENAI_API_KEY,
        profile.model or settings.OPENAI_MODEL,
    )


def _rehearsal(profile: ProfileDefinition) -> Connection:
    return Connection(
        provider=Provider.REHEARSAL,
        base_url=REHEARSAL_URL,
        api_key="",
        model=profile.model or "rehearsal",
        parameters=profile.parameters,
        compat={},
        timeout=profile.timeout,
        max_retries=profile.max_retries,
    )


def _connection(
    profile: ProfileDefinition, base_url: str, key: str, model: str
) -> Connection:
    if not model:
        raise ModelFailure("model_not_configured", reason="model_missing")
    allowed_target(base_url)
    return Connection(
        provider=profile.provider,
        base_url=base_url,
        api_key=key,
        model=model,
        parameters=profile.parameters,
        compat=profile.compat,
        timeout=profile.timeout,
        max_retries=profile.max_retries,
    )
