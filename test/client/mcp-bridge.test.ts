// The bridge between the stdio and the HTTP transport of MCP, against an HTTP server that answers as the specification allows.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { relayMessages } from "../../clients/typescript/src/cli/mcp-bridge.ts";

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

interface Exchange {
  readonly headers: IncomingHttpHeaders;
  readonly message: Message;
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Starts an endpoint that answers with `answer`, and returns its URL and what it received. */
async function startEndpoint(answer: (message: Message, response: ServerResponse) => void) {
  const received: Exchange[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const message: Message = JSON.parse(body);
    received.push({ headers: request.headers, message });
    answer(message, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  cleanups.push(() => server.close().closeAllConnections());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/live/`, received };
}

/** A bridge with its input, and the messages that it has written. */
function startBridge(baseUrl: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stopping = new AbortController();
  const written: unknown[] = [];
  output.on("data", (chunk) => {
    for (const line of String(chunk).trim().split("\n")) written.push(JSON.parse(line));
  });
  const ended = relayMessages({ key: "cap_secret", baseUrl, input, output, signal: stopping.signal });
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return { input, send, written, ended, stop: () => stopping.abort() };
}

/** Relays all messages, and returns what was written when the input has ended. */
async function relayAll(baseUrl: string, ...messages: readonly object[]): Promise<unknown[]> {
  const { input, send, written, ended } = startBridge(baseUrl);
  for (const message of messages) send(message);
  input.end();
  await ended;
  return written;
}

const json = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

test("MCP bridge: posts a request with the key and the headers of 2026-07-28", async () => {
  const { baseUrl, received } = await startEndpoint(({ id }, response) =>
    json(response, { jsonrpc: "2.0", id, result: {} }),
  );
  const call = { id: 7, method: "tools/call", params: { name: "größe", _meta: meta } };
  expect(await relayAll(baseUrl, call)).toEqual([{ jsonrpc: "2.0", id: 7, result: {} }]);
  expect(received[0]?.message).toEqual({ jsonrpc: "2.0", ...call });
  expect(received[0]?.headers).toMatchObject({
    authorization: "Bearer cap_secret",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": `=?base64?${Buffer.from("größe").toString("base64")}?=`,
  });
});

test("MCP bridge: remembers the version and the session that a client of 2025-11-25 agreed on", async () => {
  const { baseUrl, received } = await startEndpoint(({ id, method }, response) => {
    if (id === undefined) return response.writeHead(202).end();
    response.setHeader("mcp-session-id", "s1");
    return json(response, {
      jsonrpc: "2.0",
      id,
      result: method === "initialize" ? { protocolVersion: "2025-11-25" } : {},
    });
  });
  const written = await relayAll(
    baseUrl,
    { id: 1, method: "initialize", params: {} },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
  );
  expect(written).toEqual([
    { jsonrpc: "2.0", id: 1, result: { protocolVersion: "2025-11-25" } },
    { jsonrpc: "2.0", id: 2, result: {} },
  ]);
  const [first, ...later] = received.map(({ headers }) => [headers["mcp-protocol-version"], headers["mcp-session-id"]]);
  expect([first, later]).toEqual([
    [undefined, undefined],
    [
      ["2025-11-25", "s1"],
      ["2025-11-25", "s1"],
    ],
  ]);
});

test("MCP bridge: writes the messages of an event stream as they arrive", async () => {
  const { baseUrl } = await startEndpoint(({ id }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(': alive\r\n\r\nid: 1\r\ndata: {"jsonrpc":"2.0",\r\ndata: "method":"notifications/progress"}\r\n\r');
    response.write(`\nevent: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: { text: "Grüße" } })}`);
    response.end("\n\n");
  });
  expect(await relayAll(baseUrl, { id: "a", method: "tools/call" })).toEqual([
    { jsonrpc: "2.0", method: "notifications/progress" },
    { jsonrpc: "2.0", id: "a", result: { text: "Grüße" } },
  ]);
});

test("MCP bridge: answers every request, regardless of the service's response", async () => {
  const { baseUrl } = await startEndpoint(({ method }, response) => {
    if (method === "denied") return json(response, { error: "The API key is not valid.", code: "UNAUTHORIZED" }, 401);
    if (method === "refused")
      return json(response, { jsonrpc: "2.0", id: null, error: { code: -32_022, message: "Version" } }, 400);
    return response.writeHead(method === "empty" ? 200 : 502).end();
  });
  const methods = ["denied", "refused", "empty", "down"];
  const written = await relayAll(baseUrl, ...methods.map((method) => ({ id: method, method })));
  expect(written).toHaveLength(4);
  expect(written).toEqual(
    expect.arrayContaining([
      { jsonrpc: "2.0", id: "denied", error: { code: -32_600, message: "The API key is not valid." } },
      { jsonrpc: "2.0", id: "refused", error: { code: -32_022, message: "Version" } },
      { jsonrpc: "2.0", id: "empty", error: { code: -32_603, message: expect.stringContaining("status 200") } },
      { jsonrpc: "2.0", id: "down", error: { code: -32_600, message: expect.stringContaining("status 502") } },
    ]),
  );
});

test("MCP bridge: reports lines that aren't JSON and a service that can't be reached, without the key", async () => {
  const { input, send, written, ended } = startBridge("http://127.0.0.1:9");
  input.write("\nnonsense\n");
  send({ id: 1, method: "tools/list" });
  send({ method: "notifications/initialized" });
  input.end();
  await ended;
  expect(written).toEqual([
    { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "The line isn't a JSON object." } },
    {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32_603, message: expect.stringContaining("Can't reach http://127.0.0.1:9/mcp") },
    },
  ]);
  expect(JSON.stringify(written)).not.toContain("cap_secret");
});

test("MCP bridge: closes the response of a cancelled request, and answers the others", async () => {
  const closed: unknown[] = [];
  const { baseUrl, received } = await startEndpoint(({ id, method }, response) => {
    if (method === "slow") response.on("close", () => closed.push(id));
    else json(response, { jsonrpc: "2.0", id, result: {} });
  });
  const { input, send, written, ended } = startBridge(baseUrl);
  send({ id: 1, method: "slow" });
  await expect.poll(() => received.length).toBe(1);
  send({ method: "notifications/cancelled", params: { requestId: 1 } });
  send({ id: 2, method: "tools/list" });
  input.end();
  await ended;
  await expect.poll(() => closed).toEqual([1]);
  expect(written).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
});

test("MCP bridge: ends when it is stopped", async () => {
  const { baseUrl, received } = await startEndpoint(() => {});
  const { send, ended, stop } = startBridge(baseUrl);
  send({ id: 1, method: "slow" });
  await expect.poll(() => received.length).toBe(1);
  stop();
  await ended;
});
