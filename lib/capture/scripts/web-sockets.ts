/// <reference lib="dom" />
// Runs inside documents and workers among the page's own scripts, sent there as text: web sockets that lead nowhere.

export interface RefusedSockets {
  readonly all: boolean;
  readonly patterns: readonly string[];
}

/** Chromium lets nobody hold a web socket. One that is refused leads to a port that it connects nobody to, and fails. */
export function refuseSockets(
  isNamedBy: (pattern: string, address: string) => boolean,
  { all, patterns }: RefusedSockets,
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
        if (isRefused(address)) leadsTo = "wss://0.0.0.0:1/";
      } catch {
        // No address: the constructor says so.
      }
      return Reflect.construct(target, [leadsTo, ...more], newTarget);
    },
  });
  Native.prototype.constructor = globalThis.WebSocket;
}
