"""The campaign on scope, sessions and principals, with few rounds; by hand: python bench/attack/isolation.py."""

import subprocess
import sys
from pathlib import Path

CAMPAIGN = Path(__file__).parents[3] / "bench" / "attack" / "isolation.py"


def test_no_attempt_on_scope_sessions_or_principals_brings_what_is_hidden():
    done = subprocess.run(
        [sys.executable, CAMPAIGN, "--rounds", "3"], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith(": 0 leaks")
