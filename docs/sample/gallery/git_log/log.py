# git log by fixed words: nothing of the caller's can become an option, hooks and pagers are off, the deadline ends it.
import asyncio
import os

from wekadocs_mcp import ToolError, tool

REPOSITORY = os.environ.get("LOG_REPOSITORY", ".")
FORM = "%h%x1f%as%x1f%an%x1f%s"
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", ""),
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_PAGER": "cat",
    "GIT_OPTIONAL_LOCKS": "0",
}


@tool("repo.log")
async def log(call, path, since, words, limit):
    command = ["git", "-C", REPOSITORY, "-c", "core.fsmonitor=false", "log", f"--max-count={limit}", f"--format={FORM}"]
    command += [f"--since={since}T00:00:00"] if since else []
    command += ["--fixed-strings", "--regexp-ignore-case", f"--grep={words}"] if words else []
    command += ["--end-of-options", "HEAD", "--", *([path] if path else [])]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, env=ENVIRONMENT)
    try:
        out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise ToolError(
            "NO_HISTORY", "There is no history to read: LOG_REPOSITORY names no git repository with commits."
        )
    rows = [line.split("\x1f", 3) for line in out.decode("utf-8", "replace").splitlines()]
    return {"commits": [dict(zip(("hash", "date", "author", "subject"), row, strict=True)) for row in rows]}
