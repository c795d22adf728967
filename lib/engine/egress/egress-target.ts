// Parses the target of a request to the egress proxy from its request line alone.

export interface EgressTarget {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** Path and query of a plain http request; empty for a tunnel. */
  readonly path: string;
}

/** Plain http requests name their target in absolute form; the Host header is ignored. */
export function parseAbsolute(url: string): EgressTarget | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin, hostname, port, pathname, search } = new URL(url);
  if (protocol !== "http:") return undefined;
  return { origin, host: withoutBrackets(hostname), port: Number(port || 80), path: pathname + search };
}

/**
 * A CONNECT tunnel carries https, ws or wss. Its origin is recorded as https, the only one of these that is navigated
 * to.
 */
export function parseAuthority(authority: string): EgressTarget | undefined {
  const [, host, port] = /^(\[[0-9a-fA-F:.]+\]|[^:/@\s]+):(\d{1,5})$/.exec(authority) ?? [];
  if (host === undefined || !URL.canParse(`https://${host}:${port}`)) return undefined;
  const { origin, hostname } = new URL(`https://${host}:${port}`);
  return { origin, host: withoutBrackets(hostname), port: Number(port), path: "" };
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}
