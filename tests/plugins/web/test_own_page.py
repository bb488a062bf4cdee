"""Whether the page that was asked is the one: what it says, beside what its links promise."""

from web_site import page

MENU = (
    "<nav><ul><li><a href='/sync-options.html'>Sync options</a></li><li><a href='/skip.html'>Skip reconcile</a></li>"
    "<li><a href='/windows.html'>Sync windows</a></li><li><a href='/deletion.html'>Deleting applications</a></li></ul></nav>"  # noqa: E501
)


def test_a_page_that_looks_better_than_all_its_links_is_not_left(asked, site):
    told = (
        "<p>With the annotation skip-reconcile the controller leaves the application alone until it is taken away.</p>"
    )
    body = f"<h1>Skip reconcile of an application</h1>{told}<p>Its status is not updated meanwhile.</p>"
    site.replies["/skip.html"] = page("Skip reconcile - Deployer", f"{MENU}<main>{body}</main>")
    found = asked.data("answer", url=site.url("/skip.html"), query="pause the reconcile of one application over night")
    assert site.paths() == ["/skip.html"]
    assert found["stats"]["stop_reason"] == "the page itself tells of it — no linked page looks more promising"


def test_a_page_that_only_mentions_what_is_asked_is_left_for_the_one_that_is_about_it(asked, site):
    told = (
        "<p>Deployer supports hooks: what happens before, while and after a sync, with PreSync and PostSync hooks.</p>"
    )
    link = "<p><a href='/hooks.html'>Hooks of a sync</a></p>"
    site.replies["/index.html"] = page("Deployer", f"<main><h1>Deployer</h1>{told}{link}</main>")
    answer = "<p>If a PreSync hook fails, the whole sync stops, and what happens next is up to SyncFail hooks.</p>"
    site.replies["/hooks.html"] = page("Hooks", f"<main><h1>Hooks of a sync</h1>{answer}</main>")
    found = asked.data("answer", url=site.url("/index.html"), query="what happens to the sync when PreSync hooks fail")
    assert "the whole sync stops" in found["evidence"][0]["text"]


def test_a_page_with_one_word_of_the_question_is_left_although_it_is_called_so(asked, site):
    site.replies["/sync.html"] = page("Sync", f"{MENU}<main><h1>Sync</h1><p>A sync applies what git says.</p></main>")
    site.replies["/windows.html"] = page(
        "Windows", "<main><h1>Sync windows</h1><p>A sync is blocked while a deny window is open.</p></main>"
    )
    found = asked.data("answer", url=site.url("/sync.html"), query="is a sync blocked by windows")
    assert "deny window" in found["evidence"][0]["text"]


def test_a_table_of_contents_with_numbers_is_not_the_page_that_tells(asked, site):
    entries = ("1. Introduction", "7.3. Repairing the vault", "7.3.4. Removing missing data from snapshots", "9. Talks")
    items = "".join(f"<li><a href='/repair.html#p{n}'>{entry}</a></li>" for n, entry in enumerate(entries))
    site.replies["/index.html"] = page("Vault", f"<main><h1>Vault Documentation</h1><ul>{items}</ul></main>")
    ask = {"url": site.url("/index.html"), "query": "How do I get rid of snapshots that are missing data?"}
    alone = asked.data("answer", **ask, expansion_budget=0, retrieval_mode="full_context")
    assert (alone["citations"], alone["evidence"][0]["relevance"] < 0.1) == ([], True)
    told = "<h2>Missing data</h2><p>Snapshots that are missing data are taken away by <code>vault repair</code>.</p>"
    site.replies["/repair.html"] = page("Repairs", f"<main><h1>Repairs</h1>{told}</main>")
    assert "vault repair" in asked.data("answer", **ask)["evidence"][0]["text"]
