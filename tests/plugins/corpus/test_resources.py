"""Documents and sections as resources: within the scope, in parts when long, with completion; in both eras."""

import asyncio

import pytest
from mcp import MCPError
from mcp.types import ResourceTemplateReference

from wekadocs_mcp.testing import app_from, connect

DOCUMENT, SECTION = "wekadocs://doc/{+path}{?start,document}", "wekadocs://doc/{+path}#{section}"
SCOPE = {"project_id": "wekadocs-matrix", "environment": "prod"}
HOSTILE = [
    "wekadocs://doc/../guide/a%20page.md",
    "wekadocs://doc//etc/passwd",
    "wekadocs://doc/%2e%2e/%2e%2e/etc/passwd",
    "wekadocs://doc/guide/a%20page.md%00",
    "wekadocs://doc/guide",
    "wekadocs://doc/",
    "wekadocs://doc/guide/a%20page.md#nothing",
    "wekadocs://doc/guide/a%20page.md#",
    "wekadocs://doc/guide/a%20page.md?start=-1",
    "wekadocs://doc/guide/a%20page.md?start=1e3",
    "wekadocs://doc/guide/a%20page.md?start=999999999",
    "wekadocs://doc/guide/a%20page.md?start=99999999999999999999",
    "wekadocs://doc/%27%20OR%201=1--",
]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory, take_in):
    folder, data = tmp_path_factory.mktemp("docs"), tmp_path_factory.mktemp("data")
    (folder / "guide").mkdir()
    page = (
        "---\ndoc_tag: open\n---\n# A page\n\nFirst.\n\n## Cats\n\nPurr.\n\n### Kittens\n\nMew.\n\n## Dogs\n\nBark.\n"
    )
    (folder / "guide" / "a page.md").write_text(page, "utf-8")
    (folder / "guide" / "long.md").write_text("# Long\n\n" + "Zebra crossing.\n\n" * 6000 + "The end.\n", "utf-8")
    take_in(data, folder)
    other = tmp_path_factory.mktemp("elsewhere") / "second"
    (other / "guide").mkdir(parents=True)
    (other / "guide" / "long.md").write_text("# Another\n\nShort.\n", "utf-8")
    (other / "guide" / "other.md").write_text("# Other\n\nShort.\n", "utf-8")
    take_in(data, other)
    return data


@pytest.fixture(scope="module", params=["modern", "legacy"])
def ask(request, indexed):
    """`ask(lambda client: …, **config)`: with a client of the era."""

    def asking(work, **config):
        async def main():
            async with connect(app_from({"extends": "shipped", **config}, data_dir=indexed), request.param) as client:
                try:
                    return await work(client), None
                except MCPError as error:  # as it is, not in a group of those that the client's tasks had
                    return None, error

        got, error = asyncio.run(main())
        if error is not None:
            raise error
        return got

    return asking


def read(ask, uri, **config):
    return ask(lambda client: client.read_resource(uri), **config).contents


def test_a_document_and_a_section_with_those_below_it_are_read(ask):
    (document,) = read(ask, "wekadocs://doc/guide/a%20page.md")
    assert document.text.startswith("# A page\n") and document.text.endswith("Bark.\n")
    (section,) = read(ask, "wekadocs://doc/guide/a%20page.md#cats")
    assert section.text.strip() == "## Cats\n\nPurr.\n\n### Kittens\n\nMew."
    assert section.mime_type == "text/markdown"


def test_a_long_document_comes_in_parts_that_say_where_the_next_begins(ask):
    uri, texts = "wekadocs://doc/guide/long.md", []
    while uri is not None:
        text, *rest = read(ask, uri)
        assert len(text.text.encode()) <= 32768
        texts.append(text.text)
        uri = str(rest[0].uri) if rest else None
        assert not rest or str(rest[0].uri) in rest[0].text
    assert len(texts) > 2 and "".join(texts).count("Zebra crossing.") == 6000 and texts[-1].endswith("The end.\n")


def test_pages_of_one_name_in_two_folders_are_read_apart(ask):
    (other,) = read(ask, "wekadocs://doc/second/guide/long.md")
    assert other.text == "# Another\n\nShort.\n"


def test_hostile_and_unknown_addresses_are_refused_alike(ask):
    async def all_of_them(client):
        told = set()
        for uri in HOSTILE:
            with pytest.raises(MCPError) as caught:
                await client.read_resource(uri)
            told.add(caught.value.message)
        return told

    assert len(ask(all_of_them)) == 1


def test_what_is_out_of_scope_is_neither_read_nor_suggested(ask):
    narrow = {"scope": {**SCOPE, "doc_tags": ["open"]}}
    assert read(ask, "wekadocs://doc/guide/a%20page.md", **narrow)
    with pytest.raises(MCPError):
        read(ask, "wekadocs://doc/second/guide/other.md", **narrow)
    reference = ResourceTemplateReference(type="ref/resource", uri=DOCUMENT)
    found = ask(lambda client: client.complete(reference, {"name": "path", "value": "gui"}), **narrow)
    assert found.completion.values == ["guide/a page.md"]


def test_paths_and_anchors_are_completed(ask):
    async def both(client):
        listed = await client.list_resource_templates()
        assert {DOCUMENT, SECTION} <= {each.uri_template for each in listed.resource_templates}
        reference = ResourceTemplateReference(type="ref/resource", uri=SECTION)
        paths = await client.complete(reference, {"name": "path", "value": "guide/"})
        chosen = {"path": "guide/a page.md"}
        anchors = await client.complete(reference, {"name": "section", "value": "c"}, context_arguments=chosen)
        return paths.completion.values, anchors.completion.values

    assert ask(both) == (["guide/a page.md", "guide/long.md"], ["cats"])
