"""`make run`: the sample documentation ingested, one cited answer, then a server that answers."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.skipif(not (ROOT / ".venv" / ".ready").exists(), reason="not run by `make test`: .venv is not set up")
def test_make_run_answers_from_the_sample_and_serves(tmp_path):
    port = free_port()
    environment = {**os.environ, "WEKADOCS_CACHE": str(tmp_path)}
    process = subprocess.Popen(
        ["make", "run", f"PORT={port}", f"DATA={tmp_path / 'data'}"], cwd=ROOT, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        assert wait_for(f"http://127.0.0.1:{port}/healthz") == {"status": "ok"}
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        printed, _ = process.communicate(timeout=20)
    assert "How do I mount a filesystem?" in printed
    assert "strata mount <filesystem> <mount-point>" in printed
    assert "— Mount a filesystem, filesystems/mount.md" in printed
    assert f"http://127.0.0.1:{port}/_mcp" in printed


def wait_for(url: str) -> object:
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return json.load(answer)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
