// Every setting that holds and who says so; whether all parts work. Secrets never leave the server.
import { ask } from "../api.js";
import { badge, h, head, show } from "../dom.js";

const STATES = { ok: "good", warning: "warn", broken: "bad" };

export async function open(place) {
  const [found, { findings }] = await Promise.all([ask("settings"), ask("health")]);
  const bad = findings.filter((each) => each.state !== "ok");
  const filter = h("input", { type: "search", placeholder: "Find a setting …", "aria-label": "Find a setting" });
  const changed = h("input", { type: "checkbox", id: "not-default" });
  const table = h("div", {});
  show(place, head("Settings", "What holds here, and the file, variable or option that says so. Secrets are hidden."),
    h("details.box", { open: bad.length > 0 }, h("summary", {}, h("b", {}, "Health "), badge(bad.length ? `${bad.length} of ${findings.length} parts need a look` : `${findings.length} parts, all well`, bad.length ? "bad" : "good")), h("ul.rows", {}, ...findings.map((each) => h("li", {}, badge(each.state, STATES[each.state]), h("b", {}, each.what), h("span.muted.grow", {}, each.note), each.fix ? h("span", {}, `fix: ${each.fix}`) : null)))),
    h("dl", {}, h("dt", {}, "Files"), h("dd", {}, found.files.toReversed().join(" over ")), h("dt", {}, "Data directory"), h("dd", {}, found.data_dir)),
    h("div.toolbar", {}, filter, changed, h("label", { for: "not-default" }, "Without defaults")), table);

  function list() {
    const text = filter.value.trim().toLowerCase();
    const rows = found.settings.filter((each) => (!changed.checked || each.said !== "default") && `${each.key} ${JSON.stringify(each.value)}`.toLowerCase().includes(text));
    const groups = Map.groupBy(rows, (each) => each.key.split(".")[0]);
    show(table, ...[...groups].map(([name, each]) => h("section", {}, h("h2", {}, name), h("div.scroll", {}, h("table.grid.settings", {}, h("tbody", {}, ...each.map(row)))))));
  }
  filter.addEventListener("input", list);
  changed.addEventListener("change", list);
  list();
}

function row(setting) {
  const value = JSON.stringify(setting.value);
  const masked = value.includes("(hidden)");
  const from = setting.file ? `${setting.file.split(/[\\/]/).at(-1)}:${setting.line}` : setting.said;
  return h("tr", {}, h("td", {}, h("code", {}, setting.key)), h("td.value", {}, masked ? badge(value.replaceAll('"', ""), "warn") : h("code", {}, value)),
    h("td", { title: setting.file ?? setting.said }, badge(from, setting.said === "default" ? "" : "info")));
}
