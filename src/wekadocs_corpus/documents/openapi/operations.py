"""One operation of an API: what it takes and what it answers, alike for OpenAPI 3 and Swagger 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .schemas import Json, Schemas, described, mapping, words

Labelled = tuple[str, list[list[str]]]


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    said: Json
    shared: Json  # what its path says for all of its methods
    whole: Json
    schemas: Schemas

    def named(self) -> str:
        name, tags = words(self.said.get("operationId")), self.said.get("tags")
        listed = [str(each) for each in tags] if isinstance(tags, list) else []
        told = [f"Operation `{name}`" if name else "", f"tags: {', '.join(listed)}" if listed else ""]
        found = "; ".join(each for each in told if each)
        return f"{found[0].upper()}{found[1:]}." if found else ""

    def _parameters(self) -> list[Json]:
        """Its own go over those of its path."""
        found: dict[tuple[str, str], Json] = {}
        for listed in (self.shared.get("parameters"), self.said.get("parameters")):
            for each in listed if isinstance(listed, list) else []:
                given = self.schemas.resolved(each)
                found[words(given.get("name")), words(given.get("in"))] = given
        return [*found.values()]

    def parameters(self) -> list[list[str]]:
        return [self._parameter(each) for each in self._parameters() if each.get("in") != "body"]

    def _parameter(self, said: Json) -> list[str]:
        schema = mapping(said.get("schema")) or said  # Swagger 2 has the type beside the name
        told = described({**self.schemas.resolved(schema), "description": words(said.get("description"))})
        needed = "yes" if said.get("required") is True else "no"
        return [f"`{words(said.get('name'))}`", words(said.get("in")), self.schemas.type_of(schema), needed, told]

    def bodies(self) -> Iterator[Labelled]:
        """What is sent, by media type."""
        body = self.schemas.resolved(self.said.get("requestBody"))
        needed = ", required" if body.get("required") is True else ""
        for kind, content in mapping(body.get("content")).items():
            schema = mapping(content).get("schema")
            yield f"Request body ({kind}{needed}), {self.schemas.type_of(schema)}:", self.schemas.rows(schema)
        for each in self._parameters():
            if each.get("in") == "body":
                schema = each.get("schema")
                yield f"Request body, {self.schemas.type_of(schema)}:", self.schemas.rows(schema)

    def _responses(self) -> Iterator[tuple[str, Json]]:
        for status, given in mapping(self.said.get("responses")).items():
            yield str(status), self.schemas.resolved(given)

    def responses(self) -> list[list[str]]:
        return [[status, words(said.get("description")), self._content(said)] for status, said in self._responses()]

    def _content(self, said: Json) -> str:
        contents = mapping(said.get("content"))
        if said.get("schema") is not None:
            return self.schemas.type_of(said["schema"])
        return ", ".join(
            f"{kind}: {self.schemas.type_of(mapping(each).get('schema'))}" for kind, each in contents.items()
        )

    def answers(self) -> Iterator[Labelled]:
        """The fields of each answer; alike ones, as of several media types, once."""
        seen: list[list[list[str]]] = []
        for status, said in self._responses():
            contents = [mapping(each).get("schema") for each in mapping(said.get("content")).values()]
            for schema in (said.get("schema"), *contents):
                rows = self.schemas.rows(schema) if schema is not None else []
                if rows and rows not in seen:
                    seen.append(rows)
                    yield f"Response {status}, {self.schemas.type_of(schema)}:", rows
