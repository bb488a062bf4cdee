# One SELECT on a SQLite file. The file is opened read-only, an authorizer refuses everything but reading, a row cap and
# the call's deadline bound what it may cost.
import sqlite3
from pathlib import Path

from wekadocs_mcp import ToolError, tool

DATABASE = Path(__file__).parent / "shop.sqlite"
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def allow(action, name, *rest):
    loads_code = action == sqlite3.SQLITE_FUNCTION and rest[0] == "load_extension"
    return sqlite3.SQLITE_OK if action in READING and not loads_code else sqlite3.SQLITE_DENY


@tool("shop.query")
def query(call, sql, limit):
    connection = sqlite3.connect(f"{DATABASE.as_uri()}?mode=ro", uri=True)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
        connection.set_authorizer(allow)
        connection.set_progress_handler(lambda: call.deadline.remaining() <= 0, 10_000)
        found = connection.execute(sql)
        columns = [each[0] for each in found.description or ()]
        return shown(call, columns, found, limit)
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise ToolError("BAD_SQL", f"{error}. Only one SELECT is allowed.") from None
    finally:
        connection.close()


def shown(call, columns, found, limit):
    rows = []
    for row in found:
        plain = [each.hex() if isinstance(each, bytes) else each for each in row]
        if len(rows) == limit or not call.budget.fits(plain):
            return {"columns": columns, "rows": rows, "more": True}
        rows.append(plain)
    return {"columns": columns, "rows": rows, "more": False}
