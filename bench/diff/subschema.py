"""jsonsubschema on pairs from stdin, one JSON line each; runs in its own environment, and never on the network."""

import json
import resource
import signal
import socket
import sys
import warnings

warnings.simplefilter("ignore")


def _refuse(*_: object) -> None:
    raise OSError("schemas are never fetched")


socket.socket.connect = _refuse  # type: ignore[method-assign,assignment]

from jsonsubschema import isSubschema  # type: ignore[import-not-found]  # noqa: E402

_SECONDS = 1  # of work, for each pair


def _too_long(*_: object) -> None:
    raise TimeoutError(f"no answer within {_SECONDS} s of work")


def main() -> None:
    signal.signal(signal.SIGVTALRM, _too_long)
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))  # its automata can take all there is
    for line in sys.stdin:
        inner, outer = json.loads(line)
        signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
        try:
            answer = "safe" if isSubschema(inner, outer) else "breaking"
        except BaseException as error:
            answer = f"error: {type(error).__name__}"
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


main()
