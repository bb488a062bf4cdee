"""`size`: what it says is near what was measured, and grows with what is asked."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from wekadocs_corpus_plugin.sizing.needs import needs

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"


def said(*arguments):
    return subprocess.run([SCRIPT, "size", *arguments], capture_output=True, text=True, timeout=60)


def test_the_corpora_that_were_measured_need_what_they_had():
    """267,165 sections: 508 MB of database, 354 MB of index; 40 MB of PostgreSQL for 8,891."""
    assert needs(267_165).embedded.disk == pytest.approx((508 + 354) * 10**6, rel=0.1)
    assert needs(8_891).stores[0].disk == pytest.approx(2 * 40_034_304, rel=0.1)


def test_memory_of_vectors_is_what_qdrant_publishes():
    """Number of vectors, times dimension, times 4 bytes, times 1.5: 6.1 GB for a million of 1,024 numbers."""
    small, large = (needs(1_000_000, dimension).stores[1].memory for dimension in (512, 1536))
    assert large - small == 1_000_000 * 1024 * 4 * 1.5


@pytest.mark.parametrize("more", [{"dimension": 1024}, {"copies": 3}])
def test_more_never_needs_less(more):
    for sections in (10**6, 10**7, 10**9):
        plain, larger = needs(sections).stores[1], needs(sections, **more).stores[1]
        assert (larger.memory, larger.machines) >= (plain.memory, plain.machines)
        assert needs(10 * sections).stores[1].shards >= plain.shards
        assert plain.machines >= plain.copies
        assert needs(sections, on_disk=True).stores[1].memory < plain.memory


def test_the_command_prints_it_for_people_and_for_programs():
    shown = said("--documents", "30000")
    assert "270,000 sections" in shown.stdout
    assert "PostgreSQL" in shown.stdout
    found = json.loads(said("--sections", "1000000000", "--json").stdout)
    assert found["sections"] == 10**9
    assert found["embedded"] is None
    assert {each["name"] for each in found["stores"]} == {"PostgreSQL", "Qdrant", "Neo4j"}


@pytest.mark.parametrize("arguments", [(), ("--documents", "1", "--sections", "1"), ("--documents", "0")])
def test_one_number_is_needed(arguments):
    done = said(*arguments)
    assert done.returncode == 2
    assert "--documents" in done.stderr
