// What stands around a node, drawn: sections, documents, entities and how they are related.
import { answer, ask, served } from "../api.js";
import { documentView } from "../document_view.js";
import { badge, h, head, problem, show, svg } from "../dom.js";
import { frame, layout } from "../graph_layout.js";

const NAMED = 12; // relations around a node whose names can be read; those of more are told beside the picture
const LETTER = 6.8; // how wide one is, about
const KINDS = ["Document", "Section", "Chunk"];

export async function open(place, [start]) {
  const input = h("input", { type: "search", placeholder: "Begin with a topic, such as a command or a page …", "aria-label": "Topic", dir: "auto" });
  const hops = h("select", { "aria-label": "How far" }, ...[1, 2, 3].map((each) => h("option", { value: each }, each === 1 ? "1 step" : `${each} steps`)));
  const form = h("form.ask", { role: "search" }, input, hops, h("button.primary", { type: "submit" }, "Find"));
  const results = h("div.chips", {});
  const canvas = h("div.canvas", {});
  const about = h("aside.about", { "aria-live": "polite" });
  show(place, head("Graph", "How sections, documents and the things they name hang together."), form, results, h("div.split.wide", {}, canvas, about));
  const narrow = canvas.clientWidth < 560; // few enough that their names can be read
  hops.value = narrow ? "1" : "2";
  form.addEventListener("submit", (event) => { event.preventDefault(); find().catch((error) => show(canvas, problem(error))); });
  hops.addEventListener("change", () => centre && go(centre));
  let centre = null;

  async function find() {
    const found = (await answer((await served("kb.search")).name, { query: input.value.trim(), top_k: 8 })).data.results;
    const seen = new Map(found.map((each) => [each.section_id, each]));
    show(results, ...[...seen.values()].map((each) => h("button.chip", { type: "button", onclick: () => go(each.section_id) }, each.title)));
    if (found.length) await go(found[0].section_id);
    else show(canvas, h("p.muted.empty", {}, "Nothing is called so."));
  }

  async function go(id) {
    centre = id;
    try {
      const [expand, describe] = [await served("graph.expand"), await served("graph.describe")];
      const [near, own] = await Promise.all([
        answer(expand.name, { node_ids: [id], max_hops: Number(hops.value), page_size: narrow ? 12 : 45 }),
        answer(describe.name, { node_ids: [id], include_snippet: true }),
      ]);
      if (canvas.clientWidth === 0) return; // another page is shown by now
      const nodes = [...own.data.results, ...near.data.nodes.filter((each) => each.id !== id)];
      if (!own.data.results.length) throw new Error("There is no such node any more.");
      draw(nodes, near.data.edges, near.data.partial);
      tell(nodes[0], near.data.edges, nodes);
    } catch (error) {
      show(canvas, problem(error));
    }
  }

  function draw(nodes, edges, partial) {
    const widths = new Map(nodes.map((each) => [each.id, Math.max(24, short(named(each)).length * LETTER)]));
    const shape = canvas.clientWidth / Math.max(400, innerHeight - 290);
    const places = layout(nodes, edges, centre, widths, shape);
    const box = frame(places, widths, shape, Math.min(520, canvas.clientWidth));
    const lines = edges.filter((each) => places.has(each.src) && places.has(each.dst)).map((each) => {
      const [a, b] = [places.get(each.src), places.get(each.dst)];
      return svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: "edge", "data-from": each.src, "data-to": each.dst }, svg("title", {}, each.type));
    });
    const names = edges.filter((each) => places.has(each.src) && places.has(each.dst)).map((each) => {
      const [a, b] = [places.get(each.src), places.get(each.dst)];
      return svg("text", { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, class: "relation", "data-from": each.src, "data-to": each.dst }, each.type.toLowerCase().replaceAll("_", " "));
    });
    const dots = nodes.map((node) => dot(node, places.get(node.id), () => tell(node, edges, nodes), () => go(node.id)));
    const picture = svg("svg", { viewBox: box.join(" "), class: "graph", role: "group", "aria-label": `${nodes.length} nodes around ${named(nodes[0])}` }, ...lines, ...names, ...dots);
    zoomable(picture, box);
    const kinds = Map.groupBy([...new Set(nodes.map((each) => each.label))], shade);
    show(canvas, picture, h("div.legend", {}, ...[...kinds].map(([kind, labels]) => h("span", {}, h(`i.${kind}`, {}), labels.join(", "))),
      h("span.muted", {}, partial ? "the nearest of more" : `${nodes.length} nodes, ${lines.length} relations`)));
  }

  function tell(node, edges, nodes) {
    const byId = new Map(nodes.map((each) => [each.id, each]));
    const touching = edges.filter((each) => each.src === node.id || each.dst === node.id);
    for (const each of canvas.querySelectorAll(".node")) each.classList.toggle("chosen", each.dataset.id === node.id);
    const lit = touching.length > NAMED ? ".edge" : ".edge, .relation";
    for (const each of canvas.querySelectorAll(".edge, .relation")) each.classList.toggle("lit", each.matches(lit) && (each.dataset.from === node.id || each.dataset.to === node.id));
    const row = (each) => {
      const other = byId.get(each.src === node.id ? each.dst : each.src);
      return other ? h("li", {}, h("span.muted", {}, `${each.src === node.id ? "→" : "←"} ${each.type.toLowerCase().replaceAll("_", " ")} `), h("button.linklike", { type: "button", onclick: () => tell(other, edges, nodes) }, named(other))) : null;
    };
    show(about, h("div.facts", {}, badge(node.label), node.doc_tag ? badge(node.doc_tag) : null, node.tokens ? badge(`${node.tokens} tokens`) : null),
      h("h2", {}, named(node)), node.snippet ? documentView(node.snippet, []) : null,
      node.id === centre ? null : h("button", { type: "button", onclick: () => go(node.id) }, "Go there"),
      h("ul.plainlist", {}, ...touching.map(row)));
  }

  if (start) await go(start);
  else {
    await welcome(canvas, (topic) => { input.value = topic; form.requestSubmit(); });
    input.focus();
  }
}

// What there is to begin with: the tags of most pages.
async function welcome(canvas, choose) {
  const { figures } = await ask("status");
  const tags = Object.entries(figures.doc_tags).sort(([, one], [, other]) => other.chunks - one.chunks).slice(0, 8).map(([name]) => name);
  show(canvas, h("div.empty", {}, h("p.muted", {}, "Look for a topic; what is related to it is drawn here."),
    h("div.chips", {}, ...tags.map((each) => h("button.chip", { type: "button", onclick: () => choose(each) }, each)))));
}

const named = (node) => node.title || node.name || node.id;
const short = (name) => (name.length > 24 ? `${name.slice(0, 23)}…` : name);
const shade = (label) => `kind${KINDS.includes(label) ? KINDS.indexOf(label) : 3}`;

function dot(node, at, choose, follow) {
  const name = named(node);
  const keys = (event) => {
    if (event.key === "Enter") follow();
    else if (event.key === " ") { event.preventDefault(); choose(); }
  };
  return svg("g", { class: `node ${shade(node.label)}`, "data-id": node.id, tabindex: 0, role: "button", "aria-label": `${node.label}: ${name}`,
    transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`, onclick: choose, ondblclick: follow, onkeydown: keys, onfocus: choose },
    svg("circle", { r: node.label === "Document" ? 11 : 8 }), svg("text", { y: 25 }, short(name)), svg("title", {}, name));
}

function zoomable(picture, box) {
  let [x, y, w, t] = box;
  const look = () => picture.setAttribute("viewBox", `${x} ${y} ${w} ${t}`);
  picture.addEventListener("wheel", (event) => {
    event.preventDefault();
    const factor = event.deltaY > 0 ? 1.12 : 1 / 1.12;
    if (w * factor > box[2] * 2 || w * factor < box[2] / 6) return;
    const shown = picture.getBoundingClientRect();
    x += w * ((event.clientX - shown.left) / shown.width) * (1 - factor);
    y += t * ((event.clientY - shown.top) / shown.height) * (1 - factor);
    [w, t] = [w * factor, t * factor];
    look();
  }, { passive: false });
  picture.addEventListener("pointermove", (event) => {
    if (event.buttons !== 1 || event.target.closest(".node")) return;
    const shown = picture.getBoundingClientRect();
    x -= event.movementX * w / shown.width;
    y -= event.movementY * t / shown.height;
    look();
  });
}
