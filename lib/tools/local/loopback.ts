// HTTP servers on a free port of the loopback interface.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a free port. Resolves to `host:port`. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  return `${LOOPBACK}:${(server.address() as AddressInfo).port}`;
}

/** Closes the server and all its connections. */
export async function stopListening(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

export const LOOPBACK = "127.0.0.1";
