"""FastMCP on stdio."""

from fastmcp_server import build

build().run(transport="stdio", show_banner=False)
