// JSON in colours, by text nodes.
import { h, copyButton } from "./dom.js";

const PART = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

export function jsonView(value) {
  const text = JSON.stringify(value, null, 2) ?? "null";
  const view = h("pre.json", { tabindex: "0" });
  let at = 0;
  for (const found of text.matchAll(PART)) {
    view.append(text.slice(at, found.index));
    const kind = found[2] ? "key" : found[1] ? "string" : found[3] ? "word" : "number";
    view.append(h(`span.${kind}`, {}, found[1] ?? found[0]), found[2] ?? "");
    at = found.index + found[0].length;
  }
  view.append(text.slice(at));
  return h("div.copyable", {}, copyButton(() => text), view);
}

export function textView(text) {
  return h("div.copyable", {}, copyButton(() => text), h("pre.plain", { tabindex: "0" }, text));
}
