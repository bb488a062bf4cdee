"""Which of our modules one search and one ingest enter: python scripts/modules_entered.py search|ingest

Entered is a module of which at least one function runs, in any thread and in any process that is started for it. What
importing runs does not count, and of kb.search what only the first call of a server does.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from house_plan import MODULES, ROOT

SAMPLE = ROOT / "docs" / "sample" / "docs"
QUESTION = "How do I mount a filesystem?"
_NOTES = "HOUSE_PLAN_NOTES"  # the file to write to, while it is set; processes that are started inherit it
_OURS = {str(path): module for module, path in MODULES.items()}
_CLIENT = {"wekadocs_mcp.testing"}


def watch() -> None:
    """This thread, and all that are started from now on."""
    seen: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event != "call" or file in seen or file not in _OURS or _NOTES not in os.environ or _is_import(frame):
            return
        seen.add(file)
        with Path(os.environ[_NOTES]).open("a", encoding="utf-8") as notes:
            notes.write(f"{_OURS[file]}\n")

    threading.setprofile(note)
    sys.setprofile(note)


def _is_import(frame: FrameType) -> bool:
    """Whether a module or a class is being made, or something for it."""
    made = [each for each in (frame, frame.f_back) if each and not each.f_code.co_flags & inspect.CO_OPTIMIZED]
    return any(each.f_globals.get("__name__") != "__main__" for each in made)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """On the path of every Python that starts meanwhile, which is then watched as well."""
    with tempfile.TemporaryDirectory() as made:
        watched = f"import os\nif {_NOTES!r} in os.environ:\n    import modules_entered\n    modules_entered.watch()\n"
        (Path(made) / "sitecustomize.py").write_text(watched)
        sys.path.insert(0, made)
        yield Path(made)


def _entered(work: Callable[[], object], folder: Path) -> set[str]:
    notes = folder / "notes"
    os.environ[_NOTES] = str(notes)
    work()
    del os.environ[_NOTES]
    return set(notes.read_text("utf-8").split()) - _CLIENT


def _ingest(data: Path, source: Path) -> None:
    from click.testing import CliRunner

    from wekadocs_mcp.cli.main import cli

    done = CliRunner().invoke(cli, ["--data", str(data), "ingest", str(source)])
    if done.exit_code:
        raise SystemExit(f"ingest {source}: {done.output}")


def ingest() -> set[str]:
    """Of one file, as the command line takes it in."""
    with _folder() as folder:
        watch()
        return _entered(lambda: _ingest(folder / "data", SAMPLE / "faq.md"), folder)


def search() -> set[str]:
    """From the SDK's client, in memory, to the answer."""
    from wekadocs_mcp.testing import client_for

    with _folder() as folder:
        _ingest(folder / "data", SAMPLE)
        watch()
        with client_for({"extends": "shipped"}, data_dir=folder / "data") as client:

            def ask() -> None:
                reply = client.call("kb.search", query=QUESTION)
                if not reply.data or not reply.data["results"]:
                    raise SystemExit(f"kb.search found nothing: {reply.error}")

            ask()
            return _entered(ask, folder)


if __name__ == "__main__":
    sys.stdout.write("".join(f"{module}\n" for module in sorted({"search": search, "ingest": ingest}[sys.argv[1]]())))
