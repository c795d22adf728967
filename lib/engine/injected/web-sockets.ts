/// <reference lib="dom" />
// Runs inside documents and workers among the page's own scripts, sent there as text: web sockets that lead nowhere.

/** Nobody is there, and Chromium does not even ask: it connects no page to such a port. */
export const BLOCKED_WEB_SOCKET = "wss://0.0.0.0:1/";

export interface BlockedWebSockets {
  readonly to: typeof BLOCKED_WEB_SOCKET;
  readonly all: boolean;
  readonly patterns: readonly string[];
}

/** Chromium lets nobody hold a web socket. One that is refused leads nowhere, and fails as any other would. */
export function blockWebSockets(
  isNamedBy: (pattern: string, address: string) => boolean,
  { to, all, patterns }: BlockedWebSockets,
): void {
  const isRefused = (address: unknown) => {
    const { href } = new URL(String(address), location.href);
    return all || patterns.some((pattern) => isNamedBy(pattern, href.replace(/^http/, "ws")));
  };
  const Native = WebSocket;
  globalThis.WebSocket = new Proxy(Native, {
    construct(target, [address, ...more], newTarget) {
      let leadsTo = address;
      try {
        if (isRefused(address)) leadsTo = to;
      } catch {
        // No address: the constructor says so.
      }
      return Reflect.construct(target, [leadsTo, ...more], newTarget);
    },
  });
  Native.prototype.constructor = globalThis.WebSocket;
}
