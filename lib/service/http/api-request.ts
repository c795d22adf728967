// A request to the API, read from the event that API Gateway sends to a function.
import type { APIGatewayProxyEvent } from "aws-lambda";
import { ApiError } from "../../contract/errors/api-error.ts";
import type { Credentials } from "../account/authenticate.ts";
import { optionalVariable } from "../platform/environment.ts";
import { createId } from "../platform/ids.ts";
import { readCookie } from "../sessions/session-cookie.ts";
import { type FollowingWork, followingWork } from "./after-response.ts";
import { callerAddress, parseTrustedProxies } from "./caller-address.ts";
import { isFormType, isJsonType, mediaType, parseForm } from "./request-body.ts";

/** The origins whose pages may send requests to a route: every one, by CORS, or the service's own. */
export type Origins = "any" | "own";

export interface ApiRequest extends FollowingWork {
  readonly method: string;
  readonly path: string;
  /** Path template of the route, such as `/api/v1/keys/{id}`. */
  readonly resource: string;
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Decoded, in the order they were sent; a repeated parameter appears as often. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The body: parsed where it was JSON, as text otherwise. */
  readonly body: unknown;
  /** The body as it was sent, for a signature over it. */
  readonly bodyText: string;
  /** Network address of the caller: of the connection, or, behind trusted proxies, of the connection to the first of them. */
  readonly sourceIp: string;
  /** Values of its `Cookie` headers. */
  readonly cookies: readonly string[];
  /** Token of the session cookie, if the request presents no API key and no signature, which take precedence. */
  readonly sessionToken: string | undefined;
  /** True when the response depends on cookies, or is for the service's own origin: no other one may read it, no cache store it. */
  readonly isPrivate: boolean;
  /** Makes the response private, errors included, from now on: for a request that proves to be private only when its cookie is looked up. */
  readonly keepPrivate: () => void;
  readonly requestId: number;
  /** When the function received it: milliseconds since 1970, and on the monotonic clock. */
  readonly receivedAt: number;
  readonly startedAt: number;
  /** Headers of its response, errors included; a handler adds them as soon as they are known. */
  readonly responseHeaders: Map<string, string>;
}

/** Gives a request to a route its id and times. The body is read later, when it has been parsed. */
export function createApiRequest(event: APIGatewayProxyEvent, origins: Origins = "any"): ApiRequest {
  const receivedAt = Date.now();
  const query = Object.entries(event.multiValueQueryStringParameters ?? {});
  const sessionToken = presentedSession(event);
  const requestId = createId(receivedAt, Math.random());
  let isPrivate = origins === "own" || (sessionToken !== undefined && event.resource.startsWith("/api/"));
  return {
    method: event.httpMethod,
    path: event.path,
    resource: event.resource,
    pathParameters: event.pathParameters ?? {},
    headers: event.headers,
    query: query.flatMap(([name, values = []]) => values.map((value) => [name, value] as const)),
    body: null,
    bodyText: "",
    sourceIp: sourceAddress(event),
    cookies: headerValues(event, "cookie"),
    sessionToken,
    get isPrivate() {
      return isPrivate;
    },
    keepPrivate: () => {
      isPrivate = true;
    },
    requestId,
    receivedAt,
    startedAt: performance.now(),
    responseHeaders: new Map(),
    ...followingWork(),
  };
}

function sourceAddress(event: APIGatewayProxyEvent): string {
  const peer = event.requestContext.identity.sourceIp;
  const trusted = parseTrustedProxies(optionalVariable("TRUSTED_PROXIES") ?? "");
  return callerAddress({ peer, forwardedFor: headerValues(event, "x-forwarded-for") }, trusted);
}

const ACCESS_KEY = "access_key";

/** All values of a header by its name in lower case: `headers` of the event has only the last of several. */
function headerValues({ multiValueHeaders }: APIGatewayProxyEvent, name: string): string[] {
  const found = Object.entries(multiValueHeaders ?? {}).filter(([each]) => each.toLowerCase() === name);
  return found.flatMap(([, values = []]) => values);
}

/** The value of the session cookie, unless an API key or a signature takes precedence. */
function presentedSession(event: APIGatewayProxyEvent): string | undefined {
  const baseUrl = optionalVariable("BASE_URL");
  const query = event.multiValueQueryStringParameters ?? {};
  if (baseUrl === undefined || event.headers["authorization"] !== undefined) return undefined;
  if (Object.hasOwn(query, ACCESS_KEY) || Object.hasOwn(query, "signature")) return undefined;
  return readCookie(headerValues(event, "cookie"), "session", baseUrl);
}

/** The API key of a request, wherever it is. */
export function readCredentials({ headers, query, body }: ApiRequest): Credentials {
  return {
    authorization: headers["authorization"],
    apiKeyHeader: headers["x-api-key"],
    accessKeys: query.filter(([name]) => name === ACCESS_KEY).map(([, value]) => value),
    inBody: isObject(body) ? ACCESS_KEY in body : typeof body === "string" && new URLSearchParams(body).has(ACCESS_KEY),
  };
}

/** The options in the query, without the key. A repeated name and `name[]` make a list. */
export function queryOptions({ query }: ApiRequest): Record<string, unknown> {
  return toOptions(query.filter(([name]) => name !== ACCESS_KEY));
}

/**
 * The options of a request: those in the query and those in a JSON or form body. Throws `VALIDATION_ERROR` for an option with two
 * values, `BAD_REQUEST` for a body that cannot be read, and `UNSUPPORTED_MEDIA_TYPE` for one of another type.
 */
export function rawOptions(request: ApiRequest): Record<string, unknown> {
  if (!allowsBody(request)) return queryOptions(request);
  const [inQuery, inBody] = [queryOptions(request), bodyOptions(request)];
  const twice = Object.keys(inQuery).filter(
    (name) => Object.hasOwn(inBody, name) && !isSame(inQuery[name], inBody[name]),
  );
  if (twice.length > 0) throw sentTwice(twice);
  return { ...inQuery, ...inBody };
}

/** Text in a query is the same as the value that it stands for. */
function isSame(inQuery: unknown, inBody: unknown): boolean {
  const asText = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return asText(inQuery) === asText(inBody);
}

function sentTwice(names: readonly string[]): ApiError {
  const message = "has one value in the query and another one in the body: send it once";
  const shown = names.slice(0, 50).map((name) => name.slice(0, 100));
  const details = Object.fromEntries(shown.map((name) => [name, [message]]));
  return new ApiError("VALIDATION_ERROR", `Option '${shown[0]}' ${message}.`, { details });
}

/** False for GET and HEAD, whose body is refused. */
export function allowsBody({ method }: Pick<ApiRequest, "method">): boolean {
  return method !== "GET" && method !== "HEAD";
}

function bodyOptions({ headers, body }: ApiRequest): Record<string, unknown> {
  if (body === null || body === "") return {};
  const type = headers["content-type"];
  if (isFormType(type)) return formOptions(String(body));
  if (!isJsonType(type)) {
    const problem =
      mediaType(type) === ""
        ? "The Content-Type is missing."
        : `The Content-Type '${mediaType(type).slice(0, 100)}' is not supported.`;
    const message = `${problem} Send application/json or application/x-www-form-urlencoded.`;
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", message);
  }
  if (!isObject(body)) throw new ApiError("BAD_REQUEST", "The JSON body must be an object with options.");
  return body;
}

function formOptions(body: string): Record<string, unknown> {
  if (/^\s*\{/.test(body)) {
    const message = "The body looks like JSON but was sent as a form. Add the header Content-Type: application/json.";
    throw new ApiError("BAD_REQUEST", message);
  }
  return toOptions(parseForm(body));
}

function toOptions(pairs: Iterable<readonly [string, string]>): Record<string, unknown> {
  const options = new Map<string, { values: string[]; isList: boolean }>();
  for (const [sentName, value] of pairs) {
    const name = sentName.replace(/\[\]$/, "");
    const option = options.get(name);
    if (option) option.values.push(value);
    else options.set(name, { values: [value], isList: name !== sentName });
  }
  return Object.fromEntries(
    [...options].map(([name, { values, isList }]) => [name, isList || values.length > 1 ? values : values[0]]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
