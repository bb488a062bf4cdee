"""Every kind of content a tool can return, and an error."""

from __future__ import annotations

from wekadocs_mcp import Answer, Call, ToolError, tool

from .blocks import audio, image, resource, says, text


@tool("test_simple_text")
async def simple_text(_: Call) -> Answer:
    return says("This is a simple text response for testing.")


@tool("test_image_content")
async def image_content(_: Call) -> Answer:
    return Answer(content=[image()])


@tool("test_audio_content")
async def audio_content(_: Call) -> Answer:
    return Answer(content=[audio()])


@tool("test_embedded_resource")
async def embedded_resource(_: Call) -> Answer:
    words = "This is an embedded resource content."
    return Answer(content=[resource("test://embedded-resource", "text/plain", words)])


@tool("test_multiple_content_types")
async def multiple_content_types(_: Call) -> Answer:
    data = resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return Answer(content=[text("Multiple content types test:"), image(), data])


@tool("test_error_handling")
async def error_handling(_: Call) -> Answer:
    raise ToolError("INTENTIONAL", "This tool intentionally returns an error for testing")


TOOLS = (simple_text, image_content, audio_content, embedded_resource, multiple_content_types, error_handling)
