"""The console script. A stdio server with a compiled surface greets its client before anything heavy is imported."""

import sys


def main() -> None:
    argv = sys.argv[1:]
    if "serve" in argv and "--dev" not in argv:
        from . import door

        if door.is_pipe(0):
            surface = door.load(argv)
            if surface is not None:
                _through_the_door(surface)
                return
    from .cli import main as command_line

    command_line()


def _through_the_door(surface: object) -> None:
    """Greet; import the SDK in a thread while going on answering; hand over when it is there."""
    import _thread
    import os

    from .door import Door

    door = Door(surface)  # type: ignore[arg-type]
    try:
        door.greet()
    except (KeyboardInterrupt, BrokenPipeError):
        return
    # stdout is the protocol's: what plugins print while they are imported must not reach it.
    sys.stdout = sys.stderr
    ready, done = os.pipe()
    resumed: list[object] = []

    def load() -> None:
        try:
            from .resume import prepare

            resumed.append(prepare(surface))  # type: ignore[arg-type]
        except BaseException as error:
            resumed.append(error)
        os.write(done, b".")

    sys.setswitchinterval(0.0005)
    _thread.start_new_thread(load, ())
    try:
        door.attend(ready)
        os.read(ready, 1)
    except (KeyboardInterrupt, BrokenPipeError):
        os._exit(130)
    sys.setswitchinterval(0.005)
    os.close(ready)
    os.close(done)
    if isinstance(resumed[0], BaseException):
        raise resumed[0]
    from .resume import serve

    serve(resumed[0], door.rest(), tuple(door.answered))  # type: ignore[arg-type]
