"""Runs a command until standard input closes, as it does when whoever started this ends, in whatever way.

The first argument is a file for the command's process id, the rest is the command. RUN_AS is the number of the user it
runs as, where that is another one; END_BY the signal that ends it.
"""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

user = os.environ.get("RUN_AS")
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, user=int(user) if user else None)
Path(sys.argv[1]).write_text(str(child.pid))


def watch() -> None:
    sys.stdin.buffer.read()
    child.send_signal(getattr(signal, os.environ.get("END_BY", "SIGTERM")))
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()


threading.Thread(target=watch, daemon=True).start()
sys.exit(child.wait())
