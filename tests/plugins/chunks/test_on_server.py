"""Collections on a Qdrant server: what lies there, what happens when it fails, the same answers as without it."""

import random

import pytest
import qdrant_fake
import qdrant_grpc
from citing import OWN, config, done, passage, refused

from wekadocs_mcp.testing import client_for

CLEAN = "citeloom/clean-arch"
PROJECTS = {"citeloom/clean-arch": {"min_batch": 1}, "lab/foreign": {"min_batch": 1, "embedding_model": "acme/3"}}


@pytest.fixture
def fake():
    with qdrant_fake.running() as server:
        yield server


def on(fake, folder, **qdrant):
    given = config(PROJECTS)
    given["plugins"]["corpus"] = {"qdrant": {"url": fake.url, **qdrant}} if fake else {}
    return client_for(given, toolsets=["citeloom"], data_dir=folder)


def test_a_project_has_a_collection_with_named_vectors_payload_and_indexes(fake, tmp_path):
    zotero = {"citekey": "martin2017", "tags": ["architecture"]}
    with on(fake, tmp_path) as client:
        done(client.call("store_chunks", project=CLEAN, items=[passage(n, zotero=zotero) for n in range(3)]))
        inspected = done(client.call("inspect_collection", project=CLEAN))
    assert fake.engine.names() == ["proj-citeloom-clean-arch"]
    info = fake.engine.info("proj-citeloom-clean-arch")
    assert set(info.config.params.vectors) == {"dense"} and set(info.config.params.sparse_vectors) == {"words"}
    kinds = {field: each.data_type.value for field, each in info.payload_schema.items()}
    assert {field for field, kind in kinds.items() if kind == "keyword"} == {
        *inspected["indexes"]["keyword"],
        "keywords",
    }
    assert _of("text", kinds) == set(inspected["indexes"]["fulltext"]) == {"fulltext"}
    points = [
        each.payload for each in fake.engine.scroll("proj-citeloom-clean-arch", 10) if "zotero" in (each.payload or {})
    ]
    assert len(points) == 3
    assert points[0]["zotero"] == zotero and points[0]["project"] == CLEAN and points[0]["fulltext"]


def _of(kind, kinds):
    return {field for field, each in kinds.items() if each == kind}


def test_a_server_that_is_down_costs_no_batch_and_is_told(fake, tmp_path):
    with on(fake, tmp_path, timeout_seconds=1) as client:
        done(client.call("store_chunks", project=CLEAN, items=[passage(0)]))
        fake.fail = [(".", qdrant_fake.status(503))] * 40
        answer = done(client.call("store_chunks", project=CLEAN, items=[{"id": "x", "text": "Late entities."}]))
        assert answer["chunks_written"] == 1 and any("Qdrant" in each for each in answer["warnings"])
        fake.fail = [(".", qdrant_fake.status(403))] * 40
        error = refused(client.call("find_chunks", project=CLEAN, query="entities"), "INDEX_UNAVAILABLE")
        assert "127.0.0.1" not in error["message"]
        refused(client.call("inspect_collection", project=CLEAN), "INDEX_UNAVAILABLE")
        fake.fail = []
        found = done(client.call("find_chunks", project=CLEAN, query="late entities"))["items"]
        assert found[0]["id"] == "x" and len(found) == 2


def test_a_migration_makes_a_new_collection_and_drops_the_old_one(fake, tmp_path):
    with on(fake, tmp_path) as client:
        old = {"id": "old", "text": "Entities.", "embedding": [1, 2, 3], "metadata": {"embed_model": "acme/3"}}
        done(client.call("store_chunks", project="lab/foreign", items=[old]))
        assert fake.engine.names() == ["proj-lab-foreign"]
        new = {"id": "new", "text": "Ledgers.", "metadata": {"embed_model": OWN}}
        done(client.call("store_chunks", project="lab/foreign", items=[new], migrate=True))
        assert fake.engine.names() == ["proj-lab-foreign~g2"]
        found = done(client.call("find_chunks", project="lab/foreign", query="entities"))["items"]
        assert [each["id"] for each in found] == ["old", "new"]


def test_it_goes_over_grpc_too(fake, tmp_path):
    with qdrant_grpc.running(fake) as port, on(fake, tmp_path, grpc=True, grpc_port=port) as client:
        items = [passage(n, zotero={"tags": ["a"] if n % 2 else ["b"]}) for n in range(6)]
        done(client.call("store_chunks", project=CLEAN, items=items))
        found = done(client.call("query_hybrid", project=CLEAN, query="passage number 3", filters={"tags": ["a"]}))
        assert found["count"] == 3 and found["items"][0]["page_span"] == [4, 5]
        assert done(client.call("inspect_collection", project=CLEAN))["indexes"]["fulltext"] == ["fulltext"]
    assert not any("points/query" in each for each in fake.seen)


def test_a_server_that_lost_everything_is_filled_again(fake, tmp_path):
    with on(fake, tmp_path) as client:
        done(client.call("store_chunks", project=CLEAN, items=[passage(n) for n in range(5)]))
        fake.engine.drop("proj-citeloom-clean-arch")
        assert done(client.call("query_hybrid", project=CLEAN, query="passage"))["count"] == 5


def test_anothers_collection_is_left_alone(fake, tmp_path):
    with on(fake, tmp_path / "one") as client:
        done(client.call("store_chunks", project=CLEAN, items=[passage(0)]))
    with on(fake, tmp_path / "two") as client:
        done(client.call("store_chunks", project=CLEAN, items=[{"id": "theirs", "text": "Entities."}]))
        refused(client.call("find_chunks", project=CLEAN, query="entities"), "INDEX_UNAVAILABLE")
    with on(fake, tmp_path / "one") as client:
        assert done(client.call("find_chunks", project=CLEAN, query="passage"))["count"] == 1


def migrated(client):
    """What a project answers after it was led to another model, and some of its documents were deleted."""
    foreign = {"project": "lab/foreign"}
    old = [
        {
            "id": f"old {n}",
            "text": f"Ledger {n} of the boundary.",
            "embedding": [n + 1, 2, 3],
            "metadata": {"embed_model": "acme/3", "doc": {"id": f"d{n % 3}"}, "zotero": {"year": 2000 + n % 2}},
        }
        for n in range(30)
    ]
    done(client.call("store_chunks", **foreign, items=old))
    refused(client.call("find_chunks", **foreign, query="ledger"), "INDEX_UNAVAILABLE")
    new = [{"id": "new", "text": "A zebra at the boundary.", "metadata": {"embed_model": OWN}}]
    found = [done(client.call("store_chunks", **foreign, items=new, migrate=True))]
    for _ in range(2):
        for tool in ("find_chunks", "query_hybrid"):
            asked = {"query": "ledger 7 of the zebra", "top_k": 20, "filters": {"year": 2001}}
            found += [done(client.call(tool, **foreign, **asked)), done(client.call(tool, **foreign, query="zebra"))]
        found.append(done(client.call("find_quote", **foreign, quote="ledger 4 of the boundary")))
        found.append(done(client.call("inspect_collection", **foreign, sample=5)))
        found.append(done(client.call("delete_chunks", **foreign, docs=["d1", "nowhere"], ids=["new"])))
    return found


def test_both_stores_give_the_same_answers(fake, tmp_path):
    choice = random.Random(7)
    text = "entity value object layer ledger payment boundary rule policy use case gateway presenter zebra quark"
    words = text.split()

    def item(number):
        text = " ".join(choice.choices(words, k=choice.randint(3, 30)))
        tags = choice.sample(["a", "b", "c"], choice.randint(0, 3))
        doc = {"id": f"d{number % 7}", "section_path": choice.choices(["Part I", "Part II"], k=choice.randint(0, 2))}
        return {
            "id": str(number),
            "text": text,
            "metadata": {"zotero": {"tags": tags, "year": 2000 + number % 3}, "doc": doc},
        }

    batches = [[item(choice.randrange(300)) for _ in range(60)] for _ in range(8)]
    gone = [str(choice.randrange(300)) for _ in range(40)]
    filters = [
        None,
        {"tags": ["a"]},
        {"tags": ["a", "b"]},
        {"year": 2001},
        {"doc": "d3"},
        {"section_prefix": ["Part I"]},
    ]
    questions = [(" ".join(choice.choices(words, k=choice.randint(1, 5))), choice.choice(filters)) for _ in range(40)]

    def answers(server, folder):
        found = []
        with on(server, folder) as client:
            for turn, items in enumerate(batches):
                done(client.call("store_chunks", project=CLEAN, items=items))
                if turn == 5:
                    done(client.call("delete_chunks", project=CLEAN, ids=gone))
                for question, wanted in questions[turn * 5 : turn * 5 + 5]:
                    asked = {"project": CLEAN, "query": question, "top_k": 20, "filters": wanted}
                    found.append(done(client.call("find_chunks", **asked)))
                    found.append(done(client.call("query_hybrid", **asked, debug=True)))
            found.append(done(client.call("inspect_collection", project=CLEAN, sample=5)))
            return found + migrated(client)

    embedded, served = answers(None, tmp_path / "embedded"), answers(fake, tmp_path / "served")
    assert any(each.get("count") == 20 for each in embedded)
    assert embedded == served
    assert sum("points/query" in each for each in fake.seen) > 60
