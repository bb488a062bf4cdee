"""Which projects there are, what is told of them, and what holds after a restart."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from citing import OWN, done, passage, refused


def listed(client):
    return {each["id"]: each for each in done(client.call("list_projects"))["projects"]}


def test_projects_are_listed_as_the_seed_has_them(opened):
    given = {"citeloom/clean-arch": {}, "citeloom/ddd": {"hybrid_enabled": False}}
    given |= {
        "lab/foreign": {"embedding_model": "acme/other-384", "dimension": 384},
        "lab/open": {"embedding_model": "x/y"},
    }
    assert list(listed(opened(given)).values()) == [
        {
            "id": "citeloom/clean-arch",
            "collection": "proj-citeloom-clean-arch",
            "embed_model": OWN,
            "hybrid_enabled": True,
            "dimension": 256,
        },
        {
            "id": "citeloom/ddd",
            "collection": "proj-citeloom-ddd",
            "embed_model": OWN,
            "hybrid_enabled": False,
            "dimension": 256,
        },
        {
            "id": "lab/foreign",
            "collection": "proj-lab-foreign",
            "embed_model": "acme/other-384",
            "hybrid_enabled": True,
            "dimension": 384,
        },
        {
            "id": "lab/open",
            "collection": "proj-lab-open",
            "embed_model": "x/y",
            "hybrid_enabled": True,
            "dimension": None,
        },
    ]


def test_no_project_at_all_is_an_empty_list(opened):
    assert done(opened({}).call("list_projects")) == {"projects": []}


def test_no_two_collections_have_one_name(opened):
    names = [
        each["collection"]
        for each in listed(opened(dict.fromkeys(["a/b-c", "a-b/c", "a/b/c", "a-b-c", "a/b_c"]))).values()
    ]
    assert len(set(names)) == 5 and names[0] == "proj-a-b-c"


def test_a_collection_is_called_as_the_seed_has_it_wherever_no_other_is(opened):
    names = listed(opened(dict.fromkeys(["my-lab/field-notes", "solo", "a-b/c", "a/b-c", "x/y/z"])))
    assert names["my-lab/field-notes"]["collection"] == "proj-my-lab-field-notes"
    assert (names["solo"]["collection"], names["x/y/z"]["collection"]) == ("proj-solo", "proj-x-y-z")
    assert names["a-b/c"]["collection"] == "proj-a-b-c" != names["a/b-c"]["collection"]


def test_projects_are_listed_without_waiting_for_a_model(opened, monkeypatch):
    async def never(self):
        raise AssertionError("the model was asked for")

    monkeypatch.setattr("wekadocs_corpus.corpus.Corpus.embedder", never)
    one = listed(opened({"a/b": {}, "c/d": {"embedding_model": OWN}}))
    assert {(each["embed_model"], each["dimension"]) for each in one.values()} == {(OWN, 256)}


def test_thousands_of_projects_are_listed_as_many_as_fit(opened):
    client = opened({f"namespace/project-{n}": {} for n in range(3000)})
    answer = done(client.call("list_projects"))
    assert answer["partial"] is True and len(answer["projects"]) > 500


def test_a_configured_collection_wins_and_renames_nobody(opened):
    client = opened({"a/b": {"min_batch": 1}})
    done(client.call("store_chunks", project="a/b", items=[passage(0)]))
    given = {
        "x/y": {"collection": "proj-a-b"},
        "a/b": {"min_batch": 1},
        "c/d": {"collection": "mine"},
        "e/f": {"collection": "proj-c-d"},
    }
    names = {id: each["collection"] for id, each in listed(opened(given)).items()}
    assert names["a/b"] == "proj-a-b" and names["c/d"] == "mine" and names["e/f"] == "proj-c-d"
    assert len(set(names.values())) == 4


def test_what_is_inspected_is_what_is_there(client, lab):
    empty = done(client.call("inspect_collection", project=lab))
    assert (empty["size"], empty["payload_keys"], empty["sample"]) == (0, [], [])
    source = {"path": "docs/clean-arch.pdf", "title": "Clean Architecture"}
    zotero = {"citekey": "clean2023", "tags": ["architecture"]}
    items = [passage(n, source=source, zotero=zotero, version="1") for n in range(7)]
    done(client.call("store_chunks", project=lab, items=items))
    inspected = done(client.call("inspect_collection", project=lab, sample=5))
    assert inspected["project"] == lab
    assert inspected["collection"] == f"proj-{lab.replace('/', '-')}"
    assert (inspected["size"], inspected["embed_model"], inspected["dimension"]) == (7, OWN, 256)
    assert inspected["payload_keys"] == ["project", "source", "zotero", "doc", "embed_model", "version", "fulltext"]
    assert {"project", "zotero.tags"} <= set(inspected["indexes"]["keyword"])
    assert inspected["indexes"]["fulltext"] == ["fulltext"]
    assert len(inspected["sample"]) == 5
    first = inspected["sample"][0]
    assert {name: first[name] for name in ("project", "source", "zotero")} == {
        "project": lab,
        "source": source,
        "zotero": zotero,
    }
    assert first["id"] and "fulltext" not in first and "Passage" not in str(inspected)
    assert done(client.call("inspect_collection", project=lab))["sample"] == []


@pytest.mark.parametrize("sample", [-1, 6])
def test_a_sample_is_at_most_five(client, lab, sample):
    refused(client.call("inspect_collection", project=lab, sample=sample), "INVALID_ARGUMENT")


def test_projects_come_from_a_citeloom_toml_too(opened, tmp_path):
    (tmp_path / "mine.toml").write_text(
        '[project."citeloom/clean-arch"]\ncollection = "clean"\nembedding_model = "acme/x"\nhybrid_enabled = false\n'
        'references_json = "refs/clean.json"\n\n[project."other/one"]\nmin_batch = 1\n'
    )
    client = opened({"citeloom/clean-arch": {"hybrid_enabled": True}}, toml=str(tmp_path / "mine.toml"))
    told = listed(client)
    assert list(told) == ["citeloom/clean-arch", "other/one"]
    clean = told["citeloom/clean-arch"]
    assert (clean["collection"], clean["embed_model"], clean["hybrid_enabled"]) == ("clean", "acme/x", True)
    assert done(client.call("store_chunks", project="other/one", items=[passage(0)]))["chunks_written"] == 1


def test_the_stored_binding_holds_over_a_changed_setting(opened):
    done(opened({"a/b": {"min_batch": 1}}).call("store_chunks", project="a/b", items=[passage(0)]))
    client = opened({"a/b": {"min_batch": 1, "embedding_model": "acme/new"}})
    assert listed(client)["a/b"]["embed_model"] == OWN
    assert done(client.call("find_chunks", project="a/b", query="passage"))["count"] == 1
    error = refused(
        client.call("store_chunks", project="a/b", items=[passage(0, embed_model="acme/new")]), "EMBEDDING_MISMATCH"
    )
    assert error["details"]["expected_model"] == OWN


def test_two_models_live_side_by_side(opened):
    client = opened({"a/own": {"min_batch": 1}, "a/other": {"min_batch": 1, "embedding_model": "acme/2"}})
    foreign = {"text": "Entities.", "embedding": [1, 2], "metadata": {"embed_model": "acme/2"}}
    done(client.call("store_chunks", project="a/own", items=[passage(0)]))
    done(client.call("store_chunks", project="a/other", items=[foreign]))
    assert {id: (each["embed_model"], each["dimension"]) for id, each in listed(client).items()} == {
        "a/own": (OWN, 256),
        "a/other": ("acme/2", 2),
    }
    assert done(client.call("find_chunks", project="a/own", query="passage"))["count"] == 1


MIGRATING = {"a/b": {"min_batch": 1}}


def test_a_migration_to_a_model_the_server_has_embeds_everything_again(opened):
    client = opened({"a/b": {"min_batch": 1, "embedding_model": "acme/2"}})
    old = {
        "id": "old",
        "text": "Entities and value objects.",
        "embedding": [1, 2],
        "metadata": {"embed_model": "acme/2"},
    }
    done(client.call("store_chunks", project="a/b", items=[old]))
    new = {"id": "new", "text": "The ledger of payments.", "metadata": {"embed_model": OWN}}
    refused(client.call("store_chunks", project="a/b", items=[new]), "EMBEDDING_MISMATCH")
    answer = done(client.call("store_chunks", project="a/b", items=[new], migrate=True))
    assert answer == {"chunks_written": 1, "project": "a/b", "embed_model": OWN, "warnings": []}
    found = done(client.call("find_chunks", project="a/b", query="entities and value objects"))["items"]
    assert [each["id"] for each in found] == ["old", "new"] and found[0]["score"] > 0.8
    inspected = done(client.call("inspect_collection", project="a/b", sample=5))
    assert inspected["dimension"] == 256 and {each["embed_model"] for each in inspected["sample"]} == {OWN}


def test_a_migration_to_a_model_the_server_has_not_drops_and_counts(opened):
    client = opened(MIGRATING)
    done(client.call("store_chunks", project="a/b", items=[passage(n) for n in range(4)]))
    new = {"id": "new", "text": "The ledger.", "embedding": [1, 2], "metadata": {"embed_model": "acme/2"}}
    answer = done(client.call("store_chunks", project="a/b", items=[new], migrate=True))
    assert answer["embed_model"] == "acme/2" and len(answer["warnings"]) == 1 and "4 chunks" in answer["warnings"][0]
    inspected = done(client.call("inspect_collection", project="a/b", sample=5))
    assert (inspected["size"], inspected["embed_model"], inspected["dimension"]) == (1, "acme/2", 2)
    refused(client.call("find_chunks", project="a/b", query="ledger"), "INDEX_UNAVAILABLE")


def test_a_migration_leads_to_one_model(opened):
    client = opened(MIGRATING)
    done(client.call("store_chunks", project="a/b", items=[passage(0)]))
    items = [{"text": "x", "embedding": [1], "metadata": {"embed_model": name}} for name in ("acme/1", "acme/2")]
    refused(client.call("store_chunks", project="a/b", items=items, migrate=True), "INVALID_ARGUMENT")
    short = [{"text": "x", "embedding": vector, "metadata": {"embed_model": "acme/1"}} for vector in ([1, 2], [1])]
    refused(client.call("store_chunks", project="a/b", items=short, migrate=True), "INVALID_ARGUMENT")
    assert done(client.call("find_chunks", project="a/b", query="passage"))["count"] == 1


def test_the_prefixed_names_are_served_without_the_toolset(opened):
    client = opened({"a/b": {"min_batch": 1}}, toolset="")
    names = {tool["name"] for tool in client.tools()}
    assert {
        f"chunks.{name}"
        for name in ("store_chunks", "find_chunks", "query_hybrid", "inspect_collection", "list_projects")
    } <= names
    assert done(client.call("chunks.store_chunks", project="a/b", items=[passage(0)]))["chunks_written"] == 1
    assert done(client.call("chunks.find_chunks", project="a/b", query="passage"))["count"] == 1


def test_a_citeloom_toml_beside_the_configuration_is_read_and_doctor_tells_what_is_wrong(tmp_path):
    (tmp_path / "mine.yaml").write_text("plugins: {chunks: {enabled: true, projects: {a/b: {min_batch: 1}}}}\n")
    (tmp_path / "citeloom.toml").write_text('[project."x/y"]\nmin_batch = 1\n')

    def run(*arguments):
        command = [str(Path(sys.executable).parent / "wekadocs-mcp"), "--config", str(tmp_path / "mine.yaml")]
        environment = {**os.environ, "WEKADOCS_DATA": str(tmp_path / "data"), "HOME": str(tmp_path)}
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, env=environment, cwd="/")
        return done.stdout + done.stderr

    listed = json.loads(run("call", "chunks.list_projects"))["projects"]
    assert [each["id"] for each in listed] == ["a/b", "x/y"]
    for project in ("a/b", "x/y"):
        run("call", "chunks.store_chunks", json.dumps({"project": project, "items": [passage(0)]}))
    assert "2 projects, 2 of them with chunks" in run("doctor")
    (tmp_path / "citeloom.toml").write_text('[project."x/y"]\nembedding_model = "acme/new"\ncollection = "../x"\n')
    told = run("doctor")
    assert f"x/y: the collection is bound to {OWN}, the settings say acme/new; the former holds" in told
    assert "collection: '../x' is not what it takes" in told
    (tmp_path / "citeloom.toml").write_text(
        '[project."x/y"]\nmin_batch = 501\nmax_chars_per_chunk = 3\nhybrid_enabled = "yes"\nbogus = 1\n'
        '[project."no good"]\n'
    )
    told = run("doctor")
    for key in ("min_batch: 501", "max_chars_per_chunk: 3", "hybrid_enabled: 'yes'"):
        assert f"{key} is not what it takes and was left out" in told
    assert "bogus: not understood" in told and "[project.'no good'] is no project" in told
    (tmp_path / "citeloom.toml").write_text('[project."x/y"]\nreferences_json = "gone.json"\n')
    assert "x/y: references: there is no file gone.json" in run("doctor")
    (tmp_path / "citeloom.toml").write_text("no toml at all")
    assert "citeloom.toml" in run("doctor") and "a/b" in run("call", "chunks.list_projects")
