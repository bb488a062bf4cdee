# One call of an HTTP API by the guarded fetcher: the address is ours, only the number is the caller's. Private
# addresses are refused unless ALLOWED names them; size, time and redirects are bounded.
import json
import os
from contextlib import asynccontextmanager

from wekadocs_fetch import Fetcher, FetchFailed, Limits, Policy
from wekadocs_mcp import ToolError, hookimpl, tool

API = os.environ.get("ISSUES_API", "https://tracker.example.com/api/issues")
ALLOWED = os.environ.get("ISSUES_ALLOW_HOSTS", "").split()
LIMITS = Limits(
    timeout_seconds=10,
    connect_seconds=3,
    idle_seconds=5,
    max_redirects=2,
    max_bytes=500_000,
    max_decompressed_bytes=1_000_000,
    retries=1,
    connections_per_host=2,
    delay_seconds=0,
    cache_bytes=0,
    robots=False,  # an API that its operator chose
    user_agent="wekadocs-gallery",
)


@hookimpl
@asynccontextmanager
async def lifespan(context):
    async with Fetcher(LIMITS, Policy(allow_hosts=ALLOWED)) as fetcher:
        yield fetcher


@tool("issues.get")
async def get(call, number):
    try:
        page = await call.state.fetch(f"{API}/{number}", accept=["application/json"])
        issue = json.loads(page.text)
        answer = {"title": str(issue["title"]), "state": str(issue["state"]), "url": page.final_url}
    except FetchFailed as error:
        raise ToolError("NO_ISSUE", f"Issue {number} cannot be read: {error}") from None
    except (ValueError, KeyError, TypeError):
        raise ToolError("NO_ISSUE", f"The tracker's answer about {number} is no issue.") from None
    return {**answer, "text": str(issue.get("body") or "")[:8000]}
