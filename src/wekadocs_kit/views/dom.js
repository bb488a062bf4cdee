// Elements are made here and nowhere else: text is always a text node, so nothing that a document says becomes markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "open" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

export function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  return fill(element, attributes, children);
}

export function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

export function icon(path) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: path }));
}

export function show(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

// A link out of the console, only to the web: any other scheme stays text.
export function link(address, label) {
  return /^https?:\/\//i.test(address ?? "")
    ? h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, label ?? address)
    : h("span", {}, label ?? address ?? "");
}

export function head(title, about, ...actions) {
  return h("div.head", {}, h("div", {}, h("h1", {}, title), h("p.muted", {}, about)), h("div.actions", {}, ...actions));
}

export function badge(text, kind) {
  return h(`span.badge${kind ? `.${kind}` : ""}`, {}, text);
}

export function tile(label, value, note) {
  return h("div.tile", {}, h("span.muted", {}, label), h(/\d/.test(value) && value.length < 14 ? "b" : "b.text", {}, value), note ? h("small.muted", {}, note) : null);
}

export function problem(error) {
  return h("div.problem", { role: "alert" }, h("b", {}, error.code ?? "It did not work"), h("p", {}, error.message ?? String(error)));
}

export const number = (value) => (value ?? 0).toLocaleString("en-US");

export function bytes(value) {
  if (value < 1024) return `${value} B`;
  return value < 1048576 ? `${(value / 1024).toFixed(1)} KB` : `${(value / 1048576).toFixed(1)} MB`;
}

export function duration(seconds) {
  if (seconds < 1) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  return `${seconds.toFixed(2)} s`;
}

let fading;
export function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(fading);
  fading = setTimeout(() => place.classList.remove("shown"), 2600);
}

export function copyButton(text) {
  const copy = () => navigator.clipboard?.writeText(text()).then(() => toast("Copied"), () => toast("The browser does not allow that"));
  return h("button.ghost.small", { type: "button", onclick: copy }, "Copy");
}

// Tabs: [[name, element]…]; arrow keys move between them.
export function tabs(pages) {
  const body = h("div.tab-body", { role: "tabpanel" });
  const buttons = pages.map(([name, page], at) =>
    h("button", { type: "button", role: "tab", onclick: () => choose(at), onkeydown: (event) => move(event, at) }, name));
  function choose(at, focus) {
    buttons.forEach((each, index) => {
      each.setAttribute("aria-selected", String(index === at));
      each.tabIndex = index === at ? 0 : -1;
    });
    show(body, pages[at][1]);
    if (focus) buttons[at].focus();
  }
  function move(event, at) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) choose((at + step + pages.length) % pages.length, true);
  }
  choose(0);
  return h("div.tabs", {}, h("div.tab-row", { role: "tablist" }, ...buttons), body);
}
