// What every TypeScript client must see of the sample tool.
import assert from "node:assert/strict";

export async function visit(client) {
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === "demo.hello"), "demo.hello is not listed");
  const good = await client.callTool({ name: "demo.hello", arguments: { name: "Ada" } });
  assert.ok(!good.isError, good.content[0].text);
  assert.deepEqual(good.structuredContent, { greeting: "Hello Ada!" });
  assert.equal(good.content[0].text, "Hello Ada!");
  const bad = await client.callTool({ name: "demo.hello", arguments: { name: "Ada", times: "often" } });
  assert.ok(bad.isError, "the bad argument was taken");
  const { error } = JSON.parse(bad.content[0].text);
  assert.equal(error.code, "INVALID_ARGUMENT");
  assert.match(error.message, /times/);
  await assert.rejects(client.callTool({ name: "demo.helo", arguments: { name: "Ada" } }), /demo\.hello/);
}
