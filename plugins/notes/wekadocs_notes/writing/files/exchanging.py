"""Two files that take each other's name in one step, where the system can: what lay there is looked at afterwards,
when nobody can have changed it unseen."""

from __future__ import annotations

import errno
import os
import sys
from functools import cache
from typing import Any

_SWAP = 2  # RENAME_EXCHANGE
_CANNOT = frozenset({errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EXDEV, errno.EPERM})


def exchanged(one_folder: int, one: str, other_folder: int, other: str) -> bool:
    """False where the system or the drive cannot; OSError where one of them is not there."""
    rename = _renameat2()
    if rename is None:
        return False
    if rename(one_folder, os.fsencode(one), other_folder, os.fsencode(other), _SWAP) == 0:
        return True
    import ctypes

    code = ctypes.get_errno()
    if code in _CANNOT:
        return False
    raise OSError(code, os.strerror(code))


@cache
def _renameat2() -> Any:
    if sys.platform != "linux":
        return None
    import ctypes

    try:
        found = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):  # an old C library
        return None
    found.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    found.restype = ctypes.c_int
    return found
