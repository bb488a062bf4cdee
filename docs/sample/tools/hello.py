from wekadocs_mcp import ToolError, tool


@tool("demo.hello")
async def hello(call, name, times):
    if not name.strip():
        raise ToolError("NO_NAME", "A name is needed: pass name='Ada'.", details={"name": name})
    return {"greeting": " ".join([f"Hello {name}!"] * times)}
