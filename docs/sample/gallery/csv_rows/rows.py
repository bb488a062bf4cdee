# Rows of a CSV file that hold all words. The file is read anew for each call, so that an edit counts at once.
import csv
from pathlib import Path

from wekadocs_mcp import tool

TABLE = Path(__file__).parent / "prices.csv"


@tool("prices.rows")
def rows(call, words, limit):
    wanted = words.casefold().split()
    found = []
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, restkey="more", restval=""):
            call.deadline.check()
            plain = {name: value for name, value in row.items() if isinstance(value, str)}
            if not all(word in " ".join(plain.values()).casefold() for word in wanted):
                continue
            if len(found) == limit or not call.budget.fits(plain):
                return {"rows": found, "more": True}
            found.append(plain)
    return {"rows": found, "more": False}
