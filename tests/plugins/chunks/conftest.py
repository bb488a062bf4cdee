"""Fixtures of citing.py, for every test here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # so that tests share what stands beside this file

from citing import clean, client, ddd, foreign, lab, opened  # noqa: F401
