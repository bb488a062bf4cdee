"""A JSON Schema as rows of a Markdown table: one for each argument, field or setting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wekadocs_contracts.format.schemas import Schema, resolved
from wekadocs_text import as_json, one_line

MADE = "<!-- Made by `wekadocs-mcp contracts docs`; change the source it names, not this page. -->"
_LIMITS = {
    "minimum": "≥ {}", "maximum": "≤ {}", "exclusiveMinimum": "> {}", "exclusiveMaximum": "< {}",
    "minLength": "≥ {} characters", "maxLength": "≤ {} characters", "minItems": "≥ {} items", "maxItems": "≤ {} items",
    "pattern": "`{}`",
}  # fmt: skip


def table(schema: Schema) -> list[str]:
    """Key, type, default, limits and meaning of everything that a file may say."""
    lines = ["| key | type | default | limits | meaning |", "|---|---|---|---|---|"]
    for row in rows(schema, schema):
        needed = " (required)" if row["required"] else ""
        lines.append(
            f"| `{row['name']}`{needed} | {row['type']} | {row['default']} | {row['limits']} | {row['description']} |"
        )
    return lines


def rows(root: Schema, schema: Schema, prefix: str = "", depth: int = 0) -> Iterator[dict[str, Any]]:
    """One row an argument or field, nested ones with their path."""
    node = resolved(root, schema)
    required = set(node.get("required", []))
    for name, child in node.get("properties", {}).items():
        found = resolved(root, child) if isinstance(child, dict) else {}
        path = f"{prefix}{name}"
        yield {
            "name": in_code(path),
            "required": name in required,
            "type": _type(root, found),
            "default": f"`{in_code(as_json(found['default']))}`" if "default" in found else "",
            "limits": _limits(found),
            "description": cell(str(found.get("description", ""))),
        }
        inner = resolved(root, found.get("items", {})) if found.get("type") == "array" else found
        if depth < 3 and isinstance(inner, dict) and inner.get("properties"):
            yield from rows(root, inner, f"{path}{'[]' if found.get('type') == 'array' else ''}.", depth + 1)


def _type(root: Schema, schema: Schema) -> str:
    if "enum" in schema:
        return " \\| ".join(f"`{in_code(as_json(value))}`" for value in schema["enum"])
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return " or ".join(_type(root, resolved(root, each)) for each in schema[keyword] if isinstance(each, dict))
    kind = "path" if schema.get("format") == "path" else schema.get("type", "any")
    if kind == "array":
        items = schema.get("items", {})
        return f"list of {_type(root, resolved(root, items))}" if items else "list"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _limits(schema: Schema) -> str:
    return cell(", ".join(text.format(schema[keyword]) for keyword, text in _LIMITS.items() if keyword in schema))


def cell(text: str) -> str:
    return one_line(" ".join(text.split())).replace("|", "\\|")


def in_code(name: str) -> str:
    """A name between backticks, in a table: nothing in it ends either."""
    return one_line(name).replace("`", "\\u0060").replace("|", "\\|")
