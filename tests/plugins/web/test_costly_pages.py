"""Pages that are written to cost time: they are read apart, and ended when they cost too much."""

from __future__ import annotations

import asyncio
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from web_site import page

from wekadocs_web.pages import NotAPage, read, read_within

PRICES = "/widgets/prices.html"
# A parser compares each attribute with all before it.
CROWDED = "<main><p " + " ".join(f"a{number}=b" for number in range(70_000)) + ">Nobody reads this.</p></main>"


def readers() -> list[str]:
    """Processes of ours that read pages."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            if each.read_text("utf-8", "replace").rpartition(")")[2].split()[1] == str(os.getpid()):
                found.append((each.parent / "cmdline").read_text("utf-8", "replace"))
        except OSError:
            continue
    return [each for each in found if "wekadocs_web.pages.reader" in each]


def test_a_page_that_costs_too_much_is_told_of_and_harms_no_other(ask: Any, site: Any) -> None:
    site.replies["/crowded.html"] = page("Crowded", CROWDED)
    found = ask(read_seconds=1).data(
        "answer", url=[site.url("/crowded.html"), site.url(PRICES)], query="What does a widget cost?"
    )
    assert "costs 20 euros" in found["evidence"][0]["text"]
    failed = f"Failed: {site.url('/crowded.html')} (reading it took more than 1 s (read_seconds))."
    assert failed in found["notes"]
    assert readers() == []


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux lists processes as files")
def test_a_call_that_runs_out_of_time_ends_what_reads_for_it(
    ask: Any, site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.replies["/crowded.html"] = page("Crowded", CROWDED)
    monkeypatch.setenv("MCP_TOOL_TIMEOUT", "3")
    began = time.process_time()
    told, error = ask().refused("answer", url=site.url("/crowded.html"), query="What does a widget cost?")
    assert told.startswith("[ERROR]\nWebRAG timed out after 3s.")
    assert (error["code"], readers()) == ("TIMEOUT", [])
    assert time.process_time() - began < 3, "none of it is paid here"


def test_a_large_page_that_is_read_apart_is_the_page_that_it_is() -> None:
    rows = "".join(f"<p>Setting {number} has <a href='/s{number}.html'>a page</a>.</p>" for number in range(6000))
    html = f"<html lang=de><title>Large \N{SNOWMAN}</title><main><h1>All settings</h1>{rows}</main>"
    here = ("text/html", "utf-8", "http://site.example/")
    found = asyncio.run(read_within(20, html.encode(), *here))
    assert found == read(html.encode(), *here)
    assert (found.title, len(found.links)) == ("Large \N{SNOWMAN}", 2000)


def test_a_large_file_that_is_no_page_says_so_from_there_too() -> None:
    with pytest.raises(NotAPage, match="the feed is not well-formed JSON"):
        asyncio.run(read_within(20, b"[" * 300_000, "application/feed+json", "utf-8", "http://site.example/"))


def test_a_cell_that_says_it_is_endless_is_as_wide_as_the_table() -> None:
    html = "<table>" + "<tr><td colspan=1000000000 rowspan=1000000000>x<td>y" * 3000
    text = read(html.encode(), "text/html", "utf-8", "http://site.example/").text
    assert len(text) < 10 * len(html)
    narrow = "<table><tr><td colspan=1000000000>All</td></tr><tr><td>1</td><td>2</td></tr></table>"
    said = read(narrow.encode(), "text/html", "utf-8", "http://site.example/").text
    assert [re.sub(" +", " ", line) for line in said.splitlines()] == ["| All | |", "|-----|-----|", "| 1 | 2 |"]


def test_no_cell_of_a_row_without_end_is_lost() -> None:
    html = "<table><tr>" + "".join(f"<td>c{number}" for number in range(1000)) + "<tr><td>1<td>2"
    text = read(html.encode(), "text/html", "utf-8", "http://site.example/").text
    assert all(f"c{number} " in text for number in range(1000))


def test_however_many_large_pages_come_at_once_only_a_few_are_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[asyncio.subprocess.Process] = []
    at_once: list[int] = []
    real = asyncio.create_subprocess_exec

    async def counted(*command: Any, **how: Any) -> asyncio.subprocess.Process:
        begun.append(await real(*command, **how))
        at_once.append(sum(each.returncode is None for each in begun))
        return begun[-1]

    monkeypatch.setattr("asyncio.create_subprocess_exec", counted)
    html = ("<main>" + "<p>One of many.</p>" * 20_000).encode()

    async def all_of_them() -> list[Any]:
        each = [read_within(20, html, "text/html", "utf-8", "http://site.example/") for _ in range(7)]
        return await asyncio.gather(*each)

    assert [page.text.count("One of many.") for page in asyncio.run(all_of_them())] == [20_000] * 7
    assert (len(begun), max(at_once)) == (7, min(4, os.cpu_count() or 1))


SERVER = """
import asyncio, pathlib, sys
from wekadocs_web.pages import read_within
real = asyncio.create_subprocess_exec
async def told(*command, **how):
    process = await real(*command, **how)
    print(process.pid, flush=True)
    return process
asyncio.create_subprocess_exec = told
asyncio.run(read_within(120, pathlib.Path(sys.argv[1]).read_bytes(), "text/html", "utf-8", "http://site.example/"))
"""


def seconds_of(process: int) -> float:
    """Of CPU."""
    told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends a process with its parent")
def test_a_server_that_is_killed_leaves_nothing_that_reads(tmp_path: Path) -> None:
    endless = "<main><p " + " ".join(f"a{number}=b" for number in range(400_000)) + "></main>"
    (tmp_path / "page.html").write_text(endless)
    command = [sys.executable, "-c", SERVER, str(tmp_path / "page.html")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        number = int(server.stdout.readline())
        reader = os.pidfd_open(number)
        assert any(seconds_of(number) > 2 or select.select([reader], [], [], 0.1)[0] for _ in range(1200))
        server.kill()
    ended, _, _ = select.select([reader], [], [], 60)
    signal.pidfd_send_signal(reader, signal.SIGKILL) if not ended else None
    os.close(reader)
    assert ended
