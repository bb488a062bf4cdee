// The TypeScript SDK, version 1. Copied beside its packages before it is run.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { visit } from "./expect.mjs";

const [transport, , ...target] = process.argv.slice(2);
const client = new Client({ name: "clients", version: "1.0.0" });
await client.connect(
  transport === "stdio"
    ? new StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env })
    : new StreamableHTTPClientTransport(new URL(target[0])),
);
await visit(client);
await client.close();
