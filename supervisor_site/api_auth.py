"""Who calls the API: a bearer token, else the session with CSRF protection."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja.errors import AuthenticationError
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from supervisor_site.common.errors import Forbidden
from teams.models import ApiToken
from teams.models.token import token_hash

LAST_USED_EVERY = timedelta(seconds=60)


class CsrfFailed(Forbidden):
    """A session call that could have been made by another site."""

    code = "csrf_failed"


@dataclass(frozen=True)
class Caller:
    """By which credential a request came; ``request.auth`` of every operation."""

    user: User
    token_id: UUID | None = None
    session_key: str = ""

    def user_now(self) -> User | None:
        """The person, read again, if the same credential would be accepted now."""
        if self.token_id:
            return User.objects.filter(
                api_tokens__pk=self.token_id, is_active=True
            ).first()
        request = HttpRequest()
        engine = import_module(settings.SESSION_ENGINE)
        request.session = engine.SessionStore(self.session_key)
        user = get_user(request)
        return user if isinstance(user, User) and user.pk == self.user.pk else None


class BearerAuth(HttpBearer):
    """``Authorization: Bearer svs_…``. A wrong token is refused at once: the session
    of the same browser must not lift it."""

    openapi_description = "A token made under /api/tokens."

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        row = (
            ApiToken.objects.select_related("user")
            .filter(digest=token_hash(token.strip()), user__is_active=True)
            .first()
        )
        if row is None:
            raise AuthenticationError
        note_use(row)
        request.user = row.user
        return Caller(row.user, token_id=row.pk)


class SessionAuth(APIKeyCookie):
    """The session of a logged-in browser; changes need the CSRF token.

    Who is not logged in is told so, whatever the state of the CSRF cookie.
    """

    param_name = settings.SESSION_COOKIE_NAME
    openapi_description = (
        "The session of a logged-in browser. Requests that change something carry "
        "the CSRF token in X-CSRFToken."
    )

    def __call__(self, request: HttpRequest) -> Caller | None:
        # Without the parent's order of things: it checks CSRF first.
        return self.authenticate(request, None)

    def authenticate(self, request: HttpRequest, _key: str | None) -> Caller | None:
        user = request.user
        if not isinstance(user, User) or not user.is_active:
            return None
        if check_csrf(request) is not None:
            raise CsrfFailed(_("The CSRF token is missing or wrong."))
        return Caller(user, session_key=request.session.session_key or "")


def note_use(token: ApiToken) -> None:
    """Remember when the token was used, at most once a minute."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= LAST_USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
