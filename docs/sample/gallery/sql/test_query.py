from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_nothing_but_one_select_is_done():
    before = (HERE / "shop.sqlite").read_bytes()
    with client_for(plugins=[HERE]) as client:
        for sql in (
            "INSERT INTO goods VALUES (9, 'x', 1)",
            "DROP TABLE goods",
            "SELECT 1; DELETE FROM goods",
            "ATTACH '/tmp/x.db' AS other",
            "PRAGMA writable_schema = 1",
            "SELECT load_extension('x')",
            "VACUUM INTO '/tmp/x.db'",
            "",
        ):
            reply = client.call("shop.query", sql=sql)
            assert (reply.error or {}).get("code") == "BAD_SQL" or reply.data["rows"] == [], sql
        many = client.call("shop.query", sql="SELECT a.id FROM goods a, goods b, goods c", limit=5)
    assert len(many.data["rows"]) == 5 and many.data["more"]
    assert (HERE / "shop.sqlite").read_bytes() == before


def test_a_query_without_end_ends_with_its_deadline(tmp_path):
    forever = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n"
    with client_for({"budgets": {"timeout_seconds": 0.5}}, plugins=[HERE]) as client:
        assert client.call("shop.query", sql=forever).error["code"] in ("TIMEOUT", "BAD_SQL")
