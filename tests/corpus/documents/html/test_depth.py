"""Pages nested deeper than any reader could follow."""

import pytest

from wekadocs_corpus.documents import read_document

DEEP = 100_000


@pytest.mark.parametrize("tag", ["<div>", "<div></x>", "<span class='a'>"], ids=["divs", "closing nothing", "spans"])
def test_a_page_that_is_nested_without_end_is_read(tag):
    page = f"<h1>Top</h1><p>Before.</p>{tag * DEEP}<p>Deep words.</p>"
    parsed = read_document("deep.html", page.encode(), "id")
    assert parsed.text.startswith("# Top\n\nBefore.")
    assert "Deep words." in parsed.text


def test_a_long_page_that_is_not_deep_keeps_every_tag():
    rows = "".join(f"<div><h2>Part {n}</h2><p><a name=x{n}>Words<br> of <b>it</b></p></div>" for n in range(3000))
    parsed = read_document("long.html", f"<main>{rows}</main>".encode(), "id")
    assert parsed.text.count("## Part ") == 3000
