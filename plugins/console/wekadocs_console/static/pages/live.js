// Calls as they end: tool, outcome, time and size. No argument and no text of a document is kept anywhere.
import { ask, tools } from "../api.js";
import { badge, bytes, duration, h, head, number, problem, show, svg, tile } from "../dom.js";

const EVERY = 1000;
const KEPT = 200;

export async function open(place) {
  const all = await tools();
  const budgets = new Map(all.map((each) => [each.contract, each.budgets]));
  const tiles = h("div.tiles", {});
  const chart = h("div.chart", {});
  const rows = h("tbody", {});
  const only = h("input", { type: "checkbox", id: "only-errors", onchange: () => draw() });
  const names = ["Time", "Tool", "Outcome", "Took", "Answer", "Of its budget"];
  show(place, head("Live calls", "Every client's calls as they end. Arguments and documents are never kept, so none are shown."),
    tiles, chart, h("div.toolbar", {}, only, h("label", { for: "only-errors" }, "Only what failed")),
    h("div.scroll", {}, h("table.grid", {}, h("thead", {}, h("tr", {}, ...names.map((each) => h("th", { scope: "col" }, each)))), rows)));
  let calls = [];
  let state = { running: {}, refused: {} };

  async function look() {
    try {
      state = await ask("calls", { after: calls.at(-1)?.number ?? 0 });
      if (state.calls.length || !tiles.firstChild) {
        calls = [...calls, ...state.calls].slice(-KEPT);
        draw();
      } else tell();
    } catch (error) {
      show(tiles, problem(error));
    }
  }

  function tell() {
    const times = calls.map((each) => each.seconds).sort((one, other) => one - other);
    const at = (share) => (times.length ? duration(times[Math.min(times.length - 1, Math.floor(times.length * share))]) : "–");
    const failed = calls.filter((each) => each.code !== "OK").length;
    const running = Object.entries(state.running);
    const refused = Object.values(state.refused).reduce((one, other) => one + other, 0);
    show(tiles, tile("Calls", number(calls.at(-1)?.number ?? 0), calls.length === KEPT ? `the last ${KEPT} below` : "since the start"),
      tile("Median", at(0.5)), tile("95 of 100 within", at(0.95)), tile("Failed", number(failed), "of those below"),
      tile("Under way", number(running.reduce((sum, [, count]) => sum + count, 0)), running.map(([name]) => name).join(", ") || "nothing"),
      tile("Turned away", number(refused), Object.entries(state.refused).map(([why, count]) => `${count} × ${why}`).join(", ") || "nobody"));
  }

  function draw() {
    tell();
    show(chart, bars(calls));
    const shown = calls.filter((each) => !only.checked || each.code !== "OK").toReversed();
    show(rows, shown.length ? shown.map(row) : h("tr", {}, h("td.muted", { colspan: 6 }, "No calls yet. Ask something, or let a client do so.")));
  }

  function row(each) {
    const budget = budgets.get(each.tool);
    const when = new Date(each.ended * 1000).toLocaleTimeString([], { hour12: false });
    return h("tr", {}, h("td", {}, when), h("td", {}, h("b", {}, each.tool)),
      h("td", {}, badge(each.code, each.code === "OK" ? "good" : "bad"), each.pointer ? h("code", {}, ` ${each.pointer}`) : null, each.limit ? badge(`cut: ${each.limit}`, "warn") : null),
      h("td.number", {}, duration(each.seconds)), h("td.number", {}, bytes(each.size)),
      h("td", {}, budget ? [meter("time", each.seconds, budget.timeout_seconds), meter("size", each.size, budget.response_bytes)] : null));
  }

  await look();
  const timer = setInterval(() => { if (!document.hidden) look(); }, EVERY);
  return () => clearInterval(timer);
}

function meter(name, value, most) {
  const share = Math.min(1, value / most);
  return h("span.meter", { title: `${name}: ${(share * 100).toFixed(1)} % of what the contract allows` }, h("span.muted", {}, name), h("meter", { "aria-label": `${name}, share of its budget`, min: 0, max: 1, low: 0.6, high: 0.85, optimum: 0, value: share }), h("span.muted", {}, `${Math.round(share * 100)} %`));
}

function bars(calls) {
  const last = calls.slice(-80);
  const most = Math.max(0.001, ...last.map((each) => each.seconds));
  const bar = (each, at) => svg("rect", { x: at * 12 + 2, width: 8, rx: 2, y: 78 - 72 * Math.max(0.03, each.seconds / most), height: 72 * Math.max(0.03, each.seconds / most), class: each.code === "OK" ? "bar" : "bar failed" }, svg("title", {}, `${each.tool} ${each.code} ${duration(each.seconds)}`));
  return last.length ? svg("svg", { viewBox: "0 0 964 84", preserveAspectRatio: "xMinYMid meet", role: "img", "aria-label": "How long the last calls took" }, svg("line", { x1: 0, x2: 964, y1: 79, y2: 79, class: "axis" }), ...last.map(bar)) : null;
}
