# Terms of a Markdown list, `- **term**: definition`; what is misspelt is told with what looks most like it.
import difflib
import re
from pathlib import Path

from wekadocs_mcp import tool

FILE = Path(__file__).parent / "glossary.md"
ENTRY = re.compile(r"^- \*\*([^*\n]{1,100})\*\*: (.{1,1000})$", re.MULTILINE)


@tool("terms.define")
def define(call, term):
    known = {name.casefold(): (name, text) for name, text in ENTRY.findall(FILE.read_text("utf-8"))}
    if found := known.get(term.strip().casefold()):
        return {"term": found[0], "definition": found[1], "near": []}
    near = difflib.get_close_matches(term.strip().casefold(), known, n=3)
    return {"term": term, "definition": None, "near": [known[each][0] for each in near]}
