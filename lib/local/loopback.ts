// Servers that only this machine can reach, on a port that is free.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Resolves to `host:port`. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  return `${LOOPBACK}:${(server.address() as AddressInfo).port}`;
}

/** Breaks off all connections. */
export async function stopListening(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

export const LOOPBACK = "127.0.0.1";
