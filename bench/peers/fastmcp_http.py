"""FastMCP on HTTP."""

from fastmcp_server import build
from listening import listen

listen(build().http_app(path="/_mcp"))
