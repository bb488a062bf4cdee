"""The process in which a large page is read: one request on stdin, its page as JSON on stdout."""

from __future__ import annotations

import json
import os
import sys

from .apart import as_json, cap
from .page import NotAPage
from .reading import read


def main() -> None:
    parent = os.getppid()
    head, _, body = sys.stdin.buffer.read().partition(b"\n")
    asked = json.loads(head)
    cap(asked["seconds"], parent)
    try:
        said = as_json(read(body, asked["media_type"], asked["charset"], asked["address"]))
    except NotAPage as error:
        said = json.dumps({"refused": str(error)}).encode()
    except MemoryError:
        os._exit(1)  # not the long way: it might need memory
    sys.stdout.buffer.write(said)


if __name__ == "__main__":
    main()
