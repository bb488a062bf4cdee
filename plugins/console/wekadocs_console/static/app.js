// The frame: which page is shown, how one moves between them, who is logged in, light and dark.
import { h, icon, problem, show, toast } from "./dom.js";
import { ask, session } from "./api.js";

const PAGES = [
  ["ask", "Ask", "M4 5h16v11H9l-5 4z"],
  ["tools", "Try tools", "M5 4l14 8-14 8z"],
  ["contracts", "Contracts", "M6 3h9l4 4v14H6zM9 11h7M9 15h7"],
  ["graph", "Graph", "M6 6a2 2 0 1 0 .1 0M18 8a2 2 0 1 0 .1 0M10 18a2 2 0 1 0 .1 0M8 8l8 1.5M7 10l2.5 6M16.500 11l-5 6"],
  ["live", "Live calls", "M3 12h4l3-8 4 16 3-8h4"],
  ["ingest", "Documents", "M12 4v10M8 10l4 4 4-4M4 18h16"],
  ["settings", "Settings", "M4 7h10M18 7h2M4 17h4M12 17h8M16 5v4M10 15v4"],
];
const THEMES = { auto: "As the system", light: "Light", dark: "Dark" };
let leave = () => {};

function navigation() {
  const items = PAGES.map(([id, name, path], at) =>
    h("a", { href: `#/${id}`, "data-page": id, title: `${name} (${at + 1})` }, icon(path), h("span", {}, name)));
  show(document.getElementById("nav"), items);
}

async function route() {
  const [id, ...rest] = location.hash.replace(/^#\//, "").split("/");
  const page = PAGES.find(([name]) => name === id) ?? PAGES[0];
  for (const each of document.querySelectorAll("#nav a")) {
    if (each.dataset.page === page[0]) {
      each.setAttribute("aria-current", "page");
      each.scrollIntoView({ block: "nearest", inline: "nearest" }); // in a narrow window they scroll sideways
    } else each.removeAttribute("aria-current");
  }
  document.title = `${page[1]} · wekadocs console`;
  leave();
  leave = () => {};
  const main = document.getElementById("main");
  const place = h("div.page", { "data-page": page[0] });
  show(main, place);
  try {
    const module = await import(`./pages/${page[0]}.js`);
    if (place.isConnected) leave = (await module.open(place, rest.map(decodeURIComponent))) ?? leave;
  } catch (error) {
    const again = h("button", { type: "button", onclick: () => location.reload() }, "Try again");
    show(place, problem(error), h("div.actions", {}, again));
  }
}

function theme(chosen) {
  if (chosen) localStorage.setItem("wekadocs.theme", chosen);
  const name = localStorage.getItem("wekadocs.theme") ?? "auto";
  document.documentElement.dataset.theme = name;
  return name;
}

function foot(authenticated) {
  const choose = h("select", { "aria-label": "Colours", onchange: () => theme(choose.value) },
    ...Object.entries(THEMES).map(([value, name]) => h("option", { value }, name)));
  choose.value = theme();
  const out = () => { session.token = ""; location.reload(); };
  show(document.getElementById("side-foot"), choose,
    authenticated ? h("button.ghost.small", { type: "button", onclick: out }, "Log out") : null);
}

// One dialog for all requests that wait for a token.
let asking = null;
function askForToken(wasWrong) {
  asking ??= new Promise((done) => {
    session.token = "";
    const input = h("input", { type: "password", id: "token", autocomplete: "off", required: true, spellcheck: "false" });
    const form = h("form.login", {},
      h("img", { src: "icon.svg", alt: "", width: 44, height: 44 }),
      h("h1", {}, "Log in"),
      h("p.muted", {}, "This server asks for its token, the value of MCP_AUTH_TOKEN. It stays in this tab and is forgotten with it."),
      wasWrong ? h("p.wrong", { role: "alert" }, "That token was not accepted.") : null,
      h("label", { for: "token" }, "Token"), input,
      h("button.primary", { type: "submit" }, "Log in"));
    const dialog = h("dialog", { "aria-label": "Log in", oncancel: (event) => event.preventDefault() }, form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      session.token = input.value.trim();
      dialog.remove();
      asking = null;
      done();
    });
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
  return asking;
}

function keys(event) {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || typing || document.querySelector("dialog[open]")) return;
  const page = PAGES[Number(event.key) - 1];
  if (page) location.hash = `#/${page[0]}`;
  else if (event.key === "/") {
    event.preventDefault();
    document.querySelector("#main input, #main textarea")?.focus();
  } else if (event.key === "?") toast("1–7 change the page, / goes to its first field, Tab and Enter do the rest");
}

theme();
navigation();
session.whenAsked(askForToken);
addEventListener("hashchange", route);
addEventListener("keydown", keys);
const about = await ask("about").catch((error) => ({ server: { name: "wekadocs", version: error.message } }));
document.getElementById("server-name").textContent = about.server.name;
document.getElementById("server-version").textContent = `wekadocs-mcp ${about.server.version}`;
foot(about.authenticated);
document.getElementById("shell").dataset.ready = "yes";
await route();
for (const [id] of PAGES) import(`./pages/${id}.js`).catch(() => {}); // so that they can say it when the server is gone
