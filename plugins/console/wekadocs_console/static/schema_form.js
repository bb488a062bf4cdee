// A form from a tool's input schema. Only what somebody filled in is sent: defaults are the contract's business.
import { h } from "./dom.js";

const LONG = 300;

function resolved(schema, root) {
  let found = schema;
  for (let hops = 0; found?.$ref?.startsWith("#/") && hops < 20; hops += 1) {
    const { $ref, ...beside } = found;
    found = { ...$ref.slice(2).split("/").reduce((at, part) => at?.[part.replaceAll("~1", "/").replaceAll("~0", "~")], root), ...beside };
  }
  const choices = (found?.anyOf ?? found?.oneOf)?.filter((each) => resolved(each, root)?.type !== "null");
  if (choices?.length === 1) {
    const { anyOf, oneOf, ...beside } = found;
    return { ...resolved(choices[0], root), ...beside };
  }
  return found ?? {};
}

export function schemaForm(schema) {
  return objectField(resolved(schema, schema), schema, "arg");
}

// Every field: { element, get() → value or undefined, set(value) }
function field(name, raw, root, required, path) {
  const schema = resolved(raw, root);
  const id = `${path}-${name}`.replaceAll(/[^\w-]/g, "_");
  const control = controlFor(schema, root, id);
  if (control.group) {
    const fold = h("details.group", {}, h("summary", {}, h("b", {}, name), h("span.muted", {}, schema.description ?? "")), control.element);
    return { group: true, element: fold, get: control.get, set: (value) => { control.set(value); fold.open = value !== undefined; } };
  }
  const about = [schema.description, bounds(schema)].filter(Boolean).join(" · ");
  const label = h("label", { for: id }, h("b", {}, name), required ? h("span.required", { title: "required" }, "required") : null);
  return { ...control, element: h("div.field", {}, label, control.element, about ? h("small.muted", {}, about) : null) };
}

function bounds(schema) {
  const parts = [];
  if (schema.default !== undefined) parts.push(`default ${JSON.stringify(schema.default)}`);
  if (schema.minimum !== undefined || schema.maximum !== undefined) parts.push(`${schema.minimum ?? "…"} to ${schema.maximum ?? "…"}`);
  if (schema.maxLength) parts.push(`at most ${schema.maxLength.toLocaleString("en-US")} characters`);
  if (schema.maxItems) parts.push(`at most ${schema.maxItems} items`);
  return parts.join(", ");
}

function controlFor(schema, root, id) {
  const types = [schema.type].flat().filter((each) => each !== "null");
  if (schema.enum) return choice(schema.enum, id, schema.default);
  if (types.length === 1) {
    if (types[0] === "boolean") return choice([true, false], id, schema.default);
    if (types[0] === "string") return text(schema, id);
    if (types[0] === "integer" || types[0] === "number") return numeric(schema, types[0], id);
    if (types[0] === "array") {
      const items = resolved(schema.items ?? {}, root);
      if (items.type === "string" || items.enum) return list(items, id);
    }
    if (types[0] === "object" && schema.properties) return objectField(schema, root, id);
  }
  return json(id);
}

function choice(values, id, preset) {
  const name = preset === undefined ? "—" : `${preset} (default)`;
  const options = values.map((each, index) => h("option", { value: String(index) }, String(each)));
  const element = h("select", { id }, h("option", { value: "" }, name), ...options);
  return {
    element,
    get: () => (element.value === "" ? undefined : values[Number(element.value)]),
    set: (value) => { element.value = value === undefined ? "" : String(values.indexOf(value)); },
  };
}

function text(schema, id) {
  const long = (schema.maxLength ?? 0) > LONG;
  const element = long ? h("textarea", { id, rows: 2, spellcheck: "false" }) : h("input", { id, type: "text", spellcheck: "false", autocomplete: "off" });
  return { element, get: () => element.value || undefined, set: (value) => { element.value = value ?? ""; } };
}

function numeric(schema, type, id) {
  const step = type === "integer" ? 1 : "any";
  const element = h("input", { id, type: "number", step, min: schema.minimum, max: schema.maximum, placeholder: schema.default });
  return {
    element,
    get: () => (element.value === "" ? undefined : Number(element.value)),
    set: (value) => { element.value = value ?? ""; },
  };
}

function list(items, id) {
  const hint = items.enum ? `one a line: ${items.enum.join(", ")}` : "one a line";
  const element = h("textarea", { id, rows: 2, placeholder: hint, spellcheck: "false" });
  return {
    element,
    get: () => { const found = element.value.split("\n").map((each) => each.trim()).filter(Boolean); return found.length ? found : undefined; },
    set: (value) => { element.value = (value ?? []).join("\n"); },
  };
}

function json(id) {
  const element = h("textarea.mono", { id, rows: 2, placeholder: "JSON", spellcheck: "false" });
  return {
    element,
    get() {
      if (!element.value.trim()) return undefined;
      try { return JSON.parse(element.value); } catch { throw new Error(`${id.split("-").at(-1)}: this is not JSON`); }
    },
    set: (value) => { element.value = value === undefined ? "" : JSON.stringify(value); },
  };
}

function objectField(schema, root, path) {
  const required = new Set(schema.required ?? []);
  const names = Object.keys(schema.properties ?? {}).sort((one, other) => required.has(other) - required.has(one));
  const fields = Object.fromEntries(names.map((name) => [name, field(name, schema.properties[name], root, required.has(name), path)]));
  const simple = names.filter((name) => !fields[name].group);
  return {
    group: true,
    element: h("div.fields", {}, ...simple.map((name) => fields[name].element), ...names.filter((name) => !simple.includes(name)).map((name) => fields[name].element)),
    get() {
      const found = Object.entries(fields).map(([name, each]) => [name, each.get()]).filter(([, value]) => value !== undefined);
      return found.length ? Object.fromEntries(found) : undefined;
    },
    set: (value) => { for (const [name, each] of Object.entries(fields)) each.set(value?.[name]); },
  };
}
