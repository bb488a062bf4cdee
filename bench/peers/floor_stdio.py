"""The floor: a line for every line, always the same."""

import sys
from pathlib import Path

line = Path(sys.argv[1]).read_bytes() + b"\n"
write, flush = sys.stdout.buffer.write, sys.stdout.buffer.flush
for _ in sys.stdin.buffer:
    write(line)
    flush()
