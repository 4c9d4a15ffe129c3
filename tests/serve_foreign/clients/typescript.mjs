// What the TypeScript SDK's own client sees and does, as python_sdk.py. The modes are those of the newer
// SDK (auto, legacy, a version), and 1.x for the older SDK, which most clients are still built on.
// node typescript.mjs PLAN MODE (URL | COMMAND...), with the packages in CLIENTS
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const plan = JSON.parse(process.argv[2]);
const [mode, ...target] = process.argv.slice(3);
const old = mode === "1.x";
const { resolve } = createRequire(`${process.env.CLIENTS}/package.json`);
const load = (name) => import(pathToFileURL(resolve(name)));
const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] = await Promise.all(
  old
    ? ["index", "stdio", "streamableHttp"].map((each) => load(`@modelcontextprotocol/sdk/client/${each}.js`))
    : ["", "/stdio", ""].map((each) => load(`@modelcontextprotocol/client${each}`)),
);
const types = old ? await load("@modelcontextprotocol/sdk/types.js") : {};
const short = (name) =>
  name.replace(/^suite_(?:reference|mirror)__?/, "").replace(/_[0-9a-f]{12}$/, "").replace(/^(?:units|content)__/, "");
const stays = ({ name }) => !plan.passing.includes(short(name));
const options = (given) => (old ? [undefined, given] : [given]);
const texts = (blocks) => blocks.filter((each) => each.type === "text").map((each) => each.text).join("\n");
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const client = new Client(
  { name: "foreign", version: "1" },
  {
    capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} },
    ...(old ? {} : { versionNegotiation: { mode: ["auto", "legacy"].includes(mode) ? mode : { pin: mode } } }),
  },
);
const on = (method, schema, answer) => client.setRequestHandler(old ? types[schema] : method, answer);
on("elicitation/create", "ElicitRequestSchema", async ({ params }) => {
  const wanted = Object.keys(params.requestedSchema?.properties ?? {});
  const filled = Object.entries(plan.person).filter(([name]) => wanted.includes(name));
  return { action: "accept", content: Object.fromEntries(filled) };
});
on("sampling/createMessage", "CreateMessageRequestSchema", async () => ({
  role: "assistant",
  content: { type: "text", text: plan.model },
  model: "m",
  stopReason: "endTurn",
}));
on("roots/list", "ListRootsRequestSchema", async () => ({ roots: [{ uri: plan.root, name: "books" }] }));

const until = async (name, where, what) => {
  for (let times = 0; times < 1000; times++) {
    const { structuredContent } = await client.callTool({ name, arguments: {} });
    if (structuredContent[where].includes(what)) return;
    await pause(20);
  }
  throw new Error(`${what} never came`);
};

const transport = target[0].startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target[0]))
  : new StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env, stderr: "inherit" });
await client.connect(transport);
const report = { version: client.getNegotiatedProtocolVersion?.() ?? "2025-11-25", called: {}, prompts: {}, read: {} };

const { tools } = await client.listTools();
const names = Object.fromEntries(tools.map((each) => [short(each.name), each.name]));
for (const { name } of tools.filter(stays)) {
  const result = await client.callTool({ name, arguments: plan.arguments[short(name)] ?? {} });
  report.called[name] = { failed: result.isError ?? false, text: texts(result.content) };
}
const { prompts } = await client.listPrompts();
for (const { name } of prompts.filter(stays)) {
  const found = await client.getPrompt({ name, arguments: plan.prompts[short(name)] });
  report.prompts[name] = texts(found.messages.map((each) => each.content));
}
await client.getPrompt({ name: "none" }).catch((error) => {
  report.prompts.none = error.code;
});
const asked = plan.completion;
const completed = await client.complete({
  ref: { type: "ref/prompt", name: asked.prompt },
  argument: { name: asked.argument, value: asked.value },
});
report.completed = completed.completion.values;
const uris = (await client.listResources()).resources.map((each) => each.uri);
const { resourceTemplates } = await client.listResourceTemplates();
for (const uri of [...uris, ...resourceTemplates.map((each) => plan.expansions[each.uriTemplate])]) {
  const { contents } = await client.readResource({ uri });
  report.read[uri] = contents.map((each) => each.text ?? each.blob);
}
report.progress = [];
await client.callTool(
  { name: names[plan.progress], arguments: {} },
  ...options({ onprogress: ({ progress }) => report.progress.push(progress) }),
);
const giveUp = new AbortController();
const script = { "test/script": [{ wait: plan.given_up }] };
const waiting = client
  .callTool({ name: names[plan.waits], arguments: {}, _meta: script }, ...options({ signal: giveUp.signal }))
  .catch(() => (report.cancelled = true));
await until(names[plan.state], "waiting", plan.given_up);
giveUp.abort("not wanted");
await waiting;
await until(names[plan.state], "log", `cancelled ${plan.given_up}`);
const { SkillsClient } = old ? {} : await load("@modelcontextprotocol/client/ext/skills");
const skills = old ? { supported: false } : new SkillsClient(client);
if (skills.supported) {
  const [skill] = (await skills.list()).skills;
  const file = await skills.read(skill);
  report.skill = { uri: skill.uri, verified: file.verified, body: file.body };
}
await client.close();
console.log(JSON.stringify(report));
