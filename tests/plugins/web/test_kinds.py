"""Kinds of pages that questions are answered from beside HTML: PDF, feeds, plain text."""

import json

import pytest
from made_pdf import lines, pdf
from web_site import Reply


def test_feeds_and_plain_text_are_answered_from(asked, site):
    feed = "<rss><channel><title>News</title><item><title>Release</title><description>Gizmo 9 is out since May.</description></item></channel></rss>"  # noqa: E501
    site.replies["/feed"] = Reply(feed, headers={"Content-Type": "application/rss+xml"})
    site.replies["/a.txt"] = Reply("The gizmo weighs nine grams.\n", headers={"Content-Type": "text/plain"})
    assert "out since May" in asked.text("answer", url=site.url("/feed"), query="When is Gizmo 9 out?")
    assert "nine grams" in asked.text("answer", url=site.url("/a.txt"), query="How much weighs the gizmo?")


def test_a_pdf_is_answered_from_without_what_nobody_sees(asked, site):
    made = pdf(lines("The turbine needs oil.", "Its oil is cha\u200bnged each \u202eApril."))
    site.replies["/turbine.pdf"] = Reply(made, headers={"Content-Type": "application/pdf"})
    found = asked.data("answer", url=site.url("/turbine.pdf"), query="When is the oil of the turbine changed?")
    (first,) = found["evidence"]
    assert first["text"].strip() == "The turbine needs oil. Its oil is changed each April."
    assert found["sources"][0]["url"] == site.url("/turbine.pdf")
    library = asked.served.state("web").library
    document = asked.served.run(lambda: library.corpus.document(library.document_id(site.url("/turbine.pdf"))))
    assert document.text[first["start"] : first["end"]] == first["text"]


def test_a_pdf_that_is_none_says_so(asked, site):
    site.replies["/turbine.pdf"] = Reply(b"%PDF-1.7 nothing", headers={"Content-Type": "application/pdf"})
    _, error = asked.refused("answer", url=site.url("/turbine.pdf"), query="When is the oil changed?")
    assert "no PDF, or too damaged" in error["message"]


FEED = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "Gizmo news",
    "items": [
        {"id": "2", "url": "/nine.html", "title": "Release", "content_html": "<p>Gizmo 9 is out since <b>May</b>.</p>"},
        {"id": "1", "content_text": "Parts <b> are kept\n\nfor ten years.", "date_published": "2026-02-01T00:00:00Z"},
        {"id": 0, "title": ["odd"], "content_html": 7},
        "odder",
    ],
}


def test_a_json_feed_is_answered_from_like_any_other(asked, site):
    site.replies["/feed.json"] = Reply(json.dumps(FEED), headers={"Content-Type": "application/feed+json"})
    found = asked.data("answer", url=site.url("/feed.json"), query="When is Gizmo 9 out?", expansion_budget=0)
    assert "Gizmo 9 is out since **May**." in found["evidence"][0]["text"]
    assert f"[Release]({site.url('/nine.html')})" in found["evidence"][0]["text"]
    assert found["sources"][0]["title"] == "Gizmo news"
    text = asked.text("answer", url=site.url("/feed.json"), query="How long are parts kept?", expansion_budget=0)
    assert "2026-02-01" in text
    assert "for ten years." in text


@pytest.mark.parametrize("body", ["{", "[]", '{"items": 7}', "[" * 100_000])
def test_a_json_feed_that_is_none_says_so(asked, site, body):
    site.replies["/feed.json"] = Reply(body, headers={"Content-Type": "application/feed+json"})
    _, error = asked.refused("answer", url=site.url("/feed.json"), query="When is Gizmo 9 out?")
    assert "the feed " in error["message"]
