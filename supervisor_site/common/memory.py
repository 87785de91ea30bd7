"""Keep the memory of a process with many threads small."""

from __future__ import annotations

import ctypes

M_ARENA_MAX = -8
ARENAS = 2


def share_arenas() -> bool:
    """Let threads share two arenas of memory; ``True`` where the C library can.

    glibc gives up to eight arenas a core to threads, and each keeps what was freed
    in it: 64 runs in flight cost 30 MB more. Our threads wait nearly all the time,
    so that they seldom meet. Call it before threads start.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, TypeError, AttributeError):
        # Another C library, which does this its own way.
        return False
    return bool(mallopt(M_ARENA_MAX, ARENAS) == 1)
