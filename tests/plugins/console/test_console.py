"""The console in a real browser, on a server that asks for its token and on documents that mean harm."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
TOKEN = "a-token-of-more-than-sixteen-characters"
QUOTED = "The warden eats lanterns 🔦 unless a lantern is lit with `xyzzy --light`."
HARM = '<img src=x onerror="window.harmed=1"><script>window.harmed=2</script>'
DOCUMENT = f"""---
title: "Grues {HARM}"
---
# Grues {HARM}

The grue eats lanterns of brass.

## Bait {HARM}

Follow [the lantern](javascript:window.harmed=3) or <a href="javascript:window.harmed=4">this one</a>.

```html
{HARM}
<iframe srcdoc="<script>parent.harmed=5</script>"></iframe>
```

| Lantern | Effect |
|---|---|
| brass {HARM} | `<svg onload="window.harmed=6">` |
"""

WELL = "البئر عميقة جدا"

# Before the quote stand characters that JavaScript counts twice.
FILLER = "Stalactites 🧟 grow by a millimetre in ten years, and nobody waits for them in the damp of the cave. " * 4
LONG = "# Caves\n\n" + "".join(f"## Chamber {at} 🧟🧟\n\n{QUOTED if at == 8 else FILLER}\n\n" for at in range(16))


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents") / "docs"
    folder.mkdir()
    (folder / "grues.md").write_text(DOCUMENT, "utf-8")
    (folder / "caves.md").write_text(LONG, "utf-8")
    (folder / "lamps.md").write_text(
        "# Lamps\n\nA lamp is no\n_lantern_; see [Grues](grues.md).  \nLamps burn \u202elio oil.\n", "utf-8"
    )
    (folder / "well.md").write_text(
        f"# بئر\n\n{WELL} والماء فيها *بارد* كما في [الدليل](https://ar.example/well_(water)).\n", "utf-8"
    )
    return folder


@pytest.fixture(scope="module")
def console(start, docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    own = tmp_path_factory.mktemp("server")
    (own / "mine.yaml").write_text(f"plugins:\n  console: {{folders: ['{docs}']}}\n", "utf-8")
    return start(own / "data", "--config", own / "mine.yaml", token=TOKEN)


@pytest.fixture(scope="module")
def page(console, browser) -> Any:
    """Logged in, with the folder taken in: both done as a user does it."""
    browser.open(console.page)
    browser.find("#token").type("not the token but long enough\n")
    browser.find(".wrong", "was not accepted")
    browser.find("#token").type(f"{TOKEN}\n")
    browser.find("h2", "Nothing is indexed yet")
    browser.find("a", "Add documents").click()
    browser.find("button", "Ingest").click()
    browser.find('[data-state="done"] .badge', "4 added", seconds=60)
    return browser


@pytest.fixture
def at(console, page) -> Any:
    """Goes to a page and expects that nothing was complained of until the test's end."""
    page.log()

    def go(name: str) -> Any:
        page.open(f"{console.page}#/{name}")
        page.find(f'.page[data-page="{name.partition("/")[0]}"] h1')
        return page

    yield go
    assert [each["message"] for each in page.log() if each["level"] == "SEVERE"] == []
    assert page.run("return window.harmed") is None


def asked(browser: Any, question: str) -> None:
    field = browser.find("#question")
    field.clear()
    field.type(f"{question}\n")
    browser.find("mark.current")


def letters(text: str) -> str:
    """Without the marks of Markdown, which the page hides or leaves out, and what names a block's language."""
    return re.sub(r"```\w*|\W", "", text)


def test_a_quote_is_marked_in_its_page_exactly_where_it_stands(at, console):
    browser = at("ask")
    question = "What does the warden eat unless a lantern is lit?"
    asked(browser, question)
    console.client.headers["authorization"] = f"Bearer {TOKEN}"
    quote = console.call("kb.retrieve_evidence", question=question)["structuredContent"]["quotes"][0]["quote"]
    marked = browser.run("return [...document.querySelectorAll('mark.current')].map(each => each.textContent).join('')")
    assert letters(marked) == letters(quote)
    assert QUOTED in marked
    assert len(letters(marked)) < len(letters(LONG)) / 2
    browser.find(".reader .badge.good", "hash checked")


def test_what_a_document_says_is_text_and_never_markup(at):
    browser = at("ask")
    asked(browser, "Which lanterns of brass does the grue eat?")
    shown = browser.find(".sheet").text
    assert "onerror" in shown  # in the block of code, as it was written
    at("tools/kb.search")
    browser.find("#arg-query").type("lantern brass bait")
    browser.find("button.primary", "Call").click()
    browser.find(".tabs pre", "lantern")
    for tab in browser.all(".tab-row button"):
        tab.click()
    at("graph")
    browser.find("#main input").type("Grues\n")
    browser.find(".node")
    for tag in ("script:not([src])", "iframe", "object", "img[onerror]", "a[href^='javascript']", "[onload]"):
        assert browser.all(tag) == []


def test_characters_that_turn_text_round_are_shown(at):
    browser = at("ask")
    asked(browser, "What do lamps burn?")
    shown = browser.find(".sheet").text
    assert "Lamps burn \ufffdlio oil." in shown and "\u202e" not in shown


def test_only_a_line_that_is_ended_on_purpose_ends_where_it_does_in_the_file(at):
    browser = at("ask")
    asked(browser, "What do lamps burn?")
    assert "A lamp is no lantern; see Grues.\nLamps burn" in browser.find(".sheet").text
    assert browser.find(".sheet .stress").text == "lantern"


ENDS = """
  const [p] = [...document.querySelectorAll(arguments[0])].filter((each) => each.textContent.includes(arguments[1]));
  const letters = document.createRange();
  letters.selectNodeContents(p);
  return p.getBoundingClientRect().right - letters.getClientRects()[0].right"""


def test_what_is_written_from_the_right_begins_there(at):
    browser = at("ask")
    asked(browser, WELL)
    assert browser.run("return getComputedStyle(document.querySelector('#question')).direction") == "rtl"
    for place in (".card .said p", ".sheet p"):
        assert browser.run(ENDS, place, WELL) < 2


def test_marks_of_markdown_are_not_shown(at):
    browser = at("ask")
    asked(browser, WELL)
    for place in (".card .said p", ".sheet p"):
        assert browser.find(place, WELL).text.endswith("بارد كما في الدليل.")
    at("graph")
    browser.find("#main input").type(f"{WELL}\n")
    assert "[" not in browser.find(".about p", WELL).text


def test_before_anything_is_asked_questions_of_these_documents_are_offered(at):
    browser = at("ask")
    browser.run("location.reload()")
    browser.find(".empty button", "What is Chamber").click()
    browser.find("mark.current")


UNNAMED = """
  const labels = (each) => [...(each.labels ?? [])].map((label) => label.textContent).join("");
  const name = (each) => each.getAttribute("aria-label") || labels(each) || each.textContent.trim();
  const all = document.querySelectorAll("button, a, input, select, textarea, summary, meter, progress, nav, [role]");
  return [...all].filter((each) => each.checkVisibility() && !name(each) && !each.matches("[role=status]"))
    .map((each) => each.outerHTML.slice(0, 200))"""


@pytest.mark.parametrize("name", ["ask", "tools/kb.search", "contracts", "graph", "live", "ingest", "settings"])
def test_whatever_can_be_used_or_read_off_has_a_name(at, console, name):
    browser = at(name)
    browser.find("#main input, #main button, #main select")
    if name == "live":
        browser.find("meter")
    assert browser.run(UNNAMED) == []


def test_when_the_server_is_gone_every_page_says_so(start, browser, docs, tmp_path):
    gone = start(tmp_path / "data", "--docs", docs)
    browser.open(gone.page)
    browser.find(".empty")
    gone.process.terminate()
    gone.process.wait(20)
    for name in ("tools", "graph", "live", "ingest"):
        browser.open(f"{gone.page}#/{name}")
        browser.find(".problem", "The server does not answer")


def test_a_tool_is_called_by_a_form_made_from_its_contract_and_its_errors_are_told(at):
    browser = at("tools/kb.search")
    browser.find("#arg-query").type("grue")
    browser.find("#arg-top_k").type("2")
    browser.find("button.primary", "Call").click()
    browser.find(".badge.good", "OK")
    browser.find(".badge", "tokens as text")
    browser.find(".badge", "tokens in every tools/list")
    browser.find(".tab-row button", "Request").click()
    sent = browser.find(".tab-body .json").text
    assert '"query": "grue"' in sent
    assert '"top_k": 2' in sent
    assert "page_size" not in sent  # a default is the contract's business
    field = browser.find("#arg-top_k")
    field.clear()
    field.type("9999")
    browser.find("button.primary", "Call").click()
    browser.find(".problem", "INVALID_ARGUMENT")


def test_everything_can_be_reached_by_keys(at):
    browser = at("contracts")
    browser.run("document.activeElement.blur()")
    browser.press("4")
    browser.find('.page[data-page="graph"] h1', "Graph")
    browser.find("#main input").type("lamp\n")
    browser.find(".node.chosen")
    first = browser.run("return document.querySelector('.node.chosen').dataset.id")
    browser.run("[...document.querySelectorAll('.node')].find(each => each.dataset.id !== arguments[0]).focus()", first)
    browser.press("Enter")
    browser.find(f".node.chosen:not([data-id='{first}'])")
    browser.run("document.activeElement.blur()")
    browser.press("1", "/")
    browser.find("#question")
    assert browser.run("return document.activeElement.id") == "question"


def test_the_graph_around_a_section_is_drawn_and_told(at):
    browser = at("graph")
    browser.find("#main input").type("Grues\n")
    browser.find(".node.chosen")
    assert len(browser.all(".graph .node")) > 2
    assert len(browser.all(".graph line.edge")) > 1
    browser.find(".about .plainlist li")
    box = "return document.querySelector('svg.graph').getAttribute('viewBox')"
    before = browser.run(box)
    browser.run(
        "document.querySelector('svg.graph').dispatchEvent(new WheelEvent('wheel', {deltaY: -1, bubbles: true}))"
    )
    assert float(browser.run(box).split()[2]) < float(before.split()[2])  # nearer


def test_a_graph_that_comes_when_its_page_is_left_is_not_drawn(at):
    browser = at("graph")
    browser.run("document.querySelector('.canvas').style.display = 'none'")
    browser.find("#main input").type("Grues\n")
    browser.find(".chips .chip")
    browser.run("document.activeElement.blur()")
    browser.press("1")
    browser.find("#question")


def test_contracts_are_listed_with_versions_and_compared(at):
    browser = at("contracts")
    browser.find(".disclose", "kb.retrieve_evidence").click()
    browser.find(".detail", "Use when")
    browser.find("section.box button", "Compare").click()
    browser.find("section.box .badge", "nothing changed", seconds=60)


def test_calls_of_any_client_appear_while_one_looks(at, console):
    browser = at("live")
    console.client.headers["authorization"] = f"Bearer {TOKEN}"
    console.call("graph.describe", node_ids=["nobody has this id"])
    browser.find(".grid tbody tr", "graph.describe")
    assert "nobody has this id" not in browser.find("#main").text


def test_settings_say_where_they_come_from(at):
    browser = at("settings")
    browser.find("#main input[type=search]").type("console.folders")
    browser.find(".settings tr", "mine.yaml:2")


def test_the_token_is_kept_in_this_tab_alone_and_nothing_is_asked_elsewhere(at, console):
    browser = at("settings")
    assert browser.run("return sessionStorage.getItem('wekadocs.token')") == TOKEN
    kept = browser.run("return document.cookie + JSON.stringify(localStorage) + location.href")
    assert TOKEN not in kept
    asked_for = browser.run("return performance.getEntriesByType('resource').map(each => each.name)")
    assert len(asked_for) > 5
    assert [each for each in asked_for if not each.startswith(console.address) or TOKEN in each] == []


def test_it_is_dark_where_the_system_is_and_where_one_says_so(at):
    browser = at("settings")
    ground = "return getComputedStyle(document.body).backgroundColor"
    light = browser.run(ground)
    browser.dark()
    dark = browser.run(ground)
    assert light != dark
    browser.dark(False)
    browser.run(
        "const s = document.querySelector('#side-foot select'); s.value='dark'; s.dispatchEvent(new Event('change'))"
    )
    assert browser.run(ground) == dark
    browser.run("localStorage.clear(); document.documentElement.dataset.theme = 'auto'")


CHOSEN_IN_VIEW = """
  const {left, top} = document.querySelector(".list [aria-current]").getBoundingClientRect();
  return Boolean(document.elementFromPoint(left + 9, top + 9)?.closest(".list [aria-current]"))"""


@pytest.mark.parametrize("pixels", [360, 768])
@pytest.mark.parametrize("name", ["ask", "tools/kb.search", "contracts", "graph", "live", "ingest", "settings"])
def test_a_narrow_window_shows_all_of_a_page(at, name, pixels):
    browser = at("ask" if name == "live" else "live")
    browser.wide(pixels)
    try:
        at(name)
        browser.find("#main input, #main button")
        assert browser.run("return document.documentElement.scrollWidth") <= pixels
        shown = "const it = document.querySelector(arguments[0]).getBoundingClientRect(); return [it.left, it.right]"
        left, right = browser.run(shown, "#nav [aria-current]")
        assert 0 <= left < right <= pixels, "which page this is"
        left, right = browser.run(shown, "#side-foot select")
        assert 0 <= left < right <= pixels, "light or dark"
        assert browser.run("return document.querySelector('header').offsetHeight") < 140, "no more than its lines"
        if name.startswith("tools"):
            assert browser.run(CHOSEN_IN_VIEW), "which tool this is"
    finally:
        browser.wide(0)
