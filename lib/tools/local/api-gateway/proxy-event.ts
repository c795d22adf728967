// The event of a Lambda proxy integration, built from an HTTP request as API Gateway does for a REST API.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
import type { APIGatewayProxyEvent } from "aws-lambda";
import { ACCOUNT_ID } from "../engines/client-options.ts";
import type { RouteMatch } from "./route-match.ts";

export interface ReceivedRequest {
  readonly httpMethod: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Alternating names and values, in the client's case, as Node.js gives them. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly localPort: number;
}

export interface ProxyEventOptions {
  readonly request: ReceivedRequest;
  readonly match: RouteMatch;
  readonly api: { readonly id: string; readonly stage: string };
  readonly requestId: string;
  readonly now: Date;
}

export function proxyEvent({ request, match, api, requestId, now }: ProxyEventOptions): APIGatewayProxyEvent {
  const { pathname, searchParams } = splitUrl(request.url);
  const headers = multiValue(headerPairs(request));
  const query = multiValue([...searchParams]);
  const { method, pathParameters } = match;
  return {
    resource: method.path,
    path: pathname,
    httpMethod: request.httpMethod,
    headers: lastValues(headers),
    multiValueHeaders: headers,
    queryStringParameters: nullIfEmpty(lastValues(query)),
    multiValueQueryStringParameters: nullIfEmpty(query),
    pathParameters: nullIfEmpty({ ...pathParameters }),
    stageVariables: null,
    requestContext: {
      accountId: ACCOUNT_ID,
      apiId: api.id,
      authorizer: undefined,
      domainName: headerValue(headers, "host"),
      extendedRequestId: requestId,
      httpMethod: request.httpMethod,
      identity: { ...anonymous, sourceIp: request.sourceIp, userAgent: headerValue(headers, "user-agent") ?? null },
      path: `/${api.stage}${pathname}`,
      protocol: "HTTP/1.1",
      requestId,
      requestTime: commonLogTime(now),
      requestTimeEpoch: now.getTime(),
      resourceId: method.resourceId,
      resourcePath: method.path,
      stage: api.stage,
    },
    // Without binary media types in the API every body is text. Bytes that are not UTF-8 are lost on AWS, too.
    body: request.body.length > 0 ? request.body.toString("utf8") : null,
    isBase64Encoded: false,
  };
}

/** Keeps the path as sent. `new URL` would resolve dot segments and parse a double slash as a host. */
export function splitUrl(url: string): { pathname: string; searchParams: URLSearchParams } {
  const at = url.indexOf("?");
  const [pathname, search] = at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
  return { pathname, searchParams: new URLSearchParams(search) };
}

type Pair = readonly [name: string, value: string];

function headerPairs({ rawHeaders, sourceIp, localPort }: ReceivedRequest): Pair[] {
  const sent = rawHeaders
    .flatMap((name, index): Pair[] => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""]] : []))
    .filter(([name]) => !hopByHop.has(name.toLowerCase()));
  const forwarded = sent.find(([name]) => name.toLowerCase() === "x-forwarded-for")?.[1];
  return [
    ...sent.filter(([name]) => !name.toLowerCase().startsWith("x-forwarded-")),
    ["X-Forwarded-For", forwarded ? `${forwarded}, ${sourceIp}` : sourceIp],
    ["X-Forwarded-Port", String(localPort)],
    ["X-Forwarded-Proto", "http"],
  ];
}

/** Headers of the connection to the gateway, which it does not forward. */
const hopByHop = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
]);

function multiValue(pairs: readonly Pair[]): Record<string, string[]> {
  const values: Record<string, string[]> = Object.create(null); // a parameter can be named "__proto__"
  for (const [name, value] of pairs) {
    values[name] ??= [];
    values[name].push(value);
  }
  return values;
}

function lastValues(values: Readonly<Record<string, string[]>>): Record<string, string> {
  const last: Record<string, string> = Object.create(null);
  for (const [name, all] of Object.entries(values)) last[name] = all.at(-1) ?? "";
  return last;
}

function nullIfEmpty<T extends object>(values: T): T | null {
  return Object.keys(values).length > 0 ? values : null;
}

function headerValue(headers: Readonly<Record<string, string[]>>, name: string): string | undefined {
  return Object.entries(headers)
    .find(([header]) => header.toLowerCase() === name)?.[1]
    .at(-1);
}

/** `10/Oct/2026:13:55:36 +0000`, the time format of the Common Log Format. */
function commonLogTime(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}

const anonymous = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};
