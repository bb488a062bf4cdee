"""openai.search: ids, titles and addresses of the pages that kb.search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_kit import document_uri
from wekadocs_mcp import tool

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus
    from wekadocs_mcp import Call


@tool("openai.search")
async def search(call: Call[Corpus], query: str) -> dict[str, Any]:
    most = call.limits["results"]
    found = await call.invoke("kb.search", {"query": query, "top_k": most, "page_size": most})
    return {
        "results": [
            {
                "id": row["section_id"],
                "title": row["title"],
                "url": row.get("url") or document_uri(row["path"], row["anchor"]),
            }
            for row in found["results"]
        ]
    }
