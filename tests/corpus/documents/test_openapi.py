"""Descriptions of APIs and tables: read so that what is quoted reads well."""

from __future__ import annotations

import json

import pytest

from wekadocs_corpus.documents import Unreadable, read_document
from wekadocs_corpus.model import ParsedDocument

PETS = """\
openapi: 3.0.3
info: {title: Pet store, version: 1.4.0, description: "# Welcome\\n\\nKeeps pets."}
servers: [{url: https://pets.example.com/v1}]
paths:
  /pets/{petId}:
    parameters:
      - {name: petId, in: path, required: true, schema: {type: integer, format: int64}, description: Which pet.}
    get:
      summary: Find a pet
      operationId: getPet
      parameters: [{$ref: '#/components/parameters/Verbose'}]
      responses:
        '200': {description: The pet., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    post:
      summary: Change a pet
      deprecated: true
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {'204': {description: Changed.}}
components:
  parameters:
    Verbose: {name: verbose, in: query, schema: {type: boolean, default: false}, description: All of it.}
  schemas:
    Pet:
      allOf: [{$ref: '#/components/schemas/Named'}]
      properties:
        kind: {type: string, enum: [cat, dog]}
        friends: {type: array, items: {$ref: '#/components/schemas/Pet'}}
    Named: {required: [name], properties: {name: {type: string, description: "What <b>it</b> is&nbsp;called."}}}
"""
SWAGGER = {
    "swagger": "2.0",
    "info": {"title": "Old", "version": "1"},
    "host": "old.example.com",
    "basePath": "/v1",
    "paths": {
        "/a": {
            "post": {
                "parameters": [
                    {"name": "q", "in": "query", "type": "string"},
                    {"name": "body", "in": "body", "schema": {"$ref": "#/definitions/A"}},
                ],
                "responses": {"200": {"description": "Done.", "schema": {"$ref": "#/definitions/A"}}},
            }
        }
    },
    "definitions": {"A": {"type": "object", "properties": {"n": {"type": "integer"}}}},
}


def read(name: str, text: str) -> ParsedDocument:
    return read_document(name, text.encode(), "d")


def section(document: ParsedDocument, title: str) -> str:
    found = next(each for each in document.sections if each.title == title)
    return document.text[found.start : found.end]


def test_an_operation_is_a_section_with_its_tables() -> None:
    pets = read("pets.yaml", PETS)
    titles = [each.title for each in pets.sections]
    assert titles == [
        "Pet store 1.4.0",
        "GET /pets/{petId}: Find a pet",
        "POST /pets/{petId}: Change a pet",
        "Schema Pet",
        "Schema Named",
    ]
    get, post = section(pets, titles[1]), section(pets, titles[2])
    assert "| `petId` | path | integer (int64) | yes | Which pet. |" in get
    assert "| `verbose` | query | boolean | no | All of it. Default: `false`. |" in get
    assert "| 200 | The pet. | application/json: Pet |" in get
    assert "Request body (application/json, required), Pet:" in post and "Deprecated." in post
    assert "| `name` | string | yes | What it is called. |" in post
    assert "| `kind` | string | no | One of `cat`, `dog`. |" in post
    assert post.count("`friends") == 1  # a schema is not opened in itself
    assert pets.source_lines == "1=0,8=7,33=13,57=22,67=27"


def test_swagger_reads_alike() -> None:
    old = read("swagger.json", json.dumps(SWAGGER, indent=1))
    text = section(old, "POST /a")
    assert "| `q` | query | string | no |  |" in text
    assert text.count("| `n` | integer | no |  |") == 2  # sent and answered
    assert "`old.example.com/v1`" in old.text


def test_what_describes_no_api_stays_plain_text() -> None:
    assert read("tools.yaml", "a: 1\n").text == "a: 1\n"
    with pytest.raises(Unreadable):
        read("broken.json", '{"openapi": "3.0.0", ')


def test_a_schema_of_endless_references_ends() -> None:
    loop = {
        f"S{n}": {"properties": {k: {"$ref": f"#/components/schemas/S{(n + 1) % 9}"} for k in "abc"}} for n in range(9)
    }
    loop["R"] = {"$ref": "#/components/schemas/R"}  # type: ignore[dict-item]
    whole = {
        "openapi": "3.1.0",
        "info": {},
        "paths": {
            "/x": {"get": {"responses": {"200": {"content": {"a/b": {"schema": {"$ref": "#/components/schemas/S0"}}}}}}}
        },
        "components": {"schemas": loop},
    }
    assert len(read("x.json", json.dumps(whole)).text) < 100_000


def test_rows_of_a_table_know_their_columns_and_lines() -> None:
    table = read("error-codes.csv", 'code;meaning\nE-17;Disk is full\nE-18;"Quota; of\na folder"\n\nE-19;x|y\n')
    assert table.title == "Error codes"
    assert table.text.splitlines() == [
        "| code | meaning |",
        "| --- | --- |",
        "| E-17 | Disk is full |",
        "| E-18 | Quota; of a folder |",
        "| E-19 | x\\|y |",
    ]
    assert table.source_lines == "1:0,4:5"
    assert read("n.tsv", "1\t2\n3\t4\n").text.startswith("| Column 1 | Column 2 |\n| --- | --- |\n| 1 | 2 |")
