"""One HTML file that needs nothing else: no script, no style, font or picture from anywhere. Everything is escaped."""

from __future__ import annotations

import json
from html import escape

from wekadocs_contracts.diff import tokens
from wekadocs_contracts.diff.ignore import Entry
from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_text import one_line, visible

from .json_format import headline, notes, summary_line
from .rows import Row, rows

_LABELS = {"breaking": "breaking", "unproven": "not proven", "additive": "additive", "docs": "docs", "none": "safe"}
_STYLE = """
:root { color-scheme: light dark; --line: #8885; --breaking: #c62828; --unproven: #b26a00; --additive: #2e7d32; --docs: #1565c0; --none: #777; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; border-left: 3px solid var(--line); margin: .5rem 0; padding: .2rem .8rem; }
article { border: 1px solid var(--line); border-left: 5px solid var(--kind); border-radius: 4px; margin: .8rem 0; padding: .6rem 1rem; }
h2 { font-size: 1rem; margin: 0; } p { margin: .3rem 0; } small { opacity: .75; } b { color: var(--kind); text-transform: uppercase; }
""".strip()  # noqa: E501
_HEAD = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">\n'
)


def write(outcome: Outcome) -> str:
    cost = tokens.total(outcome.costs)
    body = [f"<h1>{_text(headline(outcome))}</h1>", f"<p><code>{_text(summary_line(outcome))}</code></p>"]
    body += [f'<p style="--kind: var(--breaking)"><b>failed</b> {_text(each)}</p>' for each in outcome.failures]
    body += [f'<p style="--kind: var(--unproven)"><b>warning</b> {_text(each)}</p>' for each in outcome.warnings]
    body += [_article(row) for row in rows(outcome)]
    body += [f"<p><small>accepted: {_text(_accepted(*each))}</small></p>" for each in outcome.ignored]
    body += [f"<p><small>{_text(each)}</small></p>" for each in notes(outcome)]
    body.append(f"<p><small>tools/list: {cost.before} → {cost.after} tokens ({cost.increase:+d})</small></p>")
    title = f"<title>Contract diff: {_text(headline(outcome))}</title>\n<style>{_STYLE}</style></head><body>"
    return "\n".join([f"{_HEAD}{title}", *body, "</body></html>"])


def _accepted(change: Change, entry: Entry) -> str:
    return f"{change.tool}: {change.message} until {entry.expires} by {entry.owner}: {entry.reason}"


def _article(row: Row) -> str:
    lead = row.lead
    where = f" <small><code>{_text(row.place or lead.pointer)}</code></small>"
    tags = "".join(f" <small>[{_text(tag)}]</small>" for tag in row.tags)
    title = f"<b>{_LABELS[row.verdict]}</b> <code>{_text(row.who)}</code> {lead.direction}: {_text(row.sentence)}"
    lines = [f'<article style="--kind: var(--{row.verdict})"><h2>{title}{tags}</h2>', f"<p>{where}</p>"]
    lines += [f"<p>In {_text(row.names)}</p>"] if row.names else []
    if row.story:
        witness = visible(json.dumps(lead.witness, ensure_ascii=False, indent=1))
        lines += [f"<p>{_text(row.story[0].upper() + row.story[1:])}:</p><pre>{escape(witness)}</pre>"]
        lines += [f"<p>→ {_text(lead.explanation)}</p>"] if lead.explanation else []
    if row.why:
        lines.append(f"<p>Why: {_text(row.why)}. Fix: {_text(row.fix)}.</p>")
    rule = f'<a href="{escape(row.rule.url)}">{_text(row.rule.id)}</a>'
    needs = f" · needs {lead.bump_required}" if lead.bump_required not in (None, "none") else ""
    lines.append(f"<p><small>{rule} · {lead.proof}{needs} · {row.cause.fingerprint}</small></p></article>")
    return "\n".join(lines)


def _text(text: str) -> str:
    return escape(one_line(text))
