"""From what a handler returned to what goes on the wire: checked, counted, put into words."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from wekadocs_contracts.format import templates
from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.format.explain import Violation, expectation
from wekadocs_mcp.catalogue.served import ServedTool
from wekadocs_mcp.errors import ToolError
from wekadocs_mcp.plugins.tools import Answer, InputRequired
from wekadocs_text import one_line

from . import blocks
from .budgets import to_json
from .telemetry import frames

log = logging.getLogger("wekadocs.answer")
_MAX_LINES = 40
_MAX_ERROR_BYTES = 16_384  # a failure, too, must not flood a model's context
_MAX_MESSAGE = 4_000
_WARNINGS = "_warnings"
WARNINGS_META_KEY = "dev.wekadocs/warnings"


class BrokenPromise(Exception):
    """A handler's answer that its contract does not allow; the pointer says where, never the value."""


@dataclass
class Outcome:
    """A finished call. `error` is the envelope of a failure the model can act on."""

    data: dict[str, Any] | None = None
    content: list[dict[str, Any]] = field(default_factory=list)
    error: dict[str, Any] | None = None
    input_required: InputRequired | None = None
    size: int = 0
    plain: bool = True  # no block in it but our own text
    why: str = ""  # of a mistake of ours: what the log has; never sent
    whole: dict[str, Any] | None = None  # the data, also where it is not sent
    meta: dict[str, Any] = field(default_factory=dict)  # of the result

    @property
    def code(self) -> str:
        return str(self.error["error"]["code"]) if self.error else "OK"


def failed(error: ToolError, contract: Contract | None = None) -> Outcome:
    """A failure as its contract has it told: its name for the code, fields beside it (the error's own win), a text."""
    beside, codes = (contract.failure, contract.error_codes) if contract else ({}, {})
    told = error.renamed(codes).envelope()
    if contract and "retryable" in (promised := contract.error_details.get(told["error"]["code"], {})):
        told["error"]["retryable"] = promised["retryable"]
    text = _envelope_text({"error": told["error"], **beside, **told}, beside)
    envelope = json.loads(text)
    texts = [*_error_text(contract, envelope["error"]), text]
    return Outcome(content=[_block(each) for each in texts], error=envelope, size=len(text))


def _error_text(contract: Contract | None, error: Mapping[str, object]) -> list[str]:
    """What a contract says before the envelope; a template that fails leaves the envelope alone."""
    if contract is None or contract.error_text is None:
        return []
    try:
        template = templates.answers().from_string(contract.error_text)
        text = templates.render_answer(contract.error_text, template, error).strip()
    except Exception as failure:
        log.warning("error_text of %s failed: %s", contract.name, frames(failure))
        return []
    return [text] if text and len(text) <= _MAX_ERROR_BYTES else []


def _block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _envelope_text(envelope: dict[str, Any], beside: Mapping[str, object]) -> str:
    """An error always reaches its reader, with what its contract promises: details that cannot go are left out."""
    write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str).encode
    try:
        text = write(envelope)
    except (TypeError, ValueError, RecursionError) as error:
        log.warning("the details of a %s are not JSON (%s)", envelope["error"]["code"], type(error).__name__)
        text = write({**beside, "error": {**envelope["error"], "details": {}}})
    if len(text) > _MAX_ERROR_BYTES:
        log.warning("a %s has %d characters: its details are left out", envelope["error"]["code"], len(text))
        message = envelope["error"]["message"]
        short = message if len(message) <= _MAX_MESSAGE else f"{message[:_MAX_MESSAGE]}…"
        text = write({**beside, "error": {**envelope["error"], "message": short, "details": {}}})
    return text.encode("utf-8", "replace").decode()


def finish(tool: ServedTool, structured: bool, brief: bool, links: bool, alone: bool, returned: object) -> Outcome:
    """Check the answer against contract and budget, and write its text; `alone`: no structure will go with it."""
    if isinstance(returned, InputRequired):
        return Outcome(input_required=returned, plain=False)
    if not isinstance(returned, Answer | Mapping):
        raise BrokenPromise(f"it returned {type(returned).__name__}, not a dict or an Answer")
    answer = returned if isinstance(returned, Answer) else Answer(returned)
    is_json = _is_json(tool, structured, brief, alone)
    answer, is_told = _warned(tool, answer, is_json)
    data, raw = _checked(tool, answer)
    content: list[dict[str, Any]] = []
    if data is not None:
        content.append(_block(_json(tool, data, raw) if is_json else _told(tool, answer, data, raw, brief)))
    if answer.warnings and not is_told:
        content.append(_block(to_json({_WARNINGS: answer.warnings}).decode()))
    further = _further(answer)
    content.extend(block for block in further if links or block["type"] != "resource_link")
    ours = not (answer.content or answer.links)
    return Outcome(data if structured else None, content, size=len(raw), plain=ours, whole=data, meta=_meta(answer))


def _told(tool: ServedTool, answer: Answer, data: dict[str, object], raw: bytes, brief: bool) -> str:
    """The handler's own text, where it wrote one that fits."""
    own = (answer.text or "").encode("utf-8", "replace")
    if own.strip() and not brief and len(own) <= tool.response_bytes:
        return own.decode()
    return _text(tool, data, raw, brief)


def _warned(tool: ServedTool, answer: Answer, is_json: bool) -> tuple[Answer, bool]:
    """With its warnings in the object that is the text, else beside it; and whether the text tells them."""
    if not answer.warnings or not isinstance(answer.data, Mapping):
        return answer, False
    name = tool.contract.text_field
    inner = answer.data.get(name) if name else answer.data
    told: dict[str, Any] = {_WARNINGS: [*answer.warnings]}
    if name and isinstance(inner, Mapping):
        told = {name: {**inner, **told}}
    return replace(answer, data={**answer.data, **told}), is_json and isinstance(inner, Mapping)


def _meta(answer: Answer) -> dict[str, Any]:
    if why := blocks.json_problem([answer.meta, answer.warnings]):
        raise BrokenPromise(f"the meta of its answer {why}")
    return {**answer.meta, **({WARNINGS_META_KEY: [*answer.warnings]} if answer.warnings else {})}


def _further(answer: Answer) -> list[dict[str, Any]]:
    """The blocks that the handler wrote itself, as any client can read them."""
    if not answer.content and not answer.links:
        return []
    placed = [(f"content[{index}]", block) for index, block in enumerate(answer.content)]
    placed += [(f"links[{index}]", _linked(link)) for index, link in enumerate(answer.links)]
    for place, block in placed:
        if why := blocks.block_problem(block):
            raise BrokenPromise(f"{place} of its answer {why}")
    return [dict(block) for _, block in placed]


def _linked(link: object) -> Any:
    return {"type": "resource_link", **link} if isinstance(link, Mapping) else link


def _checked(tool: ServedTool, answer: Answer) -> tuple[dict[str, Any] | None, bytes]:
    checker = tool.check_output
    if answer.data is None:
        if checker is not None:
            raise BrokenPromise("it returned no data, but its contract has an output")
        return None, b""
    if not isinstance(answer.data, Mapping):
        raise BrokenPromise(f"the data of its Answer is of type {type(answer.data).__name__}, not a dict")
    data = answer.data if isinstance(answer.data, dict) else dict(answer.data)
    try:
        raw = to_json(data)
        fits = checker is None or checker.fits(data)
    except (TypeError, ValueError, RecursionError):
        raise BrokenPromise(
            f"its answer {blocks.json_problem(data) or 'is not JSON: a name in it is no text'}"
        ) from None
    if not fits and checker is not None:
        found = [_broken(each) for each in checker.violations(data)[:5]]
        raise BrokenPromise(f"its answer breaks the output schema: {', '.join(found)}")
    if len(raw) > tool.response_bytes:
        message = f"The answer has {len(raw)} bytes; {tool.name} may give {tool.response_bytes}. Ask for less: fewer results, a narrower query."  # noqa: E501
        raise ToolError("BUDGET_EXCEEDED", message, {"bytes": len(raw), "response_bytes": tool.response_bytes})
    return data, raw


def _broken(violation: Violation) -> str:
    """Where, and what the contract wants there; never what the answer has."""
    place = "".join(f"/{one_line(str(part))}" for part in violation.pointer)
    if violation.keyword == "required":
        return f"{place}/{violation.expected} is missing"
    if violation.at_key:
        return f"{place or '/'} is in no schema"
    wanted = "" if violation.expected is None else f" {expectation(violation.expected, violation.keyword)}"
    return f"{place or '/'} ({violation.keyword}{wanted})"


def text_of(tool: ServedTool, data: Mapping[str, object]) -> str:
    """What a model reads of such an answer."""
    raw = to_json(data)
    is_json = _is_json(tool, structured=True, brief=False, alone=False)
    return _json(tool, data, raw) if is_json else _text(tool, dict(data), raw, brief=False)


def _is_json(tool: ServedTool, structured: bool, brief: bool, alone: bool) -> bool:
    """Whether the text is JSON: for lack of a structure beside it, or because the contract says so."""
    if not structured or (alone and tool.contract.text_alone == "json"):
        return True
    return tool.contract.text == "json" and not brief


def _json(tool: ServedTool, data: Mapping[str, object], raw: bytes) -> str:
    name = tool.contract.text_field
    return to_json(data.get(name)).decode() if name else raw.decode()


def _text(tool: ServedTool, data: dict[str, object], raw: bytes, brief: bool) -> str:
    """What a model reads when its host shows it no structure: never empty, never over the budget."""
    if brief:
        return _one_line(tool, data)
    if tool.contract.text is None:
        return plain(data) or _one_line(tool, data)
    try:
        text = templates.render_answer(tool.contract.text, tool.text_template, data).strip()
    except Exception as error:
        log.warning("text template of %s failed: %s", tool.contract.name, frames(error))
        return raw.decode()
    if not text or len(text.encode("utf-8", "replace")) > tool.response_bytes:
        return _one_line(tool, data)
    return text


def _one_line(tool: ServedTool, data: Mapping[str, object]) -> str:
    counts = [f"{len(value)} {name}" for name, value in data.items() if isinstance(value, list)]
    return f"{tool.title}: {', '.join(counts) or 'done'}."


def plain(data: Mapping[str, object]) -> str:
    """A plain default text: one line a field, one line a row."""
    lines: list[str] = []
    for name, value in data.items():
        if isinstance(value, list):
            lines.extend(f"{name}[{index}]: {_inline(item)}" for index, item in enumerate(value[:_MAX_LINES]))
            if len(value) > _MAX_LINES:
                lines.append(f"{name}: {len(value) - _MAX_LINES} more in structuredContent")
        else:
            lines.append(f"{name}: {_inline(value)}")
    return "\n".join(lines)


def _inline(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_inline(child)}" for name, child in value.items())
    if isinstance(value, str):
        return str.__str__(value)  # of an enum's member the text, not the Python name
    if isinstance(value, list):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    return json.dumps(value)
