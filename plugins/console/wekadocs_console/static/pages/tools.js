// Any tool, called with a form made from its contract; the answer as a program, a person and a model see it.
import { call, tokens, tools } from "../api.js";
import { badge, bytes, duration, h, head, number, problem, show, tabs } from "../dom.js";
import { jsonView, textView } from "../json_view.js";
import { schemaForm } from "../schema_form.js";

export async function open(place, [wanted]) {
  const all = (await tools()).filter((each) => !each.off);
  const filter = h("input", { type: "search", placeholder: "Find a tool …", "aria-label": "Find a tool" });
  const list = h("nav.list", { "aria-label": "Tools" });
  const panel = h("section.panel", {});
  show(place, head("Try tools", "Call any tool as a client would: the same checks, limits and answers."),
    h("div.split.narrow", {}, h("div", {}, filter, list), panel));

  function names() {
    const text = filter.value.trim().toLowerCase();
    const found = all.filter((each) => `${each.name} ${each.definition.title}`.toLowerCase().includes(text));
    const row = (each) => h("a", { href: `#/tools/${encodeURIComponent(each.name)}`, "aria-current": each === chosen ? "page" : null },
      h("b", {}, each.name), h("small.muted", {}, each.definition.title));
    const [listed, others] = [found.filter((each) => each.listed), found.filter((each) => !each.listed)];
    show(list, ...listed.map(row), others.length ? h("span.section", {}, "Not listed to clients") : null, ...others.map(row));
  }

  const chosen = all.find((each) => each.name === wanted) ?? all.find((each) => each.contract === "kb.search") ?? all.find((each) => each.listed) ?? all[0];
  filter.addEventListener("input", names);
  names();
  const here = list.querySelector("[aria-current]")?.getBoundingClientRect().top;
  for (const each of [list, list.parentElement]) { // what scrolls depends on the window; never the page itself
    if (here !== undefined && each.scrollHeight > each.clientHeight) each.scrollTop = here - each.getBoundingClientRect().top - each.clientHeight / 2;
  }
  if (chosen) present(panel, chosen);
  else show(panel, h("p.muted", {}, "This server has no tools."));
}

function present(panel, tool) {
  const form = schemaForm(tool.definition.inputSchema);
  const result = h("div.result", { "aria-live": "polite" });
  const run = h("button.primary", { type: "submit" }, "Call");
  const example = tool.examples.length
    ? h("button.ghost", { type: "button", onclick: () => form.set(tool.examples[0]) }, "Fill in the example") : null;
  const clear = h("button.ghost", { type: "button", onclick: () => { form.set({}); show(result); } }, "Clear");
  const view = h("form", { novalidate: true }, form.element, h("div.actions", {}, run, example, clear));
  const [hints, does] = [tool.definition.annotations ?? {}, tool.definition.description];
  const cost = h("span", {});
  show(panel, h("div.tool-head", {}, h("h2", {}, tool.name), badge(`v${tool.version}`), badge(tool.status, tool.status === "stable" ? "good" : "warn"),
    hints.readOnlyHint ? badge("reads only") : badge(hints.destructiveHint ? "may destroy" : "writes", "warn"), cost),
    h("p", {}, tool.definition.title),
    h("details.group", {}, h("summary", {}, h("b", {}, "What a model is told about it")), h("p.pre.inset", {}, does)), view, result);
  tokens([JSON.stringify({ name: tool.name, description: does, inputSchema: tool.definition.inputSchema })])
    .then(([count]) => show(cost, badge(`${number(count)} tokens in every tools/list`)), () => {});
  view.addEventListener("submit", async (event) => {
    event.preventDefault();
    run.disabled = true;
    show(result, h("p.muted.busy", {}, "Calling …"));
    try {
      const args = form.get() ?? {};
      show(result, await answered(tool, args, await call(tool.name, args)));
    } catch (error) {
      show(result, problem(error));
    }
    run.disabled = false;
    result.scrollIntoView({ block: "nearest" });
  });
}

async function answered(tool, args, done) {
  const structure = done.data ? JSON.stringify(done.data) : "";
  const [sent, text, json] = await tokens([JSON.stringify(args), done.text, structure]);
  const size = new TextEncoder().encode(structure).length;
  const facts = h("div.facts", {},
    done.error ? badge(done.error.code, "bad") : badge("OK", "good"), badge(duration(done.seconds)),
    badge(`${number(text)} tokens as text`), done.data ? badge(`${number(json)} tokens as JSON`) : null, badge(`${number(sent)} tokens sent`),
    structure ? badge(`${bytes(size)} of ${bytes(tool.budgets.response_bytes)}`) : null);
  const pages = [["Text", done.error ? problem(done.error) : textView(done.text)]];
  if (done.data) pages.push(["JSON", jsonView(done.data)]);
  pages.push(["Whole result", jsonView(done.result)], ["Request", jsonView({ method: "tools/call", params: { name: tool.name, arguments: args } })]);
  return [facts, tabs(pages)];
}
