// What each tool promises: versions, hashes, budgets; and what has changed since the lock or the last release.
import { ask, tokens, tools } from "../api.js";
import { badge, bytes, h, head, number, problem, show } from "../dom.js";
import { jsonView } from "../json_view.js";

const KINDS = { breaking: "bad", additive: "good", docs: "", none: "good", unproven: "warn" };

export async function open(place) {
  const [found, { bases }] = await Promise.all([tools(true), ask("bases")]);
  const all = [...found.filter((each) => each.listed), ...found.filter((each) => !each.listed)];
  const rows = h("tbody", {});
  const filter = h("input", { type: "search", placeholder: "Find a contract …", "aria-label": "Find a contract" });
  const compare = diffPart(bases);
  const names = ["Contract", "Version", "Status", "Plugin", "Tokens", "Answer ≤", "Within", "At once", "Hash"];
  show(place, head("Contracts", "What this server promises its callers, version by version."),
    compare,
    h("div.toolbar", {}, filter, h("span.muted", {}, `${all.length} contracts`)),
    h("div.scroll", {}, h("table.grid", {}, h("thead", {}, h("tr", {}, ...names.map((each) => h("th", { scope: "col" }, each)))), rows)));
  const costs = await tokens(all.map((each) => JSON.stringify({ name: each.name, description: each.definition.description, inputSchema: each.definition.inputSchema })));

  function list() {
    const text = filter.value.trim().toLowerCase();
    show(rows, all.map((each, at) => ({ ...each, cost: costs[at] })).filter((each) => `${each.contract} ${each.plugin} ${each.status}`.includes(text)).map(row));
  }
  filter.addEventListener("input", list);
  list();
}

function row(tool) {
  const more = h("tr.more", { hidden: true }, h("td", { colspan: 9 }));
  const toggle = h("button.disclose", { type: "button", "aria-expanded": "false", onclick: () => {
    more.hidden = !more.hidden;
    toggle.setAttribute("aria-expanded", String(!more.hidden));
    if (!more.hidden) show(more.firstChild, detail(tool));
  } }, tool.contract);
  const state = tool.off ? badge("off", "bad") : tool.listed ? null : badge("not listed");
  return [h("tr", {}, h("td", {}, toggle, " ", state), h("td", {}, tool.version), h("td", {}, badge(tool.status, tool.status === "stable" ? "good" : "warn")),
    h("td", {}, tool.plugin), h("td.number", {}, number(tool.cost)), h("td.number", {}, bytes(tool.budgets.response_bytes)),
    h("td.number", {}, `${tool.budgets.timeout_seconds} s`), h("td.number", {}, String(tool.budgets.max_concurrency)),
    h("td", {}, h("code", {}, tool.hash.replace("sha256:", "").slice(0, 12)))), more];
}

function detail(tool) {
  const facts = [
    ["Served as", tool.name], ["File", tool.file], ["Off because", tool.off], ["Down because", tool.down], ["Replaced by", tool.replaced_by],
    ["Errors", tool.errors?.join(", ") ?? "any"],
  ].filter(([, value]) => value);
  return h("div.detail", {}, h("p.pre", {}, tool.definition.description),
    h("dl", {}, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("div.columns", {}, h("div", {}, h("h3", {}, "Input"), jsonView(tool.definition.inputSchema)),
      h("div", {}, h("h3", {}, "Output"), jsonView(tool.definition.outputSchema ?? null))));
}

function diffPart(bases) {
  const names = Object.entries(bases);
  if (!names.length) return null;
  const choose = h("select", { "aria-label": "Compare with" }, ...names.map(([value, name]) => h("option", { value }, name)));
  const found = h("div", { "aria-live": "polite" });
  const button = h("button", { type: "button", onclick: async () => {
    button.disabled = true;
    show(found, h("p.muted.busy", {}, "Proving what changed; this takes a few seconds …"));
    try { show(found, changes(await ask("diff", { base: choose.value }))); } catch (error) { show(found, problem(error)); }
    button.disabled = false;
  } }, "Compare");
  return h("section.box", {}, h("div.toolbar", {}, h("b", {}, "Changes since"), choose, button), found);
}

function changes(diff) {
  if (!diff.changes.length) return h("p", {}, badge("nothing changed", "good"), " The contracts are what they were.");
  const card = (each) => h("li.change", {}, h("div.facts", {}, badge(each.verdict, KINDS[each.verdict]), h("b", {}, each.tool), h("code", {}, each.rule), h("span.muted", {}, `${each.direction} ${each.pointer ?? ""}`)),
    each.before === undefined && each.after === undefined ? null : h("div.columns", {}, side("Before", each.before), side("After", each.after)),
    each.witness ? h("details.group", {}, h("summary", {}, h("b", {}, each.direction === "input" ? "A call that fails now" : "An answer that was not possible before")), jsonView(each.witness)) : null);
  return [h("p", {}, badge(diff.verdict, KINDS[diff.verdict]), ` ${diff.changes.length} changes`), h("ul.changes", {}, ...diff.changes.slice(0, 200).map(card))];
}

function side(name, value) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1) ?? "—";
  return h("div", {}, h("small.muted", {}, name), h("pre.plain", {}, text.length > 1500 ? `${text.slice(0, 1500)} …` : text));
}
