// A question, the quotes that answer it, and each in its page.
import { answer, ask, served, tokens } from "../api.js";
import { badge, duration, h, head, link, number, problem, show } from "../dom.js";
import { documentView } from "../document_view.js";
import { jsonView, textView } from "../json_view.js";

const TOOL = "kb.retrieve_evidence";
let last = null; // what was asked, for whoever comes back to this page

export async function open(place) {
  const input = h("input", { type: "search", id: "question", placeholder: "Ask the documentation …", "aria-label": "Question", autocomplete: "off", dir: "auto" });
  const button = h("button.primary", { type: "submit" }, "Ask");
  const form = h("form.ask", { role: "search" }, input, button);
  const found = h("div.answer", { "aria-live": "polite" });
  const reader = h("section.reader", { "aria-label": "The page that is quoted", tabindex: "-1" });
  const both = h("div.split", {}, found, reader);
  show(place, head("Ask", "Quotes from your documentation, word for word, each shown where it stands."), form, both);
  form.addEventListener("submit", (event) => { event.preventDefault(); if (input.value.trim()) run(input.value.trim()); });

  async function run(question) {
    show(found, h("p.muted.busy", {}, "Looking …"));
    show(reader);
    button.disabled = true;
    try {
      const tool = await served(TOOL);
      const done = await answer(tool.name, { question });
      const [cost] = await tokens([done.text]);
      last = { question, done, cost };
      present(last);
    } catch (error) {
      show(found, problem(error));
    }
    button.disabled = false;
  }

  function present({ done, cost }) {
    const { quotes, answerable, answer_confidence: sure, hint } = done.data ?? { quotes: [] };
    const verdict = answerable ? badge("Answered", "good") : badge("Probably not in the documentation", "bad");
    const facts = h("div.facts", {}, verdict,
      sure === undefined || !answerable ? null : badge(`${Math.round(sure * 100)} % of answers like this hold`),
      badge(`${number(cost)} tokens for a model`), badge(duration(done.seconds)));
    const cards = quotes.map((quote, at) => card(quote, at, () => read(quotes, at, cards)));
    const model = h("details.group", {}, h("summary", {}, h("b", {}, "What a model gets")), textView(done.text), jsonView(done.data));
    show(found, facts, hint ? h("p.hint", {}, hint) : null, ...cards, model);
    if (cards.length) read(quotes, 0, cards);
    else show(reader);
  }

  async function read(quotes, at, cards) {
    const quote = quotes[at];
    cards.forEach((each, index) => each.setAttribute("aria-pressed", String(index === at)));
    try {
      const page = await ask("page", { section_id: quote.section_id, start: quote.start, end: quote.end, among: quotes.map((each) => each.section_id) });
      const own = new Set(page.together);
      const here = quotes.map((each, index) => ({ ...each, index })).filter((each) => own.has(each.section_id));
      const places = here.map((each) => ({ id: each.index, start: each.start - page.from, end: each.end - page.from }))
        .filter((each) => each.end > 0);
      const view = documentView(page.text, places.map((each) => ({ ...each, start: Math.max(0, each.start) })));
      const scroll = h("div.sheet", { tabindex: "0" }, page.from > 0 ? h("p.muted", {}, "…") : null, view);
      const check = h("span", {});
      show(reader, h("div.reader-head", {}, h("b", {}, page.title), h("span.muted", {}, page.path), check,
        page.url ? link(page.url, "Open the published page") : null), scroll);
      const marks = view.querySelectorAll(`mark[data-place="${at}"]`);
      marks.forEach((each) => each.classList.add("current"));
      if (marks.length) scroll.scrollTo({ top: marks[0].offsetTop - 60, behavior: "instant" });
      verify(page, quote, check);
    } catch (error) {
      show(reader, problem(error));
    }
  }

  input.focus();
  if (last) {
    input.value = last.question;
    present(last);
  } else {
    await welcome(found, (question) => { input.value = question; run(question); });
  }
}

function card(quote, at, choose) {
  const where = `${quote.path ?? quote.doc_tag}${quote.anchor ? `#${quote.anchor}` : ""}`;
  const pages = quote.pages ? `, p. ${[...new Set(quote.page_labels ?? quote.pages)].join("–")}` : "";
  const keys = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); } };
  return h("div.card", { role: "button", tabindex: 0, onclick: choose, onkeydown: keys, "aria-pressed": "false" },
    h("span.rank", {}, String(at + 1)),
    h("div.said", {}, documentView(quote.header ? `${quote.header}\n${quote.quote}` : quote.quote, [])),
    h("div.cited", {}, h("b", {}, quote.title), h("span.muted", {}, where + pages), quote.source_lines ? h("span.muted", {}, lines(quote.source_lines)) : null));
}

// The citation's own proof: the hash of the characters between its offsets.
async function verify(page, quote, place) {
  if (!crypto.subtle || !quote.hash) return;
  const characters = [...page.text].slice(quote.start - page.from, quote.end - page.from).join("");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(characters));
  const hex = [...new Uint8Array(digest)].map((each) => each.toString(16).padStart(2, "0")).join("");
  const same = hex.startsWith(quote.hash);
  show(place, badge(same ? "✓ verbatim, hash checked" : "the page has changed since", same ? "good" : "bad"));
}

async function welcome(place, choose) {
  try {
    const { figures: { documents, chunks }, questions } = await ask("status");
    if (!documents) {
      show(place, h("div.empty", {}, h("h2", {}, "Nothing is indexed yet"), h("p.muted", {}, "Take a folder in first; then every answer is a quote from it."),
        h("a.button.primary", { href: "#/ingest" }, "Add documents")));
      return;
    }
    show(place, h("div.empty", {}, h("h2", {}, `${number(documents)} documents, ${number(chunks)} passages`),
      h("p.muted", {}, "Ask in your own words. Names, codes and versions count exactly as written."),
      ...questions.map((each) => h("button.ghost", { type: "button", onclick: () => choose(each) }, each))));
  } catch (error) {
    show(place, problem(error));
  }
}

function lines([first, last]) {
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}
