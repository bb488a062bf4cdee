"""What an operator sees of scratch in /metrics."""

import re

from wekadocs_scratch.limits import IDS_BYTES


def figures(kb):
    return {name: float(value) for name, value in re.findall(r"^(wekadocs_scratch_\w+) (\S+)$", kb.app.metrics(), re.M)}


def test_nothing_is_started_for_a_look(serve):
    assert figures(serve()) == {}


def test_passages_evictions_and_memory_are_counted(serve):
    kb = serve(scratch={"max_bytes": 65536})
    for query in ("mount", "quota", "snapshot", "node", "drive", "token", "bucket", "audit") * 3:
        kb.ask("kb.search", {"query": query, "top_k": 20, "page_size": 20})
    seen = figures(kb)
    assert seen["wekadocs_scratch_passages_total"] > 100
    assert seen["wekadocs_scratch_evicted_total"] > 0
    assert 0 < seen["wekadocs_scratch_bytes"] <= IDS_BYTES
    assert seen["wekadocs_scratch_expired_total"] == 0
    assert "# TYPE wekadocs_scratch_evicted_total counter" in kb.app.metrics()
    assert "# TYPE wekadocs_scratch_bytes gauge" in kb.app.metrics()
    assert 'wekadocs_tool_calls_total{tool="kb.search",code="OK"}' in kb.app.metrics()


def test_a_dropped_text_that_is_read_again_is_counted(serve):
    kb = serve(scratch={"max_bytes": 65536})
    passages = []
    while not figures(kb).get("wekadocs_scratch_evicted_total"):
        passages += [row["passage_id"] for row in kb.ask("kb.search", {"query": f"node {len(passages)}"})["results"]]
    assert kb.ask("kb.read_excerpt", {"passage_id": passages[0]})["excerpt"]
    assert figures(kb)["wekadocs_scratch_restored_total"] == 1
