"""Times, tokens, cost and agents as people read them: text, never HTML."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from supervisor_site.common.names import name_key

THIN_SPACE = "\u202f"
TINTS = 8
_GENERIC_WORDS = {"agent", "worker", "assistant", "bot", "supervisor"}


def duration(milliseconds: float | None) -> str:
    """``640 ms``, ``1.2 s``, ``2 min 05 s``, ``3 h 10 min``, ``2 d 4 h``."""
    if milliseconds is None:
        return ""
    rounded = max(0, round(milliseconds))
    if rounded < 1000:
        return _("%(n)d ms") % {"n": rounded}
    if rounded < 59_950:
        return _("%(n)s s") % {"n": f"{rounded / 1000:.1f}"}
    seconds = round(rounded / 1000)
    if seconds < 3600:
        return _("%(m)d min %(s)02d s") % {"m": seconds // 60, "s": seconds % 60}
    minutes = seconds // 60
    if minutes < 1440:
        return _("%(h)d h %(m)02d min") % {"h": minutes // 60, "m": minutes % 60}
    hours = minutes // 60
    return _("%(d)d d %(h)d h") % {"d": hours // 24, "h": hours % 24}


def brief(milliseconds: float) -> str:
    """For a tick: ``0``, ``500 ms``, ``2 s``, ``1.5 s``, ``5 min``."""
    if milliseconds <= 0:
        return "0"
    if milliseconds < 1000:
        return _("%(n)s ms") % {"n": f"{milliseconds:g}"}
    if milliseconds < 60_000 or milliseconds % 60_000:
        return _("%(n)s s") % {"n": f"{milliseconds / 1000:g}"}
    if milliseconds < 3_600_000 or milliseconds % 3_600_000:
        return _("%(n)d min") % {"n": milliseconds // 60_000}
    return _("%(n)d h") % {"n": milliseconds // 3_600_000}


def elapsed(start: datetime | None, end: datetime | None) -> float | None:
    """Milliseconds from start to end; to now while there is no end."""
    if start is None:
        return None
    return max(0.0, ((end or timezone.now()) - start) / timedelta(milliseconds=1))


def count(number: int | None) -> str:
    """Thousands apart by a thin space: ``12 345``."""
    return "" if number is None else f"{number:,}".replace(",", THIN_SPACE)


def cost(amount: Decimal | None) -> str:
    """To a tenth of a cent; a smaller amount than that is not shown as nothing."""
    if amount is None:
        return ""
    rounded = amount.quantize(Decimal("0.001"), rounding=ROUND_HALF_UP)
    if amount > 0 and rounded == 0:
        return "<" + "0.001"
    return f"{rounded:,}".replace(",", THIN_SPACE)


def ago(moment: datetime, now: datetime | None = None) -> str:
    """``just now``, ``5 minutes ago``, ``3 hours ago``, ``yesterday, …``, a date."""
    now = now or timezone.now()
    seconds = (now - moment).total_seconds()
    if seconds < 45:
        return _("just now")
    minutes = max(1, round(seconds / 60))
    if minutes < 60:
        return ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {
            "n": minutes
        }
    hours = round(minutes / 60)
    if hours < 24:
        return ngettext("%(n)d hour ago", "%(n)d hours ago", hours) % {"n": hours}
    local = timezone.localtime(moment)
    if (timezone.localtime(now).date() - local.date()).days == 1:
        return _("yesterday, %(time)s") % {"time": date_format(local, "TIME_FORMAT")}
    return date_format(local, "DATE_FORMAT")


def left(until: datetime, now: datetime | None = None) -> str:
    """The time until then in its largest unit: ``3 days``, ``5 hours``, ``1 minute``.

    The script of the chat's page counts it down by the same rule.
    """
    minutes = max(0, round((until - (now or timezone.now())).total_seconds() / 60))
    if minutes < 60:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    hours = round(minutes / 60)
    if hours < 48:
        return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
    days = round(hours / 24)
    return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}


def exact(moment: datetime) -> str:
    """With seconds and time zone, for the hover."""
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M:%S %Z")


def tint(agent_name: str, *, leads: bool = False) -> str:
    """The CSS class of an agent's steady colour; the supervisor's is the accent."""
    if leads:
        return "tint-lead"
    digest = hashlib.sha256(name_key(agent_name).encode()).digest()
    return f"tint-{digest[0] % TINTS}"


def mark(agent_name: str) -> str:
    """Two letters: initials of two words, else the first two of the name."""
    words = [word for word in re.split(r"[\W_]+", agent_name) if word]
    telling = [w for w in words if w.casefold() not in _GENERIC_WORDS] or words
    if not telling:
        return "?"
    if len(telling) > 1:
        return (telling[0][0] + telling[1][0]).upper()
    return telling[0][:2].upper()
