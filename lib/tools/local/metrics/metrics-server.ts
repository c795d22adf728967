// The HTTP server of `GET /metrics`, with an address of its own and a bearer token.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { listeningAddress } from "../cli/public-base-url.ts";
import { listenAt, refuseForeignHosts, stopListening } from "../loopback.ts";
import type { MetricsSettings } from "./metrics-settings.ts";

export interface MetricsServer {
  /** Address of the metrics. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ServedMetrics<ContentType extends string> {
  /** The types of which a client gets the one that it prefers, or the first one. */
  readonly contentTypes: readonly ContentType[];
  /** Resolves to the metrics as text of a type, or to undefined while the service starts. */
  read(contentType: ContentType): Promise<string | undefined>;
}

/** Throws `LocalServiceError` when the address cannot be used. */
export async function startMetricsServer<ContentType extends string>(
  { host, port, token }: MetricsSettings,
  { read, contentTypes }: ServedMetrics<ContentType>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    void respond(request, response).catch(() => response.writeHead(500).end());
  });
  // Pages in a browser of this machine have no token, but can send requests to loopback.
  if (token === undefined) refuseForeignHosts(server);
  const listeningPort = await listenAt(server, host, port);
  return { url: `${listeningAddress(host, listeningPort)}/metrics`, close: () => stopListening(server) };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    response.setHeader("Cache-Control", "no-store");
    if (token !== undefined && !hasToken(request, token)) {
      response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end(); // the same for each path and method
    } else if (request.url?.split("?")[0] !== "/metrics") {
      response.writeHead(404).end();
    } else if (request.method !== "GET") {
      response.writeHead(405, { Allow: "GET" }).end();
    } else {
      const contentType = preferredType(request, contentTypes);
      const text = await read(contentType);
      if (text === undefined) response.writeHead(503).end();
      else response.writeHead(200, { "Content-Type": contentType, Vary: "Accept" }).end(text);
    }
  }
}

/** The type that `Accept` prefers (RFC 9110, section 12.5.1); the first one without a match. */
function preferredType<ContentType extends string>(
  request: IncomingMessage,
  contentTypes: readonly ContentType[],
): ContentType {
  const preferred = new Negotiator(request).mediaType([...contentTypes]);
  return (contentTypes.find((each) => each === preferred) ?? contentTypes[0]) as ContentType;
}

/** Compares digests in constant time: they have one length, which the comparison requires. */
function hasToken({ headers: { authorization = "" } }: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const [, sent] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  return sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}
