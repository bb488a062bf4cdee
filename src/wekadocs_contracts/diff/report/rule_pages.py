"""A page for each rule, and one that lists them all: rendered from the rules' own table, so that they cannot drift."""

from __future__ import annotations

from wekadocs_contracts.diff.rules.severity import FILE, LEVELS
from wekadocs_contracts.diff.rules.table import KEYWORDS, RULES, STRICTNESS, Rule, kebab

FOLDER = "diff-rules"
_MADE = "<!-- Made by `wekadocs-mcp contracts docs`. -->"
_BY_PROOF = {
    "narrowed": ("breaking where a call that worked is refused now, with that call; else safe", "additive, or safe"),
    "widened": ("additive, or safe",
                "breaking where an answer may come that was excluded, with that answer; else safe"),
    "changed": ("breaking where a call that worked is refused now, with that call; else additive or safe",
                "breaking where an answer may come that was excluded, with that answer; else additive or safe"),
}  # fmt: skip
_KEYWORDS = {kebab(keyword): keyword for keyword in KEYWORDS}


def rule_pages() -> dict[str, str]:
    """File name → text, below the reference."""
    pages = {f"{FOLDER}/{rule.id}.md": _page(rule) for rule in RULES.values()}
    return {f"{FOLDER}/README.md": _index(), **pages}


def _index() -> str:
    lines = ["# Rules of `contracts diff`", "", _MADE, ""]
    lines += ["What each of them weighs can be [set](../../how-to/diff-contracts.md#weigh-rules-differently).", ""]
    for category in dict.fromkeys(rule.category for rule in RULES.values()):
        lines += [f"## {category}", "", "| rule | at most | why |", "|---|---|---|"]
        mine = [rule for rule in RULES.values() if rule.category == category]
        lines += [f"| [{rule.id}]({rule.id}.md) | {_most(rule)} | {rule.reason} |" for rule in mine]
        lines.append("")
    return "\n".join(lines)


def _page(rule: Rule) -> str:
    lines = [f"# {rule.id}", "", _MADE, "", f"{rule.reason[0].upper()}{rule.reason[1:]}.", ""]
    lines += [f"**Fix:** {rule.fix}.", "", *_verdicts(rule), "", "| strictness | it is |", "|---|---|"]
    lines += [f"| {level} | {rule.levels.get(level) or _most(rule)} |" for level in STRICTNESS]
    lines += ["", *_settings(rule), "", "[All rules](README.md)", ""]
    return "\n".join(lines)


def _most(rule: Rule) -> str:
    return {"none": "safe"}.get(rule.usual, rule.usual)


def _verdicts(rule: Rule) -> list[str]:
    stem, _, effect = rule.id.rpartition("-")
    if stem not in _KEYWORDS or effect not in _BY_PROOF:
        return [f"It is {_most(rule)}; about {rule.category}."]
    arguments, answers = _BY_PROOF[effect]
    about = f"It names a change of `{_KEYWORDS[stem]}`; whether that hurts anybody is proven."
    return [about, "", f"- In arguments: {arguments}.", f"- In answers: {answers}."]


def _settings(rule: Rule) -> list[str]:
    if rule.category == "internal":
        return ["It has no level of its own: `--allow-unproven` accepts it for one run, its fingerprint for longer."]
    snippet = ["```yaml", "severity:", f"  {rule.id}: warning", "```"]
    return [f"In `{FILE}` beside the contracts it can be {', '.join(LEVELS)}:", "", *snippet]
