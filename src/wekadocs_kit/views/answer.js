// An answer inside a client that shows MCP Apps: it is handed a tool's result and shows its quotes.
import { badge, h, show } from "./dom.js";
import { documentView } from "./document_view.js";

let lastId = 0;
const tell = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const ask = (method, params) => tell({ id: ++lastId, method, params });
const place = h("main", { "aria-live": "polite" }, h("p.muted", {}, "Looking …"));

function card(quote, at) {
  const where = `${quote.path ?? ""}${quote.anchor ? `#${quote.anchor}` : ""}`;
  const leads = /^https?:\/\//i.test(quote.url ?? "");
  const open = leads ? h("button", { type: "button", onclick: () => ask("ui/open-link", { url: quote.url }) }, "Open the page") : null;
  return h("section.card", {}, h("span.rank", {}, String(at + 1)),
    documentView(quote.header ? `${quote.header}\n${quote.quote}` : quote.quote, []),
    h("footer", {}, h("b", {}, quote.title), h("span.muted", {}, where), open));
}

function present(result) {
  const data = result.structuredContent;
  if (result.isError || !data?.quotes) {
    const text = (result.content ?? []).filter((each) => each.type === "text").map((each) => each.text).join("\n");
    show(place, h("p.muted", {}, text || "There is no answer."));
    return;
  }
  const verdict = data.answerable ? badge("Answered", "good") : badge("Probably not in the documentation", "bad");
  const sure = data.answer_confidence === undefined || !data.answerable ? null : badge(`${Math.round(data.answer_confidence * 100)} % of answers like this hold`);
  show(place, h("div.facts", {}, verdict, sure), data.hint ? h("p.muted", {}, data.hint) : null, ...data.quotes.map(card));
}

function dress(context) {
  if (context?.theme) document.documentElement.dataset.theme = context.theme;
  for (const [name, value] of Object.entries(context?.styles?.variables ?? {})) {
    if (name.startsWith("--") && typeof value === "string") document.documentElement.style.setProperty(name, value);
  }
}

const HEARD = {
  "ui/notifications/tool-result": present,
  "ui/notifications/host-context-changed": dress,
  "ui/notifications/tool-cancelled": () => show(place, h("p.muted", {}, "It was cancelled.")),
};

addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  if (data.id === 1 && !data.method) {
    dress(data.result?.hostContext);
    tell({ method: "ui/notifications/initialized" });
    new ResizeObserver(() => tell({ method: "ui/notifications/size-changed", params: { width: place.scrollWidth, height: place.offsetHeight } })).observe(place);
  } else if (data.id !== undefined && (data.method === "ui/resource-teardown" || data.method === "ping")) tell({ id: data.id, result: {} });
  else HEARD[data.method]?.(data.params ?? {});
});
document.body.append(place);
ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "wekadocs-answer", version: "1" }, appCapabilities: {} });
