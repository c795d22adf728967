// Keep-alive: a connection is used again after a short pause, and not after a sandbox was frozen.

import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { freshAgents } from "../../../../lib/service/aws/clients/fresh-agent.ts";
import { closing } from "../../../support/closing.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterEach(() => vi.useRealTimers());

/** A server, and what requests it: each resolves to the client's port, so the same number is the same connection. */
async function startServer() {
  const server = createServer((request, response) => response.end(String(request.socket.remotePort)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing({ close: async () => void server.close().closeAllConnections() });
  const { port } = server.address() as AddressInfo;
  const { httpAgent: agent } = freshAgents();
  const ask = async () => {
    const [response] = await once(get({ host: "127.0.0.1", port, agent }), "response");
    const text = (await response.setEncoding("utf8").toArray()).join("");
    await new Promise(setImmediate); // the connection becomes idle after the end of the response
    return text;
  };
  return { ask, server };
}

test("keep-alive: a connection is used again while it was idle for up to 30 seconds", async () => {
  const { ask } = await startServer();
  const first = await ask();
  vi.setSystemTime(NOW + 30_000);
  expect(await ask()).toBe(first);
  vi.setSystemTime(NOW + 60_000);
  expect(await ask()).toBe(first);
});

test("keep-alive: after a freeze of minutes a new connection is made, and the old one is closed", async () => {
  const { ask, server } = await startServer();
  const first = await ask();
  vi.setSystemTime(NOW + 5 * 60_000);
  expect(await ask()).not.toBe(first);
  const connections = await new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  expect(connections).toBe(1);
});

test("keep-alive: of several connections that are idle, only those that were used lately are kept", async () => {
  const { ask } = await startServer();
  const both = await Promise.all([ask(), ask()]);
  expect(new Set(both).size).toBe(2);
  vi.setSystemTime(NOW + 20_000);
  const used = await ask();
  vi.setSystemTime(NOW + 45_000);
  const next = await Promise.all([ask(), ask()]);
  expect(next.filter((port) => both.includes(port))).toEqual([used]);
});
