// The two ways to the server: tools by MCP at /_mcp, as any client calls them, and the console's own small questions.
// The token lives in this tab only (sessionStorage) and travels in a header: never in an address, never in a cookie.

const KEY = "wekadocs.token";
const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "wekadocs-console", version: "1" },
};
let askForToken = async () => {};
let lastId = 0;

export class Failure extends Error {
  constructor(code, message, details) {
    super(message);
    this.code = code;
    this.details = details ?? {};
  }
}

export const session = {
  get token() { return sessionStorage.getItem(KEY) ?? ""; },
  set token(value) { value ? sessionStorage.setItem(KEY, value) : sessionStorage.removeItem(KEY); },
  whenAsked(ask) { askForToken = ask; },
};

async function post(address, body, headers) {
  for (;;) {
    const sent = { "content-type": "application/json", ...headers };
    if (session.token) sent.authorization = `Bearer ${session.token}`;
    let reply;
    try {
      reply = await fetch(address, {
        method: "POST", headers: sent, body: JSON.stringify(body), credentials: "omit", cache: "no-store", redirect: "error",
      });
    } catch {
      throw new Failure("UNREACHABLE", "The server does not answer. Is it still running?");
    }
    if (reply.status !== 401) return reply;
    await askForToken(Boolean(session.token));
  }
}

export async function ask(name, body = {}) {
  const reply = await post(`api/${name}`, body);
  const found = await reply.json().catch(() => ({}));
  if (reply.ok) return found;
  const error = found.error ?? {};
  throw new Failure(error.code ?? `HTTP ${reply.status}`, error.message ?? found.detail ?? "The server refused this.", error.details);
}

async function message(reply) {
  if (!(reply.headers.get("content-type") ?? "").startsWith("text/event-stream")) return reply.json();
  const events = (await reply.text()).split(/\r?\n\r?\n/);
  const data = events.map((each) => each.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n"));
  return data.filter((each) => each.trim()).map((each) => JSON.parse(each)).findLast((each) => "result" in each || "error" in each);
}

async function rpc(method, params, name) {
  const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": VERSION, "mcp-method": method };
  if (name) headers["mcp-name"] = name;
  const body = { jsonrpc: "2.0", id: ++lastId, method, params: { ...params, _meta: META } };
  const reply = await message(await post("../_mcp", body, headers));
  if (reply?.result) return reply.result;
  throw new Failure(`JSON-RPC ${reply?.error?.code ?? ""}`, reply?.error?.message ?? "The server gave no answer.");
}

// One call of a tool: what a client gets, and how long it took. A tool's own failure is part of the answer.
export async function call(name, args) {
  const started = performance.now();
  const result = await rpc("tools/call", { name, arguments: args }, name);
  const seconds = (performance.now() - started) / 1000;
  const text = result.content.filter((each) => each.type === "text").map((each) => each.text).join("\n");
  let error = null;
  if (result.isError) {
    try { error = JSON.parse(result.content.at(-1).text).error; } catch { error = { code: "ERROR", message: text }; }
  }
  return { result, text, error, seconds, data: result.structuredContent ?? null };
}

export async function answer(name, args) {
  const done = await call(name, args);
  if (done.error) throw new Failure(done.error.code, done.error.message, done.error.details);
  return done;
}

// Every tool with its contract, asked once for all pages; `name` is what this server calls it.
let known;
export function tools(again = false) {
  if (!known || again) known = ask("tools").then((found) => found.tools).catch((error) => { known = null; throw error; });
  return known;
}

export async function served(contract) {
  const found = (await tools()).find((each) => each.contract === contract && !each.off && !each.down);
  if (!found) throw new Failure("NOT SERVED", `${contract} is not served here: its plugin, toolset or switch is off.`);
  return found;
}

export async function tokens(texts) {
  return (await ask("tokens", { texts })).tokens;
}
