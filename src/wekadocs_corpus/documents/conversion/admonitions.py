"""What the boxes of documentation are called, whatever their markup."""


def words(several: str) -> frozenset[str]:
    """Names in one string, as they are read best."""
    return frozenset(several.split())


ADMONITIONS = {
    name: label
    for label, names in {
        "Note": "note notes remark memo aside",
        "Tip": "tip protip",
        "Hint": "hint",
        "Important": "important",
        "Warning": "warning warn",
        "Caution": "caution attention",
        "Danger": "danger",
        "Error": "error failure fail missing",
        "Bug": "bug",
        "Info": "info information",
        "Success": "success check done",
        "Question": "question help faq",
        "Example": "example",
        "Quote": "quote cite",
        "Abstract": "abstract summary tldr",
        "See also": "seealso",
    }.items()
    for name in names.split()
}
