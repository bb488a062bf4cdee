"""The console script. A stdio server with a compiled surface greets its client before anything heavy is imported."""

import sys


def main() -> None:
    argv = sys.argv[1:]
    if "serve" in argv and "--dev" not in argv:
        from wekadocs_mcp.transports.fast_door import cache, door

        if door.is_pipe(0):
            surface = cache.load_surface(argv)
            if surface is not None:
                _through_the_door(surface)
                return
    try:
        from wekadocs_mcp.cli.main import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(130)


def _through_the_door(surface: object) -> None:
    """Greet; import the SDK in a thread while going on answering; hand over when it is there."""
    import os

    from wekadocs_mcp.transports.fast_door.door import Door, claim_stdio

    descriptors = claim_stdio()
    door = Door(surface, descriptors)  # type: ignore[arg-type]
    try:
        door.greet()
        if door.is_over:
            os._exit(0)
        prepared = _prepare(surface, door)
    except (KeyboardInterrupt, OSError):
        os._exit(130)
    from wekadocs_mcp.transports.fast_door.resume import serve

    serve(prepared, descriptors, door.rest(), tuple(door.answered))


def _prepare(surface: object, door: object) -> object:
    # Imported here, in the main thread: `threading` takes the thread that imports it for the main one.
    import gc
    import os
    import threading

    gc.disable()  # nothing that an import makes is garbage; looking through it takes a tenth of the time
    ready, done = os.pipe()
    prepared: list[object] = []

    def load() -> None:
        try:
            from wekadocs_mcp.transports.fast_door.resume import prepare

            prepared.append(prepare(surface))  # type: ignore[arg-type]
        except BaseException as error:
            prepared.append(error)
        os.write(done, b".")

    sys.setswitchinterval(0.0005)
    threading.Thread(target=load, daemon=True).start()
    door.attend(ready)  # type: ignore[attr-defined]
    if not prepared:
        from .ending import end

        end()  # the client is gone
    sys.setswitchinterval(0.005)
    gc.freeze()
    gc.enable()
    os.close(ready)
    os.close(done)
    if isinstance(prepared[0], BaseException):
        from wekadocs_mcp.transports.fast_door import cache

        cache.drop(cache.surface_name(sys.argv[1:]))  # whatever is wrong with it, the next start does without
        raise prepared[0]
    return prepared[0]
