// Which pages in a browser may send requests: those of every site, or the service's own. Protects from forged requests (CSRF) and from
// names that are pointed at the service (DNS rebinding).
import { isIP } from "node:net";
import { ApiError } from "../../contract/errors/api-error.ts";
import { optionalVariable } from "../platform/environment.ts";
import { type ApiRequest, allowsBody } from "./api-request.ts";

type BrowserRequest = Pick<ApiRequest, "headers">;

/**
 * Throws `FORBIDDEN` for a request of a page of another site. Browsers state the origin in `Sec-Fetch-Site`, and where it matters in
 * `Origin`, which no page can forge; programs send neither.
 * https://www.w3.org/TR/fetch-metadata/
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#security-warning
 */
export function refuseOtherSites({ headers }: BrowserRequest): void {
  const { origin, host, "sec-fetch-site": site = "none" } = headers;
  if (site !== "none" && site !== "same-origin") throw ofOtherSite();
  if (origin !== undefined && !isOwnOrigin(origin, { host, baseUrl: optionalVariable("BASE_URL") }))
    throw ofOtherSite();
}

/**
 * Throws `FORBIDDEN` or `UNSUPPORTED_MEDIA_TYPE` for a request that another site may have started, with which browsers send cookies. With
 * `changesState`, a request that doesn't say where it comes from is refused, too.
 */
export function requireOwnPage(request: ApiRequest, { changesState = allowsBody(request) } = {}): void {
  refuseOtherSites(request);
  const { origin, "sec-fetch-site": site } = request.headers;
  const isKnown = site === undefined ? origin !== undefined : site === "same-origin";
  if (changesState && !isKnown) throw ofOtherSite();
  if (allowsBody(request)) requireJsonBody(request);
}

function ofOtherSite(): ApiError {
  return new ApiError(
    "FORBIDDEN",
    "Only the service's own pages, at its public base URL, can send this request from a browser. Programs send an API key and no Origin.",
  );
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` for a body that a form of another site could send. */
function requireJsonBody({ headers, body }: Pick<ApiRequest, "headers" | "body">): void {
  const hasBody = body !== null && body !== "";
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (!hasBody || type.trim().toLowerCase() === "application/json") return;
  throw new ApiError(
    "UNSUPPORTED_MEDIA_TYPE",
    "With a session, the body must be sent as Content-Type: application/json.",
  );
}

/**
 * True for the origin of the base URL, and for that of the host to which the request was sent, at which the pages are served as well. Not
 * for a name over plain HTTP, which anyone can point at this service: such a name must be that of the base URL.
 */
function isOwnOrigin(
  origin: string,
  { host, baseUrl }: { readonly host: string | undefined; readonly baseUrl: string | undefined },
): boolean {
  if (!URL.canParse(origin)) return false;
  const sent = new URL(origin);
  if (baseUrl !== undefined && sent.origin === new URL(baseUrl).origin) return true;
  if (host === undefined || withLoopbackName(sent.host) !== withLoopbackName(host)) return false;
  return sent.protocol === "https:" || (sent.protocol === "http:" && !isPublicName(sent.hostname));
}

/** The names of this machine are one, with the same port. */
function withLoopbackName(host: string): string {
  return host.replace(/^(localhost|127\.0\.0\.1|\[::1\])(?=:|$)/, "localhost");
}

function isPublicName(hostname: string): boolean {
  return hostname !== "localhost" && isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
}
