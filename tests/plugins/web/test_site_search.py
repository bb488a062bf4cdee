"""The index that a site publishes for its own search names the page that answers, where no link's words do."""

import json

import pytest
from web_site import Reply, page

ANSWER = "A banner for maintenance is shown to everybody with ui.bannercontent."
QUESTION = "How do I show a maintenance banner to everybody?"
MENU = "<nav><ul>" + "".join(f"<li><a href='/guide/{n}.html'>Chapter {n}</a></li>" for n in range(40)) + "</ul></nav>"
HOME = "<main><h1>Deployer</h1><p>Deployer brings what git says to clusters.</p></main>"
MKDOCS = json.dumps(
    {"docs": [{"location": "", "title": "Deployer", "text": "Deployer brings what git says to clusters."}]
     + [{"location": f"guide/{n}.html", "title": f"Chapter {n}", "text": f"About matter {n}."} for n in range(40)]
     + [{"location": "guide/33.html#banner", "title": "Styles", "text": f"<p>{ANSWER}</p>"}]}
)  # fmt: skip
SPHINX = "Search.setIndex(" + json.dumps(
    {
        "docnames": ["index", *(f"guide/{n}" for n in range(40))],
        "titles": ["Deployer", *(f"Chapter {n}" for n in range(40))],
        "terms": {"git": 0, "matter": list(range(1, 41)), "banner": 34, "mainten": [34], "everybodi": 34},
        "titleterms": {"chapter": list(range(1, 41))},
    }
) + ")"  # fmt: skip
MDBOOK = json.dumps(
    {
        "doc_urls": ["index.html", *(f"guide/{n}.html#matter" for n in range(40))],
        "index": {
            "documentStore": {
                "docs": {
                    str(at): {
                        "title": f"Chapter {at - 1}",
                        "body": ANSWER if at == 34 else f"Matter {at}",
                        "id": str(at),
                    }
                    for at in range(41)
                }
            }
        },
    }
)
GENERATORS = {
    "MkDocs": ("<script>var base_url = '.';</script>", "/search/search_index.json", MKDOCS),
    "MkDocs Material": (
        '<script id=__config type="application/json">{"base": ".", "search": "worker.js"}</script>',
        "/search/search_index.json",
        MKDOCS,
    ),
    "Sphinx": ("<script src='_static/documentation_options.js?v=1'></script>", "/searchindex.js", SPHINX),
    "mdBook": ('<script>var path_to_root = "";</script>', "/searchindex.json", MDBOOK),
}


def published(site, said, place, index):
    site.replies["/"] = page("Deployer", MENU + HOME, said)
    site.replies |= {f"/guide/{n}.html": page(f"Chapter {n}", f"<main><h1>Chapter {n}</h1></main>") for n in range(40)}
    site.replies["/guide/33.html"] = page("Chapter 33", f"<main><h1>Chapter 33</h1><p>{ANSWER}</p></main>")
    kind = "application/json" if place.endswith("json") else "text/javascript"
    site.replies[place] = Reply(index, headers={"Content-Type": kind})


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_page_that_no_link_tells_of_is_found_by_the_index_of_the_sites_search(asked, site, generator):
    published(site, *GENERATORS[generator])
    found = asked.data("answer", url=site.url("/"), query=QUESTION)
    assert ANSWER in found["evidence"][0]["text"]
    assert site.paths()[:2] == ["/", GENERATORS[generator][1]]
    assert found["stats"]["expansion_iterations"] == 1


def test_the_index_is_not_asked_for_where_the_page_answers_or_nothing_may_be_followed(asked, site):
    published(site, *GENERATORS["MkDocs"])
    asked.data("answer", url=site.url("/guide/33.html"), query=QUESTION)
    asked.data("answer", url=site.url("/"), query=QUESTION, expansion_budget=0)
    assert "/search/search_index.json" not in site.paths()


@pytest.mark.parametrize(
    "index",
    [
        "[" * 200_000,
        "{}",
        "[]",
        "null",
        '{"docs": [{"location": "x"}]}',
        '{"docs": 7}',
        '{"docnames": ["a"], "titles": [], "terms": {"banner": 99}}',
        '{"docnames": ["a"], "titles": ["b"], "terms": {"banner": "x"}}',
        '{"doc_urls": [], "index": {"documentStore": {"docs": {"5": {"title": "", "body": "banner"}}}}}',
        "Search.setIndex({docnames:[1]})",
        "\0",
    ],
)
def test_an_index_that_cannot_be_read_is_none(asked, site, index):
    published(site, "<script>var base_url = '.';</script>", "/search/search_index.json", index)
    text = asked.text("answer", url=site.url("/"), query=QUESTION, expansion_budget=1)
    assert text.startswith("[SOURCES]")


def test_an_index_of_another_site_and_pages_that_it_names_elsewhere_are_not_asked(asked, site):
    away = json.dumps({"docs": [{"location": "http://10.0.0.1/x", "title": "Banner", "text": ANSWER}]})
    published(site, "<script>var base_url = '.';</script>", "/search/search_index.json", away)
    site.replies["/far"] = page("Far", HOME, "<script>var base_url = 'http://10.0.0.1';</script>")
    for start in ("/", "/far"):
        trace = asked.data("answer", url=site.url(start), query=QUESTION)["trace"]
        assert "10.0.0.1" not in str(trace)
