// The TypeScript SDK, version 2, in either era. Copied beside its packages before it is run.
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { visit } from "./expect.mjs";

const [transport, era, ...target] = process.argv.slice(2);
const mode = era === "modern" ? "auto" : "legacy";
const client = new Client({ name: "clients", version: "1.0.0" }, { versionNegotiation: { mode } });
await client.connect(
  transport === "stdio"
    ? new StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env })
    : new StreamableHTTPClientTransport(new URL(target[0])),
);
assert.equal(client.getProtocolEra(), era);
await visit(client);
await client.close();
