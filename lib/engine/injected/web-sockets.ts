/// <reference lib="dom" />
// Blocks web sockets, in the main world of documents and in workers.
import { matchesUrlPattern } from "./url-pattern.ts";

/** Chromium refuses to connect to this port, so that a blocked web socket fails without a request. */
export const BLOCKED_WEB_SOCKET = "wss://0.0.0.0:1/";

export interface BlockedWebSockets {
  readonly all: boolean;
  readonly patterns: readonly string[];
}

/** Replaces `WebSocket`, because DevTools cannot intercept web sockets. Blocked ones fail as unreachable ones do. */
export function blockWebSockets({ all, patterns }: BlockedWebSockets): void {
  const isBlocked = (address: unknown) => {
    const { href } = new URL(String(address), location.href);
    return all || patterns.some((pattern) => matchesUrlPattern(pattern, href.replace(/^http/, "ws")));
  };
  const Native = WebSocket;
  globalThis.WebSocket = new Proxy(Native, {
    construct(target, [address, ...more], newTarget) {
      let url = address;
      try {
        if (isBlocked(address)) url = BLOCKED_WEB_SOCKET;
      } catch {
        // Not a URL: the constructor throws.
      }
      return Reflect.construct(target, [url, ...more], newTarget);
    },
  });
  Native.prototype.constructor = globalThis.WebSocket;
}
