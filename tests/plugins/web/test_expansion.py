"""Which pages a question leads to beyond those it names: by the site's own list, by how often they are linked to."""

from web_site import Reply, page

START = "/gears/"


def sitemap(*urls):
    places = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return Reply(f"<urlset>{places}</urlset>", headers={"Content-Type": "application/xml"})


def test_a_page_that_only_the_sitemap_names_answers(asked, site):
    site.replies |= {
        START: page("Gears", "<main><h1>Gears</h1><p>Gears are wheels with teeth.</p></main>"),
        "/gears/lubrication-interval.html": page(
            "Care", "<main><h1>Care</h1><p>The lubrication interval of a gear is 90 days.</p></main>"
        ),
        "/sitemap.xml": sitemap(
            *(site.url(f"/gears/model-{each}.html") for each in "abcdefgh"),
            site.url("/gears/lubrication-interval.html"),
            "http://elsewhere.example/gears/lubrication-interval.html",
        ),
    }
    found = asked.data("answer", url=site.url(START), query="What is the lubrication interval?")
    assert "90 days" in found["evidence"][0]["text"]
    assert [each["url"] for each in found["trace"][0]["children"]] == [site.url("/gears/lubrication-interval.html")]
    assert site.paths() == [START, "/sitemap.xml", "/gears/lubrication-interval.html"]


def test_a_sitemap_that_robots_txt_names_is_read_through_its_index(asked, site):
    site.robots = Reply(f"Sitemap: {site.url('/maps/all.xml')}\n")
    index = f"<sitemapindex><sitemap><loc>{site.url('/maps/one.xml')}</loc></sitemap></sitemapindex>"
    site.replies |= {
        START: page("Gears", "<main><h1>Gears</h1><p>Gears are wheels with teeth.</p></main>"),
        "/gears/warranty.html": page("Law", "<main><h1>Law</h1><p>The warranty ends after seven years.</p></main>"),
        "/maps/all.xml": Reply(index, headers={"Content-Type": "application/xml"}),
        "/maps/one.xml": sitemap(site.url("/gears/warranty.html")),
    }
    found = asked.data("answer", url=site.url(START), query="How long is the warranty?")
    assert "seven years" in found["evidence"][0]["text"]
    assert "/sitemap.xml" not in site.paths()


def test_of_two_pages_that_look_alike_the_one_that_more_pages_link_to_is_read_first(ask, site):
    asked = ask(expansion={"pages_per_step": 1})
    rare, common = "<a href='/gears/old.html'>torque limits</a>", "<a href='/gears/new.html'>torque limits</a>"
    for name, links in (("a", f"<p>{rare}</p><p>{common}</p>"), ("b", f"<p>{common}</p>"), ("c", f"<p>{common}</p>")):
        site.replies[f"/gears/{name}.html"] = page(
            "Gear", f"<main><h1>Gear {name}</h1><p>A wheel with teeth.</p>{links}</main>"
        )
    site.replies["/gears/new.html"] = page("New", "<main><h1>New</h1><p>The torque limits are 40 Nm.</p></main>")
    site.replies["/gears/old.html"] = page("Old", "<main><h1>Old</h1><p>Nothing stands here any more.</p></main>")
    urls = [site.url(f"/gears/{name}.html") for name in "abc"]
    found = asked.data("answer", url=urls, query="What are the torque limits?", expansion_budget=1)
    assert "40 Nm" in found["evidence"][0]["text"]
    assert "/gears/old.html" not in site.paths()


def test_where_the_deepest_page_allowed_was_read_a_note_says_so(ask, site):
    text = ask(expansion={"max_depth": 1}).text(
        "answer", url=site.url("/widgets/"), query="How is sensor drift corrected?"
    )
    assert "\nNote: Expansion reached maximum depth (1). Results may benefit from a more specific query or " in text
    assert "/widgets/drift.html" not in site.paths()


def test_a_menu_that_a_page_shows_in_a_frame_leads_on_as_if_it_were_on_the_page(asked, site):
    frame = "<noscript><iframe src='menu.html'></iframe></noscript><iframe src='http://else.example/ads'></iframe>"
    site.replies |= {
        START: page("Gears", f"{frame}<main><h1>Gears</h1><p>Gears are wheels with teeth.</p></main>"),
        "/gears/menu.html": page("", "<ol><li><a href='c7.html' target='_parent'>7. Backlash of a gear</a></li></ol>"),
        "/gears/c7.html": page("Seven", "<main><h1>Backlash</h1><p>The backlash of a gear is 20 µm.</p></main>"),
    }
    found = asked.data("answer", url=site.url(START), query="How large is the backlash?")
    assert "20 µm" in found["evidence"][0]["text"]
    assert [each["url"] for each in found["trace"][0]["children"]] == [site.url("/gears/c7.html")]
    assert site.paths() == [START, "/gears/menu.html", "/sitemap.xml", "/gears/c7.html"]


def test_a_page_that_is_known_is_followed_for_its_title(ask, site):
    asked, links = ask(expansion={"pages_per_step": 1}), "<a href='c1.html'>1</a> <a href='c2.html'>2</a>"
    site.replies |= {
        START: page("Gears", f"<main><h1>Gears</h1><p>Wheels. {links}</p></main>"),
        "/gears/c1.html": page("Noise of gears", "<main><h1>One</h1><p>It is loud: 80 dB of noise.</p></main>"),
        "/gears/c2.html": page("Backlash of gears", "<main><h1>Two</h1><p>Backlash is 20 µm.</p></main>"),
    }
    for path in ("/gears/c1.html", "/gears/c2.html"):
        asked.data("ingest", url=site.url(path))
    found = asked.data("answer", url=site.url(START), query="What is the backlash?")
    assert [each["url"] for each in found["trace"][0]["children"]] == [site.url("/gears/c2.html")]


def test_pages_that_say_nothing_yet_are_gone_through_to_the_one_that_does(ask, site):
    def led(title, words, to):
        return page(title, f"<main><h1>{title}</h1><p>{words} <a href='{to}.html'>{to}</a></p></main>")

    site.replies |= {
        "/sitemap.xml": Reply(status=404),
        START: led("Gears", "Wheels with teeth.", "manuals"),
        "/gears/manuals.html": led("Manuals", "All of our books.", "maintenance"),
        "/gears/maintenance.html": led("Maintenance", "How to keep them well.", "greasing"),
        "/gears/greasing.html": page(
            "Greasing", "<main><h1>Greasing</h1><p>The greasing interval is 90 days.</p></main>"
        ),
    }
    found = ask().data("answer", url=site.url(START), query="What is the greasing interval?")
    assert "90 days" in found["evidence"][0]["text"]
    site.asked.clear()
    none = ask(expansion={"blind_rounds": 0, "fresh_seconds": 0})
    found = none.data("answer", url=site.url(START), query="What is the greasing interval?")
    assert found["evidence"] == []
    assert "/gears/manuals.html" not in site.paths()


def test_each_part_of_a_question_that_is_not_answered_leads_on(ask, site):
    links = "<a href='noise.html'>Noise of gears</a> <a href='weights.html'>Weights</a>"
    site.replies |= {
        START: page("Gears", f"<main><h1>Gears</h1><p>Wheels with teeth. {links}</p></main>"),
        "/gears/noise.html": page("Noise", "<main><h1>Noise</h1><p>The noise of gears is 80 dB.</p></main>"),
        "/gears/weights.html": page("Weights", "<main><h1>Weights</h1><p>The weight of a rack is 9 kg.</p></main>"),
    }
    asked = ask(expansion={"pages_per_step": 2})
    question = "How loud is the noise of gears and what is the weight of a rack?"
    found = asked.data("answer", url=site.url(START), query=question, expansion_budget=1)
    said = " ".join(each["text"] for each in found["evidence"])
    assert "80 dB" in said
    assert "9 kg" in said


def test_a_word_that_every_link_says_chooses_none_of_them(ask, site):
    menu = "".join(f"<a href='acme-{each}.html'>acme {each}</a> " for each in ("add", "build", "check", "run", "test"))
    menu += "".join(f"<a href='acme-{each}.html'>acme {each}</a> " for each in ("clean", "bench", "doc", "new", "fix"))
    site.replies |= {
        START: page("Acme", f"<main><h1>Acme</h1><p>A tool. {menu}<a href='home.html'>Cache folders</a></p></main>"),
        "/gears/home.html": page("Home", "<main><h1>Home</h1><p>Acme caches crates in folders below home.</p></main>"),
    }
    asked = ask(expansion={"pages_per_step": 1})
    asked.data("answer", url=site.url(START), query="In which folders does acme keep its cache?", expansion_budget=1)
    assert site.paths()[-1] == "/gears/home.html"
    assert not [path for path in site.paths() if "acme-" in path]


def test_a_page_in_markdown_leads_on_by_the_files_that_it_names(asked, site):
    def markdown(text):
        return Reply(text, headers={"Content-Type": "text/markdown; charset=utf-8"})

    site.replies["/guide/start.md"] = markdown(
        '# Start\n\nRead [how pumps are primed](pumps/priming.md#steps "Priming") and [the rest](../rest.md).\n'
        "Or [how valves are greased][grease] and [Seals].\n\n```\n[grease]: not/a/link\nx[how][grease]\n```\n\n"
        '[Grease]: <pumps/grease.md> "Greasing"\n[seals]: pumps/seals.md\n'
    )
    site.replies["/guide/pumps/grease.md"] = markdown("# Grease\n\nValves are greased with tallow.\n")
    site.replies["/guide/pumps/seals.md"] = markdown("# Seals\n\nSeals are cut from felt.\n")
    site.replies["/guide/pumps/priming.md"] = markdown("# Priming\n\nA pump is primed with a cup of distilled water.\n")
    found = asked.data("answer", url=site.url("/guide/start.md"), query="How are pumps primed?")
    assert "cup of distilled water" in found["evidence"][0]["text"]
    assert "/guide/pumps/priming.md" in site.paths()
    for query, fact in (("How are valves greased?", "tallow"), ("What are seals cut from?", "felt")):
        found = asked.data("answer", url=site.url("/guide/start.md"), query=query)
        assert fact in found["evidence"][0]["text"]
    whole = asked.data("read", url=site.url("/guide/start.md"))["text"]
    assert f"[how valves are greased]({site.url('/guide/pumps/grease.md')}) and [Seals](" in whole
    assert "```\n[grease]: not/a/link\nx[how][grease]\n```\n" in whole
    assert "Greasing" not in whole


def test_a_sitemap_is_asked_for_once_while_it_is_fresh(asked, site):
    site.replies["/alone.html"] = page("Alone", "<main><h1>Alone</h1><p>Nothing of it stands here.</p></main>")
    for query in ("What is the limit of setting 31?", "What is the limit of setting 77?"):
        found = asked.data("answer", url=site.url("/alone.html"), query=query)
        assert "megabytes" in found["evidence"][0]["text"]
    assert site.paths().count("/sitemap.xml") == 1
