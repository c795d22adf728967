// A raw client of the egress proxy that sends the same bytes as Chromium.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { EgressProxy } from "../../lib/engine/egress/egress-proxy.ts";
import { closing } from "./closing.ts";

/** Asks for an address in absolute form, as Chromium asks for plain http; `failure` is the proxy's own, if it failed. */
export async function ask(proxy: EgressProxy, url: string, { method = "GET", headers = {}, body = "" } = {}) {
  const asking = request({ port: proxy.port, host: "127.0.0.1", path: url, method, headers, agent: false });
  asking.end(body);
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  const received = answer.headers as Record<string, string>;
  const failure = proxy.requestFailure(url, answer.statusCode ?? 0);
  return { status: answer.statusCode, headers: received, body: await text(answer), failure: failure };
}

/** Says `words` on a connection of its own. */
export async function say(proxy: EgressProxy, words: string): Promise<Socket> {
  const socket = connect(proxy.port, "127.0.0.1").on("error", () => undefined);
  closing({ close: () => socket.destroy() });
  await once(socket, "connect");
  socket.write(words);
  return socket;
}

/** The first thing the proxy answers to `words`, or "" when it hangs up. */
export async function answerTo(proxy: EgressProxy, words: string): Promise<string> {
  return firstOf(await say(proxy, words));
}

/** The request for a tunnel. */
export const tunnel = (authority: string) => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;

/** Asks for a tunnel; resolves to its socket and how the answer began. */
export async function dig(proxy: EgressProxy, authority: string): Promise<{ socket: Socket; answer: string }> {
  const socket = await say(proxy, tunnel(authority));
  return { socket, answer: await firstOf(socket) };
}

async function firstOf(socket: Socket): Promise<string> {
  const [first] = await Promise.race([once(socket, "data"), once(socket, "close").then(() => [""])]);
  return String(first);
}
