"""What a question finds beside its own words: their other forms in its language, synonyms that are configured."""

import pytest

PAGES = {
    "tabelle.md": "# Tabelle\n\nEine Tabelle wird mit `strata make` angelegt, und der Name darf nicht leer sein.",
    "ordner.md": "# Ordner\n\nDer Ordner ist nicht mit dem Netz verbunden, wenn die Leitung fehlt.",
    "fichier.md": "# Fichier\n\nLe fichier est dans le dossier, et il est copié par le service.",
    "archivo.md": "# Archivo\n\nLa configuración del archivo se guarda en el disco por el servicio.",
    "cartella.md": "# Cartella\n\nLa cartella è nel disco, e non si può cambiare.",
    "arquivo.md": "# Arquivo\n\nA configuração do arquivo fica no disco, e não muda.",
    "instelling.md": "# Instelling\n\nEen instelling wordt in het bestand gezet, en niet in de map.",
    "filesystem.md": "# Filesystem\n\nA filesystem is made by `strata create`. It needs a group.",
    "share.md": "# Share\n\nA share is what other people see of it.",
}
ASKED = [
    ("Wie kann ich die Tabellen anlegen?", "tabelle.md"),
    ("Où sont les fichiers dans ce dossier ?", "fichier.md"),
    ("¿Cómo se pueden configurar los archivos?", "archivo.md"),
    ("Dove sono le cartelle?", "cartella.md"),
    ("Como posso configurar os arquivos?", "arquivo.md"),
    ("Hoe kan ik instellingen zetten in de map?", "instelling.md"),
]


@pytest.fixture(scope="module")
def data(ingested):
    return ingested(PAGES)


@pytest.fixture(scope="module")
def plain(serve, data):
    return serve(data_dir=data)


@pytest.fixture(scope="module")
def worded(serve, data):
    synonyms = [["bottich", "filesystem"], ["fjord cup", "share"]]
    return serve(data_dir=data, corpus={"search": {"synonyms": synonyms, "language": "de"}})


def by_words(kb, query, **options):
    """Pages that the words found, in order, whatever the vectors say."""
    given = {"query": query, "options": {"include_debug": True, **options}}
    rows = [row for row in kb.ask("kb.search", given)["results"] if row["debug"]["words_rank"] is not None]
    return [row["path"] for row in sorted(rows, key=lambda row: row["debug"]["words_rank"])]


@pytest.mark.parametrize(("question", "page"), ASKED, ids=[page for _, page in ASKED])
def test_a_question_finds_the_other_forms_of_its_words_in_its_language(plain, question, page):
    assert by_words(plain, question)[0] == page
    quotes = plain.ask("kb.retrieve_evidence", {"question": question})["quotes"]
    assert quotes[0]["path"] == page


def test_forms_are_rewriting_and_can_be_left_out(plain):
    assert "tabelle.md" not in by_words(plain, "Wie sind die Tabellen?", rewrite=False)


def test_a_question_that_does_not_tell_its_language_has_the_configured_one(plain, worded):
    assert by_words(plain, "Tabellen") == []
    assert by_words(worded, "Tabellen") == ["tabelle.md"]
    assert "tabelle.md" not in by_words(worded, "What are the Tabellen?")


def test_a_synonym_changes_the_answer(plain, worded):
    question = {"question": "How is a bottich made?"}
    answer = worded.ask("kb.retrieve_evidence", question)
    assert answer["answerable"] is True
    assert "`strata create`" in answer["quotes"][0]["quote"]
    assert plain.ask("kb.retrieve_evidence", question)["answerable"] is False


def test_a_phrase_and_a_word_may_mean_the_same_in_any_form(worded):
    assert by_words(worded, "Who sees the fjord cups?")[0] == "share.md"
    assert by_words(worded, "Bottiche")[0] == "filesystem.md"


def test_a_synonym_is_no_word_that_nobody_has(worded):
    assert "No document has" not in str(worded.ask("kb.retrieve_evidence", {"question": "Who made the bottich?"}))


def test_synonyms_are_left_out_where_nothing_is_to_be_rewritten(worded):
    assert by_words(worded, "bottich", rewrite=False) == []
