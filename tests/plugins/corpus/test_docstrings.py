"""Docstrings of Python source, read where they are asked for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = '''"""Leases: who may write, and for how long."""

import time


class Lease(object):
    """The right to write a file.

    Args:
        seconds: how long it holds;
            then it must be asked for again.
    """

    def renew(self, seconds: float = 30.0) -> bool:
        """Hold it on, for 30 seconds unless another time is said."""
        return time.time() > seconds

    def _secret(self):
        """Nobody asks for this."""


async def drop(lease, /, *, force=False):
    """Give a lease back.

    Parameters
    ----------
    force : bool
        Though somebody writes.
    """


def bare():
    return 1
'''
WEKADOCS = Path(sys.executable).parent / "wekadocs-mcp"


@pytest.fixture
def run(tmp_path):
    (tmp_path / "code" / "src" / "strata").mkdir(parents=True)
    (tmp_path / "code" / "src" / "strata" / "lease.py").write_text(SOURCE)
    (tmp_path / "code" / "src" / "strata" / "bare.py").write_text("x = 1\n")
    (tmp_path / "code" / "readme.md").write_text("# Strata\n\nA store.\n")

    def call(*arguments):
        command = [WEKADOCS, "--data", tmp_path / "data", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)

    return call


def test_docstrings_are_read_on_request_and_stay(run):
    plain = run("ingest", "code")
    assert "1 added" in plain.stderr
    assert "Not read: 2 .py." in plain.stderr
    asked = run("ingest", "code", "--docstrings")
    assert "1 added, 1 unchanged" in asked.stderr
    assert "1 .py without docstrings" in asked.stderr
    again = run("ingest", "code")
    assert "2 unchanged" in again.stderr
    answer = json.loads(run("ask", "--json", "For how many seconds does renew hold a lease on?").stdout)
    quote = answer["quotes"][0]
    assert quote["path"] == "src/strata/lease.py"
    assert "for 30 seconds unless another time is said" in quote["quote"]


def test_a_section_for_each_that_has_one_with_its_signature_and_lines():
    from wekadocs_corpus.documents import read_document

    page = read_document("src/strata/lease.py", SOURCE.encode(), "d")
    assert page.title == "strata.lease"
    titles = [section.title for section in page.sections]
    assert titles == ["strata.lease", "Lease", "Lease.renew", "drop"]
    assert "def renew(self, seconds: float=30.0) -> bool" in page.text
    assert "- seconds: how long it holds;\n  then it must be asked for again." in page.text
    assert "**Parameters**\n\n- force : bool\n  Though somebody writes." in page.text
    assert "Nobody asks" not in page.text
    assert "bare" not in page.text


def test_a_file_that_is_no_python_is_named_and_the_rest_is_in(run, tmp_path):
    (tmp_path / "code" / "broken.py").write_text('"""Doc."""\ndef (:\n')
    done = run("ingest", "code", "--docstrings")
    assert done.returncode == 1
    assert "broken.py" in done.stderr
    assert "no Python that can be parsed" in done.stderr
    assert "2 added" in done.stderr
