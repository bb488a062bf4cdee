"""Chromium, run once for a page: it loads, its scripts run for a while, and what then stands there is the page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Sequence

from ..fetched import FetchFailed
from ..guard.policy import Policy
from ..guard.resolving import Resolve
from ..urls import WebUrl
from .gate import Gate

_SCRIPT_MS = 5000  # of the page's own time, which runs as fast as its requests allow
_NOT_SHOWN = re.compile(rb"<(noscript|script)\b.*?</\1\s*>", re.I | re.S)  # by a browser whose scripts have run
_QUIET = (
    "--headless=new",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--allow-browser-signin=false",  # what it would ask Google for on its own: accounts, updates, the time
    "--gaia-url=http://127.0.0.1:9",
    "--component-updater=url-source=http://127.0.0.1:9",
    "--disable-client-side-phishing-detection",
    "--disable-features=NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,Translate",
    "--disable-quic",
    "--no-first-run",
    "--no-pings",
    "--mute-audio",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--blink-settings=imagesEnabled=false",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # names are the gate's business
    "--proxy-bypass-list=<-loopback>",
)


class Browser:
    """`command` is the installed Chromium; `arguments` are what a deployment adds."""

    def __init__(self, command: str, arguments: Sequence[str], policy: Policy, resolve: Resolve) -> None:
        self._command, self._arguments = command, arguments
        self._policy, self._resolve = policy, resolve

    async def shown(self, url: WebUrl, most_bytes: int, seconds: float) -> bytes:
        """The page's HTML after its scripts have run; FetchFailed where there is none."""
        self._policy.check_url(url)
        found = shutil.which(self._command)
        if found is None:
            raise FetchFailed(str(url), "RENDER_FAILED", "the browser that the settings name is not installed")
        async with Gate(self._policy, self._resolve, 4 * most_bytes) as gate:
            with tempfile.TemporaryDirectory(prefix="wekadocs-browser-", ignore_cleanup_errors=True) as profile:
                return await self._run(found, url, gate.port, profile, most_bytes, seconds)

    async def _run(self, found: str, url: WebUrl, port: int, profile: str, most_bytes: int, seconds: float) -> bytes:
        ways = [f"--user-data-dir={profile}", f"--proxy-server=http://127.0.0.1:{port}"]
        ways += ["--dump-dom", f"--virtual-time-budget={_SCRIPT_MS}", f"--timeout={int(seconds * 1000)}"]
        process = await asyncio.create_subprocess_exec(
            found,
            *_QUIET,
            *ways,
            *self._arguments,
            str(url),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # so that all of its processes can be ended
            env={"HOME": profile, "PATH": os.environ.get("PATH", "")},
        )
        try:
            async with asyncio.timeout(seconds):
                body = await _output(process, url, most_bytes)
        except TimeoutError:
            raise FetchFailed(str(url), "TIMEOUT", "the browser did not show it in time", passing=True) from None
        finally:
            await _end(process)
        if not body.strip():
            raise FetchFailed(str(url), "RENDER_FAILED", "the browser could not show it")
        return _NOT_SHOWN.sub(b"", body)


async def _output(process: asyncio.subprocess.Process, url: WebUrl, most_bytes: int) -> bytes:
    assert process.stdout is not None
    body = bytearray()
    while piece := await process.stdout.read(1 << 16):
        body += piece
        if len(body) > most_bytes:
            raise FetchFailed(str(url), "TOO_LARGE", f"it has more than {most_bytes:,} bytes once its scripts have run")
    return bytes(body)


async def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(process.wait(), 5)
