// A webhook receiver on loopback: responds as its URL says and records the deliveries.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the receiver got it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The port of whoever sent it. */
  readonly port: number;
}

export interface WebhookReceiver {
  readonly origin: string;
  /** `127.0.0.1:<port>`, as a list of allowed origins wants it. */
  readonly hostPort: string;
  close(): Promise<void>;
}

/**
 * Starts one on a free port of 127.0.0.1. Requests to `/to/<name>?answers=500,200` are answered with these statuses one
 * after the other, the last one for ever; `none` is never answered, and without any it is 204. `GET /at/<name>` tells what
 * came to `/to/<name>`, so that a test in another process can ask.
 */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received = new Map<string, Received[]>();
  const server = createServer(async (request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://receiver.test");
    const [, verb = "", name = ""] = pathname.split("/");
    const requests = received.get(name) ?? [];
    if (verb === "at") return void answer.end(JSON.stringify(requests));
    const body = await bodyOf(request);
    received.set(name, requests);
    const { method = "", url: path = "", headers } = request;
    requests.push({ method, path, headers, body, port: request.socket.remotePort ?? 0 });
    const answers = (searchParams.get("answers") ?? "204").split(",");
    const status = answers[Math.min(requests.length, answers.length) - 1];
    if (status !== "none") answer.writeHead(Number(status), { location: `/to/${name}-redirected` }).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${hostPort}`,
    hostPort,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** What the receiver at `origin` got at `/to/<name>` so far, oldest first. */
export async function receivedAt(origin: string, name: string): Promise<Received[]> {
  return (await fetch(`${origin}/at/${name}`)).json();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}
