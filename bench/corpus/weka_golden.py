"""The golden queries of the WEKA documentation in the form of `wekadocs-mcp eval`.

python bench/corpus/weka_golden.py FOLDER > golden.yaml     (FOLDER has golden_query_set.yaml and title_to_doc.json)
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml


def converted(folder: Path) -> dict[str, Any]:
    queries = yaml.safe_load((folder / "golden_query_set.yaml").read_text("utf-8"))["queries"]
    pages = json.loads((folder / "title_to_doc.json").read_text("utf-8"))
    return {"questions": [_question(each, pages) for each in queries]}


def _question(query: dict[str, Any], pages: dict[str, list[str]]) -> dict[str, Any]:
    """Any one of the expected pages will do."""
    wanted = [f"{page}.md" for title in query["expected_doc_titles"] for page in pages.get(title, ())]
    keywords = query.get("expected_keywords", []) if wanted else []
    return {
        "id": query["id"],
        "kind": query["type"],
        "question": query["text"],
        "document": wanted or None,
        "needs": "any",
        "keywords": [str(each) for each in keywords],
    }


if __name__ == "__main__":
    json.dump(converted(Path(sys.argv[1])), sys.stdout, indent=1)
