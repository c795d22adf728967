// A webhook receiver that fails the first attempts of half of the deliveries, and records all of them.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent, byte by byte. */
  readonly body: string;
  /** Accounts with whose secret it verified when it came: a signature is only valid for five minutes. */
  readonly signers: readonly number[];
  /** Whether the answer was 2xx. */
  readonly isTaken: boolean;
}

export type Sent = Pick<ReceivedWebhook, "headers" | "body">;

export interface Receiver {
  readonly origin: string;
  readonly hostPort: string;
  /** Oldest first. */
  readonly received: readonly ReceivedWebhook[];
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** So often at most it fails at the same webhook, because the later tries of a webhook are hours apart. */
  readonly mostFailures: number;
  /** The accounts with whose secret a webhook verifies now. */
  signersOf(webhook: Sent): readonly number[];
  /** Returns true to kill the sender of a webhook before its response. */
  interrupt(): boolean;
  /** A number from 0 up to 1. */
  random(): number;
}

export async function startReceiver({
  mostFailures,
  signersOf,
  interrupt,
  random,
}: ReceiverOptions): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const failures = new Map<string, number>();
  const server = createServer(async (request, answer) => {
    const body = await text(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const id = headers["webhook-id"] ?? "";
    const signers = signersOf({ headers, body });
    if (interrupt()) {
      received.push({ headers, body, signers, isTaken: false });
      return void request.socket.destroy();
    }
    const failed = failures.get(id) ?? 0;
    const isTaken = failed >= mostFailures || random() < 0.5;
    received.push({ headers, body, signers, isTaken });
    if (isTaken) return void answer.writeHead(204).end();
    failures.set(id, failed + 1);
    if (random() < 0.5) answer.writeHead(500).end("not now");
    else request.socket.destroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${hostPort}`,
    hostPort,
    received,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
