"""Which site a file belongs to, by its configuration, and the address of its page there."""

import os
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_corpus.documents import read_document
from wekadocs_corpus.sites import Page, Site, Sites, SiteUrls, page_url

ONE = "https://docs.example.com/"

MKDOCS = """
site_name: Strata
site_url: https://docs.example.com/strata
theme: {name: material, icon: {logo: !!python/name:material.extensions.emoji.twemoji }}
markdown_extensions:
  - toc:
      permalink: true
"""
DOCUSAURUS = """
// url: 'https://wrong.example.com',
const config = {
  title: 'Strata', url: "https://docs.example.com", baseUrl: '/strata/',
  presets: [['classic', {
    docs: {sidebarPath: './sidebars.js', routeBasePath: 'guide'},
    blog: {path: 'blog', showReadingTime: true},
  }]],
  plugins: [['@docusaurus/plugin-content-docs', {id: 'community', path: 'community', routeBasePath: 'people'}]],
};
"""
HUGO = """
baseURL = "https://docs.example.com/latest"
defaultContentLanguage = "en"
[languages.en]
  contentDir = "content/en"
[languages.zh]
  contentDir = "content/zh"
[permalinks]
  news = "/:year/:slug/"
"""
MOUNTS = """
[module]
  [[module.mounts]]
    source = 'assets'
    target = 'assets'
  [[module.mounts]]
    source = 'content/en'
    target = 'content'
  [[module.mounts]]
    source = 'content/fr'
    target = 'content'
    lang = 'fr'
  [[module.mounts]]
    source = 'content/de'
    target = 'content'
    [module.mounts.sites.matrix]
      languages = ['de']
"""
ANTORA = "name: strata\nversion: '2.0'\nasciidoc:\n  attributes:\n    idprefix: ''\n    idseparator: '-'\n"
PLAYBOOK = "site:\n  title: Strata\n  url: https://docs.example.com\n"
SPHINX = "import os\nextensions = ['sphinx.ext.autodoc']\nhtml_baseurl = 'https://docs.example.com/en/latest/'\n"

VITEPRESS = "export default {base: '/v/', cleanUrls: true, sitemap: {hostname: 'https://docs.example.com/'}}"

# Generator: its files, then pages and the addresses they have.
SITES = {
    "mkdocs": (
        {"mkdocs.yml": MKDOCS},
        {
            "docs/index.md": "strata/",
            "docs/README.md": "strata/",
            "docs/a b/c.md": "strata/a%20b/c/",
            "docs/a/index.md": "strata/a/",
            "README.md": None,
        },
    ),
    "mkdocs without folders": (
        {"mkdocs.yml": f"site_url: {ONE}\nuse_directory_urls: false\ndocs_dir: pages\n"},
        {"pages/a/b.md": "a/b.html", "pages/index.md": "index.html", "docs/a.md": None},
    ),
    "sphinx": (
        {"doc/source/conf.py": SPHINX},
        {
            "doc/source/user/install.rst": "en/latest/user/install.html",
            "doc/source/index.md": "en/latest/index.html",
            "doc/source/user/part.txt": None,
            "doc/README.md": None,
        },
    ),
    "sphinx with pages of plain text": (
        {"docs/conf.py": f"extensions = []\nhtml_baseurl = '{ONE}'\nsource_suffix = {{'.txt': 'restructuredtext'}}\n"},
        {"docs/faq/usage.txt": "faq/usage.html"},
    ),
    "sphinx of folders": (
        {
            "docs/conf.py": f"extensions = []\nhtml_baseurl = '{ONE}'\n",
            ".readthedocs.yaml": "version: 2\nsphinx:\n  configuration: docs/conf.py\n  builder: dirhtml\n",
        },
        {"docs/options.rst": "options/", "docs/index.md": "", "docs/api/index.rst": "api/"},
    ),
    "hugo": (
        {"hugo.toml": HUGO},
        {
            "content/en/docs/Set Up/_index.md": "latest/docs/set-up/",
            "content/en/docs/tasks/index.md": "latest/docs/tasks/",
            "content/en/docs/tasks.md": "latest/docs/tasks/",
            "content/zh/docs/tasks.md": "latest/zh/docs/tasks/",
            "content/en/_index.md": "latest/",
            "content/en/news/one.md": None,
        },
    ),
    "hugo with mounts": (
        {
            "hugo.toml": f'baseURL = "{ONE}"\n{MOUNTS}',
            "content/en/_common/_index.md": "---\ncascade:\n  build: {render: never}\n---\n",
        },
        {
            "content/en/_common/install.md": None,
            "content/en/installation/linux.md": "installation/linux/",
            "content/fr/installation/linux.md": "fr/installation/linux/",
            "content/de/installation/linux.md": "de/installation/linux/",
        },
    ),
    "hugo in a folder of its own": (
        {"config/_default/config.yaml": f"baseurl: {ONE}\nuglyURLs: true\n", "content/.keep": ""},
        {"content/docs/tasks.md": "docs/tasks.html", "content/docs/_index.md": "docs/"},
    ),
    "docusaurus": (
        {"website/docusaurus.config.js": DOCUSAURUS},
        {
            "website/docs/intro.md": "strata/guide/intro",
            "website/docs/01-start/02-install.mdx": "strata/guide/start/install",
            "website/docs/start/README.md": "strata/guide/start/",
            "website/docs/start/start.md": "strata/guide/start/",
            "website/docs/2021-02-03-notes.md": "strata/guide/2021-02-03-notes",
            "website/community/team.mdx": "strata/people/team",
            "website/blog/2021-02-03-first.md": "strata/blog/2021/02/03/first",
            "website/src/pages/about.md": "strata/about",
            "website/README.md": None,
        },
    ),
    "docusaurus whose keys are quoted": (
        {
            "docusaurus.config.ts": '{\n  // where\n  "url": "'
            + ONE
            + '",\n  "baseUrl": "/",\n  "title": x ? "a" : "b",\n}'
        },
        {"docs/intro.md": "docs/intro"},
    ),
    "docusaurus of released docs only": (
        {
            "docusaurus.config.js": f"{{url: '{ONE}', docs: {{routeBasePath: '/', includeCurrentVersion: false}}}}",
            "versions.json": '["2.0", "1.0"]',
            "versioned_docs/version-2.0/.keep": "",
        },
        {"docs/a.md": None, "versioned_docs/version-2.0/a.md": "a", "versioned_docs/version-1.0/a.md": "1.0/a"},
    ),
    "docusaurus of docs beside it": (
        {"website/docusaurus.config.js": DOCUSAURUS.replace("sidebarPath", "path: '../docs', sidebarPath")},
        {
            "docs/intro.md": "strata/guide/intro",
            "website/community/team.mdx": "strata/people/team",
            "website/blog/2021-02-03-first.md": "strata/blog/2021/02/03/first",
            "website/README.md": None,
            "README.md": None,
        },
    ),
    "mdbook of a domain of its own": (
        {"book/book.toml": '[output.html]\nsite-url = "/guide/"\ncname = "docs.example.com"\n'},
        {"book/src/a.md": "guide/a.html"},
    ),
    "vitepress of several files": (
        {
            "docs/.vitepress/config/index.mts": "import {shared} from './shared'\nexport default {...shared}",
            "docs/.vitepress/config/shared.mts": VITEPRESS,
        },
        {"docs/guide/a.md": "v/guide/a"},
    ),
    "mdbook": (
        {"book/book.toml": f'[book]\ntitle = "Strata"\n[output.html]\nsite-url = "{ONE}book/"\n'},
        {
            "book/src/guide/a.md": "book/guide/a.html",
            "book/src/README.md": "book/index.html",
            "book/src/SUMMARY.md": None,
        },
    ),
    "vitepress": (
        {"docs/.vitepress/config.mts": VITEPRESS},
        {"docs/guide/a.md": "v/guide/a", "docs/guide/index.md": "v/guide/", "docs/index.md": "v/"},
    ),
    "starlight": (
        {
            "site/astro.config.mjs": f"export default defineConfig({{ site: '{ONE}', base: '/s', "
            "integrations: [starlight({ title: 'S' })] });",
            "site/src/content/docs/index.mdx": "# S",
        },
        {
            "site/src/content/docs/index.mdx": "s/",
            "site/src/content/docs/guides/First Steps.md": "s/guides/first-steps/",
            "site/src/content/docs/guides/index.md": "s/guides/",
            "site/src/content/docs/reindex.md": "s/reindex/",
        },
    ),
    "antora": (
        {"docs/antora.yml": ANTORA, "antora-playbook.yml": PLAYBOOK},
        {
            "docs/modules/ROOT/pages/a.adoc": "strata/2.0/a.html",
            "docs/modules/eips/pages/b/c.adoc": "strata/2.0/eips/b/c.html",
            "docs/modules/ROOT/partials/d.adoc": None,
            "docs/modules/e.adoc": None,
        },
    ),
    "jekyll": (
        {"_config.yml": f"url: {ONE}\nbaseurl: /j\ncollections:\n  guides:\n    output: true\n  drafts: {{}}\n"},
        {
            "about.md": "j/about.html",
            "a/index.md": "j/a/",
            "_guides/x.md": "j/guides/x.html",
            "_drafts/x.md": None,
            "_posts/2021-02-03-x.md": None,
        },
    ),
}


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


@pytest.mark.parametrize("name", SITES)
def test_a_page_has_the_address_that_its_generator_gives_it(tmp_path, name):
    files, pages = SITES[name]
    write(tmp_path, files)
    sites = Sites(tmp_path, tmp_path)
    found = {path: page_url(sites.of(tmp_path / path), {}) for path in pages}
    assert found == {path: "" if url is None else ONE + url for path, url in pages.items()}
    assert {sites.of(tmp_path / path).site.generator for path, url in pages.items() if url} == {name.split()[0]}


@pytest.mark.parametrize(
    ("generator", "path", "written", "url"),
    [
        ("docusaurus", "docs/a/b.md", {"slug": "/top"}, "docs/top"),
        ("docusaurus", "docs/a/b.md", {"slug": "near"}, "docs/a/near"),
        ("docusaurus", "docs/a/b.md", {"id": "other"}, "docs/a/other"),
        ("docusaurus", "docs/intro.md", {"slug": "/"}, "docs"),
        ("docusaurus", "blog/2021-02-03-x.md", {"slug": "named"}, "blog/named"),
        ("hugo", "docs/a.md", {"slug": "b"}, "docs/b/"),
        ("hugo", "docs/a/index.md", {"slug": "b"}, "docs/b/"),
        ("hugo", "docs/a.md", {"url": "/elsewhere/"}, "elsewhere/"),
        ("hugo", "docs/a.md", {"build": {"render": "never"}}, None),
        ("jekyll", "a.md", {"permalink": "/p/q/"}, "p/q/"),
        ("jekyll", "a.md", {"permalink": "/:categories/q/"}, None),
    ],
)
def test_a_page_may_say_where_it_is(generator, path, written, url):
    options = {"docs": {"docs": "docs"}, "blogs": {"blog": "blog"}} if generator == "docusaurus" else {}
    page = Page(Site(generator, "/x", ONE, options), path)
    assert page_url(page, written) == ("" if url is None else ONE + url)


def test_a_constant_in_a_configuration_stands_for_its_literal(tmp_path):
    text = f"const site: string = '{ONE}'\nconst image = new URL('/a.jpg', site)\n"
    write(tmp_path, {"docs/.vitepress/config.ts": f"{text}export default {{sitemap: {{hostname: site }}}}"})
    assert page_url(Sites(tmp_path, tmp_path).of(tmp_path / "docs/a.md"), {}) == f"{ONE}a.html"


def test_versions_of_docusaurus_have_addresses_of_their_own(tmp_path):
    write(
        tmp_path,
        {"docusaurus.config.ts": f"export default {{url: '{ONE}', baseUrl: '/'}}", "versions.json": '["3.1", "3.0"]'},
    )
    sites = Sites(tmp_path, tmp_path)
    pages = ("docs/a.md", "versioned_docs/version-3.1/a.md", "versioned_docs/version-3.0/a.md")
    assert [page_url(sites.of(tmp_path / each), {}) for each in pages] == [
        f"{ONE}docs/next/a", f"{ONE}docs/a", f"{ONE}docs/3.0/a",
    ]  # fmt: skip


def test_a_configuration_above_the_folder_counts_within_its_checkout_only(tmp_path):
    write(tmp_path, {"mkdocs.yml": MKDOCS, "docs/guide/a.md": "# A\n"})
    file = tmp_path / "docs/guide/a.md"
    assert Sites(file.parent, tmp_path).of(file).site.generator == "mkdocs"
    assert Sites(file.parent, tmp_path / "docs").of(file).site.generator == ""


def test_outside_of_a_checkout_only_a_few_folders_above_are_looked_into(tmp_path):
    write(tmp_path, {"mkdocs.yml": "docs_dir: a\n"})
    for depth, generator in ((1, "mkdocs"), (3, "mkdocs"), (4, "")):
        folder = tmp_path.joinpath(*"abcdef"[:depth])
        folder.mkdir(parents=True, exist_ok=True)
        assert Sites(folder).of(folder / "x.md").site.generator == generator


def test_the_nearest_configuration_counts(tmp_path):
    write(tmp_path, {"mkdocs.yml": "docs_dir: .\n", "book/book.toml": "[book]\n", "book/src/a.md": ""})
    sites = Sites(tmp_path, tmp_path)
    assert sites.of(tmp_path / "book/src/a.md").site.generator == "mdbook"
    assert sites.of(tmp_path / "book/a.md").site.generator == "mkdocs"


def test_a_setting_goes_before_what_a_configuration_says(tmp_path):
    write(tmp_path, {"mkdocs.yml": MKDOCS})
    sites = Sites(tmp_path, tmp_path, "https://other.example.com/x")
    assert page_url(sites.of(tmp_path / "docs/a.md"), {}) == "https://other.example.com/x/a/"


def test_without_a_generator_the_setting_leads_to_the_files(tmp_path):
    sites = Sites(tmp_path, None, "https://example.com/blob/main")
    (page,) = sites.of_all([tmp_path / "a" / "b c.md"])
    assert page_url(page, {}) == "https://example.com/blob/main/a/b%20c.md"


@pytest.mark.parametrize("path", ["a/Data Sheet.PDF", "a/plan.docx", "a/prices.csv"])
def test_a_file_that_is_no_page_is_where_its_generator_copies_it(tmp_path, path):
    write(tmp_path, {"mkdocs.yml": MKDOCS})
    page = Sites(tmp_path, tmp_path, ONE).of(tmp_path / "docs" / path)
    assert page_url(page, {}) == f"{ONE}{path.replace(' ', '%20')}"
    assert page_url(page._replace(site=replace(page.site, generator="docusaurus")), {}) == ""


def test_a_file_beside_a_site_is_not_said_to_be_on_it(tmp_path):
    write(tmp_path, {"mkdocs.yml": MKDOCS})
    pages = Sites(tmp_path, tmp_path, ONE).of_all([tmp_path / "README.md", tmp_path / "docs/a.md"])
    assert [page_url(page, {}) for page in pages] == ["", f"{ONE}a/"]


def test_asciidoc_that_antora_copies_is_named_as_antora_names_it(tmp_path):
    write(tmp_path, {"docs/antora.yml": "name: c\nversion: ~\n"})
    parts = ["docs/modules/ROOT/pages/a.adoc", "components/ftp/ftp.adoc", "README.md"]
    pages = Sites(tmp_path, tmp_path, ONE).of_all([tmp_path / each for each in parts])
    assert [page.naming.generator for page in pages] == ["antora", "antora", ""]
    assert [page_url(page, {}) for page in pages] == [f"{ONE}c/a.html", "", ""]


def test_one_repository_or_folder_may_have_an_address_of_its_own():
    urls = SiteUrls(
        "https://all.example.com/", {"strata": "https://one.example.com/", "/srv/docs": "https://two.example.com/"}
    )
    assert [urls.of(*each) for each in (("strata", "/x"), ("other", "/srv/docs"), ("other", "/x"))] == [
        "https://one.example.com/", "https://two.example.com/", "https://all.example.com/",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mkdocs.yml", "site_url: !ENV [SITE, 'https://docs.example.com/']\n"),
        ("mkdocs.yml", "a: &a [x]\nb: *a\nsite_url: https://docs.example.com/\n"),
        ("mkdocs.yml", "extra:\n  at: &at https://docs.example.com/\nsite_url: *at\n"),
        (
            "mkdocs.yml",
            "site_url: https://docs.example.com/\nnav:\n" + "".join(f"  - p{n}: p{n}.md\n" for n in range(6000)),
        ),
    ],
    ids=["from the environment", "aliases", "an alias of the address", "a long navigation"],
)
def test_what_is_odd_in_a_configuration_does_not_hide_the_address(tmp_path, name, text):
    write(tmp_path, {name: text})
    assert page_url(Sites(tmp_path, tmp_path).of(tmp_path / "docs/a.md"), {}) == f"{ONE}a/"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mkdocs.yml", "site_url: javascript:alert(1)\n"),
        ("mkdocs.yml", "site_url: !!python/object/apply:os.system ['touch /tmp/citations-ran']\n"),
        ("conf.py", "import os\nextensions = []\nos.mkdir('ran')\nhtml_baseurl = os.environ['X']\n"),
        ("book.toml", "a." * 5000 + "b = 1"),
        ("book.toml", '[output.html]\nsite-url = "/book/"\n'),
        ("hugo.json", "{" * 5000),
        ("docusaurus.config.js", "{" * 200_000),
        ("docusaurus.config.js", "url: `https://${host}/`"),
        ("mkdocs.yml", "site_url: 'https://docs.example.com/<script>'\n"),
        ("mkdocs.yml", "- a\n- list\n"),
        ("mkdocs.yml", "x" * 500_000),
    ],
)
def test_a_hostile_configuration_says_nothing_and_is_never_run(tmp_path, name, text):
    write(tmp_path, {name: text})
    page = Sites(tmp_path, tmp_path).of(tmp_path / "docs" / "a.md")
    assert page_url(page, {}) == ""
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert not os.path.exists("/tmp/citations-ran")


@given(
    st.sampled_from(
        [
            "antora",
            "docusaurus",
            "gitbook",
            "gitbook_legacy",
            "hugo",
            "jekyll",
            "kramdown",
            "mdbook",
            "mkdocs",
            "sphinx",
            "vitepress",
            "starlight",
            "",
        ]
    ),
    st.text(st.sampled_from("ab_.-1 é/"), min_size=1, max_size=12).filter(lambda text: text.strip("/. ")),
    st.dictionaries(
        st.sampled_from(["slug", "id", "url", "permalink"]), st.text(max_size=8) | st.integers() | st.none()
    ),
    st.sampled_from([".md", ".rst", ".adoc", ".html", ".txt", ""]),
)
def test_any_path_has_an_address_below_its_site_or_none(generator, path, written, suffix):
    page = Page(Site(generator, "/x", ONE, {"docs": {"docs": "d"}}), path.strip("/") + suffix)
    url = page_url(page, written)
    assert url == "" or url.startswith(ONE)
    assert url.isascii()


def test_a_site_that_says_something_else_has_another_mark(tmp_path):
    assert Site().mark == ""
    marks = {
        Site("mkdocs", "/x", ONE).mark,
        Site("mkdocs", "/x", f"{ONE}b/").mark,
        Site("hugo", "/x", ONE).mark,
        Site("mkdocs", "/x", ONE, {"directories": False}).mark,
    }
    assert len(marks) == 4
    assert pickle.loads(pickle.dumps(Site("mkdocs", "/x", ONE))).mark == Site("mkdocs", "/x", ONE).mark


def test_headings_are_named_as_the_site_that_was_found_names_them(tmp_path):
    write(tmp_path, {"docs/antora.yml": ANTORA})
    page = Sites(tmp_path, tmp_path).of(tmp_path / "docs/modules/ROOT/pages/a.adoc")
    parsed = read_document("a.adoc", b"= Title\n\nText.\n\n== First part\n\nText.\n", "d", naming=page.naming)
    assert [each.anchor for each in parsed.sections if each.title == "First part"] == ["first-part"]
