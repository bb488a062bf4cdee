"""The campaign of hostile arguments, with few calls; by hand: python bench/attack/fuzz.py."""

import subprocess
import sys
from pathlib import Path

CAMPAIGN = Path(__file__).parents[2] / "bench" / "attack" / "fuzz.py"


def test_no_arguments_are_our_fault() -> None:
    done = subprocess.run(
        [sys.executable, CAMPAIGN, "--calls", "400"], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 TIMEOUT, 0 faults " in done.stdout
