"""Runs a command until standard input closes, as it does when whoever started this ends, in whatever way.

The first argument is a file for the command's process id, the rest is the command.
"""

import subprocess
import sys
import threading
from pathlib import Path

child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL)
Path(sys.argv[1]).write_text(str(child.pid))


def watch() -> None:
    sys.stdin.buffer.read()
    child.terminate()
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()


threading.Thread(target=watch, daemon=True).start()
sys.exit(child.wait())
