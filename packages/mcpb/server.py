"""Made by scripts/packages.py: what a host starts that does not know uvx."""

from wekadocs_mcp.entry import main

main()
