// HTTP servers on the loopback interface, and on addresses that the user chooses.
import { type EventEmitter, once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, isIPv4, type Server as NetServer } from "node:net";
import { LocalServiceError } from "./local-service-error.ts";

/** Listens on a free port. Resolves to `host:port`. */
export async function listen(server: NetServer): Promise<string> {
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  return `${LOOPBACK}:${(server.address() as AddressInfo).port}`;
}

/** Listens on an address that the user has chosen; 0 is any free port. Resolves to the port. Throws `LocalServiceError`. */
export async function listenAt(server: NetServer, host: string, port: number): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const problem = code === "EADDRINUSE" ? "is in use by another program; choose another port" : message;
    throw new LocalServiceError(`The address ${host}:${port} cannot be used: it ${problem}.`, { cause });
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Refuses requests whose `Host` is a name. A page in the developer's browser reaches a port of this machine by a name of its own that
 * it lets resolve to loopback (DNS rebinding), and could read the answers; what is meant for this server names its address.
 */
export function refuseForeignHosts(server: EventEmitter): void {
  const emit = server.emit.bind(server);
  server.emit = (event: string | symbol, ...args: unknown[]) => {
    const [request, response] = args as [IncomingMessage, ServerResponse];
    if (event !== "request" || isLocalHost(request.headers.host)) return emit(event, ...args);
    request.resume();
    response
      .writeHead(421, { "Content-Type": "text/plain" })
      .end("The Host header is not the address of this server.\n");
    return true;
  };
}

/** True for an IP address of loopback and `localhost`, as servers listen on them. */
export function isLoopback(host: string): boolean {
  return host === "::1" || host.toLowerCase() === "localhost" || (isIPv4(host) && host.startsWith("127."));
}

/** True for an IP address of loopback or `localhost`, with or without a port. */
function isLocalHost(host: string | undefined): boolean {
  return host === undefined || /^(127(\.\d{1,3}){3}|\[::1\]|localhost)(:\d+)?$/i.test(host);
}

/** Closes the server and all its connections. */
export async function stopListening(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

export const LOOPBACK = "127.0.0.1";
