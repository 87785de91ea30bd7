from __future__ import annotations

from tests.api.conftest import admin_api, anonymous, api, stranger_api

__all__ = ["admin_api", "anonymous", "api", "stranger_api"]
