"""Words that stand only outside of the scope are as if they stood nowhere: two corpora that differ in nothing else
give the same answers, byte for byte."""

import json
import re

import pytest

from wekadocs_corpus.ingest.planning import Stamp
from wekadocs_corpus.ingest.run import Run
from wekadocs_corpus.ingest.sources.scan import roots
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.plugins import discovery

SEEN = {
    "mount.md": "# Mount a filesystem\n\nRun `strata mount` as root. A client needs a lease to mount a filesystem.\n",
    "quota.md": "# Quotas\n\nA quota limits a directory. See [mount](mount.md). The leader keeps every quota.\n",
    "node.md": "# Nodes\n\nA node joins with a key. The leader counts the nodes of the cluster.\n",
}
WORD, OTHER = "zyzzogeton", "quuxdrivel"
HIDDEN = "# The {0} plan\n\nThe {0} of the filesystem (Zebra Yard Zone (ZYZ)) has a {0} lease. Nobody knows {0}.\n"
QUESTIONS = [
    WORD,
    f"how do I mount a {WORD}",
    f"which lease has the {WORD} plan",
    "zyzzogetom plan",
    "Explain ZYZ of the leader",
    f"--{WORD}.key",
    f"{WORD} quota leader node",
]


def taken_in(folder, data, stamp):
    settings = {"plugins": {"corpus": {}}, "scope": {"project_id": "wekadocs-matrix", "environment": "prod"}}
    (spec,) = discovery.find(configuration.from_dict(settings, data))
    run = Run(data, spec.settings, stamp, lambda *_: None)
    run.ingest(roots([str(folder)]))
    run.truth.close()


@pytest.fixture(scope="module", params=["doc_tag", "environment", "repository"])
def servers(request, serve, tmp_path_factory):
    """Three servers: the hidden page of one has the word, that of another another one, the third has no such page."""
    started, folder = [], tmp_path_factory.mktemp("pages")  # the same one: ids are made of places
    for word in (WORD, OTHER, None):
        data = tmp_path_factory.mktemp("data")
        stamps = {"seen": Stamp("wekadocs-matrix", "prod", "seen"), "hidden": Stamp("wekadocs-matrix", "prod", "seen")}
        if request.param == "environment":
            stamps["hidden"] = Stamp("wekadocs-matrix", "dev", "seen")
        if request.param == "repository":
            stamps["hidden"] = Stamp("wekadocs-matrix", "prod", "hidden")
        for name, pages in (("seen", SEEN), ("hidden", {"plan.md": HIDDEN.format(word)})):
            if name == "hidden" and word is None:
                continue
            for path, text in pages.items():
                (folder / name / name / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / name / name / path).write_text(text, "utf-8")
            taken_in(folder / name, data, stamps[name])
        scope = {"project_id": "wekadocs-matrix", "environment": "prod"}
        if request.param == "doc_tag":
            scope["doc_tags"] = ["seen"]
        if request.param == "repository":
            scope["repositories"] = ["seen"]
        started.append(serve(data, scope=scope))
    return started


def masked(outcome):
    """What is made anew for every answer: ids and times."""
    said = json.dumps([outcome.data, outcome.content, outcome.error], sort_keys=True)
    said = re.sub(r"\b[a-z]{28}\b", "ID", said)
    return re.sub(r'"timings_ms": \{[^}]*\}|"lastModified": "[^"]*"', "TIME", said)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_word_outside_of_the_scope_changes_no_answer(servers, question):
    every = {"include_scores": True, "include_debug": True}
    for tool, arguments, exactly in (
        ("kb.search", {"query": question}, False),
        ("kb.search", {"query": question, "options": every}, True),
        ("kb.search", {"query": question, "options": {**every, "rewrite": False, "mode": "vector_only"}}, True),
        ("kb.retrieve_evidence", {"question": question}, False),
    ):
        one, two, without = (masked(each.outcome(tool, arguments)) for each in servers)
        assert one == two
        assert exactly or one == without  # scores count the project's chunks, by design
    answers = []
    for each in servers:
        ids = [row["passage_id"] for row in each.ask("kb.search", {"query": question})["results"]]
        answers.append(masked(each.outcome("kb.extract_evidence", {"question": question, "passage_ids": ids})))
    assert answers[0] == answers[1] == answers[2]


def test_the_hidden_page_is_indexed(servers):
    counted = [each.state("corpus").truth.counts().documents for each in servers]
    assert counted == [len(SEEN) + 1, len(SEEN) + 1, len(SEEN)]
