// The handler of the website. Its response is streamed, because that is sent as bytes without `binaryMediaTypes`.
import { once } from "node:events";
import type { Writable } from "node:stream";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { matchPath, requestedPath } from "../service/http/path-templates.ts";
import { redactKeys } from "../service/keys/api-key.ts";
import { logError, logInfo } from "../service/platform/log.ts";
import type { Site, SiteResponse } from "./serve-site.ts";
import type { SiteSettings } from "./site-files.ts";
import { commonPaths, operatorPaths, sitePaths } from "./site-paths.ts";

/** A handler of `awslambda.streamifyResponse`. */
type StreamingHandler = (event: APIGatewayProxyEvent, stream: Writable) => Promise<void>;

/** Not the handler of the API: pages have other headers, and need neither its middleware nor its cold start. */
export function siteHandler(site: Site): StreamingHandler {
  return async (event, raw) => {
    const startedAt = performance.now();
    const path = requestedPath(event);
    const { status, headers, body } = respond(site, path, event);
    const isHead = event.httpMethod === "HEAD";
    const stream = awslambda.HttpResponseStream.from(raw, {
      statusCode: status,
      headers: status === 304 ? headers : { ...headers, "Content-Length": String(body.length) },
    });
    stream.write(""); // sends status and headers; an end without a write does not
    stream.end(isHead ? "" : body);
    await once(stream, "finish");
    logInfo("request", {
      method: event.httpMethod,
      path: redactKeys(path),
      status,
      milliseconds: Math.round(performance.now() - startedAt),
    });
  };
}

function respond(site: Site, path: string, event: APIGatewayProxyEvent): SiteResponse {
  try {
    const headers = headersByName(event);
    return site({
      path,
      accept: headers.get("accept"),
      acceptEncoding: headers.get("accept-encoding"),
      ifNoneMatch: headers.get("if-none-match"),
    });
  } catch (error) {
    logError("request failed", error as Error, { path: redactKeys(path) });
    return {
      status: 500,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
      body: Buffer.from("The service failed to read this page. Try again.\n"),
    };
  }
}

/** True for a request that the website answers: one for its paths, and one of a browser for a page that doesn't exist. */
export function isSiteRequest(event: APIGatewayProxyEvent, { operators }: Pick<SiteSettings, "operators">): boolean {
  if (!/^(GET|HEAD)$/.test(event.httpMethod)) return false;
  const path = requestedPath(event);
  if (operators === "on" && operatorApi.test(path)) return false;
  const templates = [...sitePaths, ...Object.keys(commonPaths), ...(operators === "on" ? operatorPaths : [])];
  const isSitePath = templates.some((template) => matchPath(template, path.toLowerCase()) !== undefined);
  return isSitePath || (acceptsHtml(event) && !servicePaths.test(path));
}

/** Browsers name HTML when they load a page; programs that call the API don't. */
function acceptsHtml(event: APIGatewayProxyEvent): boolean {
  return headersByName(event).get("accept")?.includes("text/html") ?? false;
}

function headersByName({ headers }: APIGatewayProxyEvent): ReadonlyMap<string, string | undefined> {
  return new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Paths of the API of operators, where the service has some: an error is JSON, too. */
const operatorApi = /^\/operator\/api(?:\/|$)/i;

/** Paths of the service, where an error is JSON for every client. */
const servicePaths = /^\/(?:api|storage|sessions?|sign-in|mcp|health)(?:\/|$)/;
