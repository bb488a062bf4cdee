// A document's clean Markdown as a page, with places marked by their offsets. What is shown is the text itself: marks of
// Markdown are hidden by the style sheet and stay where they are, so an offset means here what it means in a citation.
import { h } from "./dom.js";

const INLINE = /(`+)([^`]+?)\1|(\*\*|__)(?=\S)(.+?)\3|(?<![\w*])(\*)(?=[^\s*])([^*\n]*[^\s*])\5(?![\w*])|(?<![\w_])(_)(?=[^\s_])([^\n]*?[^\s_])_(?![\w_])|( {2,}\n|\\\n)|!?\[([^\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g;
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g; // they make text read otherwise than it is quoted, so they are shown
const ITEM = /^(\s*)([-*+]|\d+[.)])(\s+)/;

// Citations count characters as Python does; JavaScript counts those beyond the first 65,536 twice.
export function utf16(text, characters) {
  let at = 0;
  for (let left = characters; left > 0 && at < text.length; left -= 1) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

export function documentView(text, places) {
  const marks = places
    .map((each) => ({ ...each, from: utf16(text, each.start), to: utf16(text, each.end) }))
    .sort((one, other) => one.from - other.from);
  const view = h("article.document", {});
  for (const block of blocks(text)) view.append(SHOWN[block.kind](text, block, marks));
  return view;
}

function* lines(text) {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    yield { start, end, text: text.slice(start, end) };
    start = end + 1;
  }
}

function kindOf(line) {
  if (!line.trim()) return "blank";
  if (/^#{1,6}\s/.test(line)) return "heading";
  if (ITEM.test(line)) return "item";
  if (/^\s*\|.*\|\s*$/.test(line)) return "table";
  if (/^\s*>/.test(line)) return "quoted";
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return "rule";
  return "paragraph";
}

function blocks(text) {
  const found = [];
  let fence = null;
  let front = text.startsWith("---\n");
  for (const line of lines(text)) {
    const last = found.at(-1);
    const opened = line.text.match(/^\s*(`{3,}|~{3,})/);
    if (front) {
      if (last?.kind === "front") last.lines.push(line);
      else found.push({ kind: "front", lines: [line] });
      if (line.start > 0 && line.text.trim() === "---") front = false;
    } else if (fence) {
      last.lines.push(line);
      if (opened && opened[1].startsWith(fence) && !line.text.trim().slice(opened[1].length)) fence = null;
    } else if (opened) {
      fence = opened[1];
      found.push({ kind: "code", lines: [line] });
    } else {
      const kind = kindOf(line.text);
      const goesOn = last && (last.kind === kind ? ["paragraph", "table", "quoted"].includes(kind) : last.kind === "item" && kind === "paragraph");
      if (kind === "blank") found.push({ kind, lines: [line] });
      else if (goesOn) last.lines.push(line);
      else found.push({ kind, lines: [line] });
    }
  }
  return found;
}

// From one offset to another: hidden and styled parts in turn, each cut where a mark begins or ends.
function write(parent, text, start, end, marks, styled = true) {
  const parts = styled ? inline(text, start, end) : [{ start, end, kind: "" }];
  for (const part of parts) {
    const cuts = marks.flatMap((each) => [each.from, each.to]).filter((at) => at > part.start && at < part.end);
    const stops = [part.start, ...new Set(cuts.sort((one, other) => one - other)), part.end];
    for (let index = 0; index + 1 < stops.length; index += 1) {
      const [from, to] = [stops[index], stops[index + 1]];
      const words = text.slice(from, to).replace(TURNING, "\ufffd");
      const piece = part.kind === "break" ? h("br", {}) : part.kind ? h(`span.${part.kind}`, {}, words) : document.createTextNode(words);
      const mark = marks.find((each) => each.from <= from && to <= each.to);
      parent.append(mark ? h("mark", { "data-place": mark.id }, piece) : piece);
    }
  }
}

function inline(text, start, end) {
  const parts = [];
  let at = start;
  const put = (until, kind) => { if (until > at) parts.push({ start: at, end: until, kind }); at = Math.max(at, until); };
  for (const found of text.slice(start, end).matchAll(INLINE)) {
    const from = start + found.index;
    const [whole, ticks, code, stars, bold, star, starred, under, underlined, forced, label] = found;
    put(from, "");
    if (forced) { put(from + whole.length - 1, "md"); put(from + whole.length, "break"); continue; }
    const before = ticks?.length ?? stars?.length ?? star?.length ?? under?.length ?? (whole.startsWith("!") ? 2 : 1);
    const stressed = starred ?? underlined;
    const inner = code ?? bold ?? stressed ?? label;
    put(from + before, "md");
    put(from + before + inner.length, code ? "code" : bold ? "strong" : stressed ? "stress" : "ref");
    put(from + whole.length, "md");
  }
  put(end, "");
  return parts;
}

const span = (block) => [block.lines[0].start, block.lines.at(-1).end];

const SHOWN = {
  blank: (text, block) => document.createTextNode(text.slice(...span(block)) + "\n"),
  rule: () => h("hr", {}),
  heading(text, block, marks) {
    const [start, end] = span(block);
    const level = text.slice(start, end).match(/^#+\s+/)[0].length;
    const view = h(`h${Math.min(6, level)}`, { "data-start": start });
    view.append(h("span.md", {}, text.slice(start, start + level)));
    write(view, text, start + level, end, marks);
    return view;
  },
  front(text, block, marks) {
    const view = h("pre.front", {});
    write(view, text, ...span(block), marks, false);
    return view;
  },
  code(text, block, marks) {
    const view = h("pre.block", {});
    const [first, ...rest] = block.lines;
    view.append(h("span.md", {}, first.text + "\n"));
    const closed = rest.length && /^\s*(`{3,}|~{3,})\s*$/.test(rest.at(-1).text) ? rest.pop() : null;
    if (rest.length) write(view, text, rest[0].start, rest.at(-1).end, marks, false);
    if (closed) view.append(h("span.md", {}, "\n" + closed.text));
    return view;
  },
  item(text, block, marks) {
    const first = block.lines[0];
    const [whole, indent, bullet] = first.text.match(ITEM);
    const view = h(`div.item.deep${Math.min(4, Math.floor(indent.length / 2))}`, {});
    view.append(h("span.bullet", {}, /\d/.test(bullet) ? bullet : "•"));
    const body = h("span", {});
    write(body, text, first.start + whole.length, block.lines.at(-1).end, marks);
    view.append(body);
    return view;
  },
  quoted(text, block, marks) {
    const view = h("blockquote", {});
    for (const line of block.lines) {
      const start = line.start + line.text.match(/^\s*>\s?/)[0].length;
      write(view, text, start, Math.min(line.end + 1, text.length), marks);
    }
    return view;
  },
  table(text, block, marks) {
    const view = h("table", {});
    block.lines.forEach((line, index) => {
      if (/^[\s|:-]+$/.test(line.text)) return;
      const row = h("tr", {});
      for (const [start, end] of cells(line)) {
        const cell = h(index === 0 ? "th" : "td", {});
        write(cell, text, start, end, marks);
        row.append(cell);
      }
      view.append(row);
    });
    return h("div.scroll", {}, view);
  },
  paragraph(text, block, marks) {
    const view = h("p", {});
    write(view, text, ...span(block), marks);
    return view;
  },
};

function cells(line) {
  const found = [];
  let start = line.text.indexOf("|") + 1;
  for (const bar of line.text.matchAll(/(?<!\\)\|/g)) {
    if (bar.index < start) continue;
    const inner = line.text.slice(start, bar.index);
    const lead = inner.length - inner.trimStart().length;
    found.push([line.start + start + lead, line.start + start + Math.max(lead, inner.trimEnd().length)]);
    start = bar.index + 1;
  }
  return found;
}
