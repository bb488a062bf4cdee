// What is indexed; folders that the operator allowed, taken in with their progress.
import { ask } from "../api.js";
import { badge, bytes, h, head, number, problem, show, tile } from "../dom.js";

const EVERY = 400;

export async function open(place) {
  const tiles = h("div.tiles", {});
  const folders = h("section.box", {});
  const progress = h("div", { "aria-live": "polite" });
  const tags = h("section", {});
  show(place, head("Documents", "What is indexed, and folders to take in."), tiles, folders, progress, tags);
  let timer = null;
  let closed = false;

  async function look() {
    try {
      const status = await ask("status");
      if (closed) return;
      figures(status.figures);
      choices(status);
      show(progress, ingest(status.ingest));
      clearTimeout(timer);
      if (status.ingest.state === "running") timer = setTimeout(look, EVERY);
    } catch (error) {
      show(folders, problem(error));
    }
  }

  function figures(found) {
    show(tiles, tile("Documents", number(found.documents)), tile("Passages", number(found.chunks)), tile("Tokens", number(found.tokens)),
      tile("On disk", bytes(found.stored_bytes ?? 0), found.data_dir), tile("Model", found.model ?? "–"),
      tile("Last ingest", found.last_ingest ? new Date(found.last_ingest).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "never"));
    const rows = Object.entries(found.doc_tags).sort((one, other) => other[1].chunks - one[1].chunks);
    const most = Math.max(1, ...rows.map(([, each]) => each.chunks));
    show(tags, rows.length ? h("div.scroll", {}, h("table.grid", {}, h("thead", {}, h("tr", {}, ...["Tag", "Documents", "Passages", ""].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, ...rows.map(([name, each]) => h("tr", {}, h("td", {}, h("b", {}, name)), h("td.number", {}, number(each.documents)), h("td.number", {}, number(each.chunks)), h("td.wide", {}, h("progress", { max: most, value: each.chunks, "aria-label": `Passages of ${name}` }))))))) : null);
  }

  function choices(status) {
    const busy = status.ingest.state === "running";
    const row = (folder) => h("li", {}, h("code", {}, folder), h("button.primary", { type: "button", disabled: busy || status.read_only, onclick: () => start(folder) }, "Ingest"));
    const none = h("p.muted", {}, "No folder is allowed here. Name some in tools.yaml, or start with --docs DIR:");
    show(folders, h("h2", {}, "Folders"), status.read_only ? h("p", {}, badge("read-only server", "warn")) : null,
      ...(status.folders.length ? [h("ul.rows", {}, ...status.folders.map(row))] : [none, h("pre.plain", {}, "plugins:\n  console: {folders: [./docs]}")]));
  }

  async function start(folder) {
    try { await ask("ingest", { folder }); } catch (error) { show(progress, problem(error)); return; }
    await look();
  }

  function ingest(state) {
    if (state.state === "running") {
      const stop = h("button.ghost", { type: "button", onclick: () => ask("ingest/stop").then(look) }, "Stop");
      const bar = h("progress", { "aria-label": "Progress", max: state.total || 1 });
      if (state.total) bar.value = state.done;
      return h("section.box.running", {}, h("div.toolbar", {}, h("b", {}, state.stage[0].toUpperCase() + state.stage.slice(1)), h("span.muted", {}, state.total ? `${number(state.done)} of ${number(state.total)}` : ""), stop), bar, h("p.muted.cut", {}, state.item || "\u00a0"));
    }
    if (state.state === "done") return report(state.report);
    return state.message ? h("section.box", {}, badge(state.state, state.state === "failed" ? "bad" : "warn"), h("p", {}, state.message)) : null;
  }

  await look();
  return () => { closed = true; clearTimeout(timer); };
}

function report(found) {
  const facts = ["added", "changed", "unchanged", "deleted"].filter((each) => found[each]).map((each) => badge(`${number(found[each])} ${each}`, "good"));
  const skipped = Object.entries(found.skipped ?? {});
  return h("section.box", { "data-state": "done" }, h("h2", {}, "Done"), h("div.facts", {}, ...facts, found.failed.length ? badge(`${found.failed.length} failed`, "bad") : null), h("p", {}, found.message),
    skipped.length ? h("p.muted", {}, `Not read: ${skipped.map(([kind, count]) => `${count} ${kind}`).join(", ")}`) : null,
    found.failed.length ? h("ul.rows", {}, ...found.failed.map((each) => h("li", {}, h("code", {}, each.path), h("span", {}, each.reason)))) : null);
}
