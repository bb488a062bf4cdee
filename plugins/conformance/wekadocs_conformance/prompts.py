"""Prompts with and without arguments, with embedded content, and one that needs input first."""

from __future__ import annotations

from typing import Any

from wekadocs_mcp import Call, InputRequired, Prompt, PromptArgument

from .blocks import Block, image, resource, text
from .questions import elicitation, entered, input_required, response_to

Messages = list[dict[str, Any]]


def _user(*blocks: Block) -> Messages:
    return [{"role": "user", "content": block} for block in blocks]


async def _simple(_: Call) -> str:
    return "This is a simple prompt for testing."


async def _with_arguments(_: Call, arg1: str, arg2: str) -> str:
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


async def _complete(_: Call, argument: str, value: str) -> list[str]:
    known = ("paris", "park", "party") if argument == "arg1" else ()
    return [each for each in known if each.startswith(value)]


async def _with_resource(_: Call, resourceUri: str) -> Messages:
    embedded = resource(resourceUri, "text/plain", "Embedded resource content for testing.")
    return _user(embedded, text("Please process the embedded resource above."))


async def _with_image(_: Call) -> Messages:
    return _user(image(), text("Please analyze the image above."))


async def _with_input(call: Call) -> str | InputRequired:
    response = response_to(call, "user_context")
    if response is None:
        question = elicitation("What context should the prompt use?", {"context": {"type": "string"}})
        return input_required(call, {"user_context": question})
    return f"Use this context: {entered(response, 'context')}"


def _required(name: str, description: str) -> PromptArgument:
    return PromptArgument(name, description, required=True)


PROMPTS = (
    Prompt("test_simple_prompt", "A prompt without arguments.", _simple),
    Prompt(
        "test_prompt_with_arguments",
        "A prompt with two arguments.",
        _with_arguments,
        [_required("arg1", "First test argument"), _required("arg2", "Second test argument")],
        complete=_complete,
    ),
    Prompt(
        "test_prompt_with_embedded_resource",
        "A prompt with a resource in it.",
        _with_resource,
        [_required("resourceUri", "URI of the resource to embed")],
    ),
    Prompt("test_prompt_with_image", "A prompt with an image in it.", _with_image),
    Prompt("test_input_required_result_prompt", "A prompt that asks for its context first.", _with_input),
)
