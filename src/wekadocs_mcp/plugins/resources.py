"""Resources and prompts as plugins declare them. Handlers get the same `call` as tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, TypeAlias

if TYPE_CHECKING:
    from wekadocs_mcp.calls.call import Call

    from .tools import InputRequired

# `Any`: each plugin's state is its own.
Content: TypeAlias = "str | bytes | Sequence[Mapping[str, Any]] | InputRequired"
Read: TypeAlias = "Callable[Concatenate[Call[Any], ...], Content | Awaitable[Content]]"
Messages: TypeAlias = "str | Sequence[Mapping[str, Any]] | InputRequired"
Get: TypeAlias = "Callable[Concatenate[Call[Any], ...], Messages | Awaitable[Messages]]"
Complete: TypeAlias = "Callable[Concatenate[Call[Any], ...], Iterable[str] | Awaitable[Iterable[str]]]"
# What the host says of a URI nobody has; a plugin that must not tell which of its URIs exist says the same.
NO_SUCH_RESOURCE = "There is no such resource, it has expired, or it is not yours to read."


@dataclass(frozen=True)
class Resource:
    """Something a client can read: a fixed `uri`, or a template with {variables} (RFC 6570).

    `read(call, **variables)` returns text, bytes, or a list of content dicts; raise `ToolError` for what is not there.
    `complete(call, argument, value)` returns values for a template's variable; a third parameter, `chosen`, gets the
    variables that the client has values for already, by name. Without a `mime_type`
    text is text/plain, and bytes are application/octet-stream.
    """

    uri: str
    name: str
    read: Read
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    annotations: Mapping[str, Any] | None = None
    complete: Complete | None = None

    @property
    def is_template(self) -> bool:
        return "{" in self.uri

    def wire(self) -> dict[str, Any]:
        shape = {
            "uriTemplate" if self.is_template else "uri": self.uri,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
            "size": None if self.is_template else self.size,
            "annotations": dict(self.annotations) if self.annotations else None,
        }
        return {key: value for key, value in shape.items() if value is not None}


@dataclass(frozen=True)
class PromptArgument:
    """What a prompt asks a person for."""

    name: str
    description: str = ""
    required: bool = False


@dataclass(frozen=True)
class Prompt:
    """A prompt a person can pick. `get(call, **arguments)` returns text or a list of message dicts.

    `complete(call, argument, value)` returns values for an argument. `tools` are the contracts it sends a model to:
    where one of them is off, the prompt is not offered.
    """

    name: str
    description: str
    get: Get
    arguments: Sequence[PromptArgument] = ()
    title: str | None = None
    complete: Complete | None = None
    tools: Sequence[str] = ()

    def wire(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"name": self.name, "description": self.description}
        if self.title:
            shape["title"] = self.title
        if self.arguments:
            shape["arguments"] = [
                {"name": each.name, "description": each.description, "required": each.required}
                for each in self.arguments
            ]
        return shape
