"""Fixtures of the modules beside this file, for every test here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # so that tests share what stands beside this file

from reading_room import room, server  # noqa: F401
from writing_desk import desk, opened  # noqa: F401
