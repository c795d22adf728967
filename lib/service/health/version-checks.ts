// How a new version of each function is checked before it gets traffic: with an event that needs no account and changes nothing.
import { randomBytes } from "node:crypto";
import { parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import { requestedPath } from "../http/path-templates.ts";
import { createApiKey, KEY_ENTROPY_BYTES } from "../keys/api-key.ts";
import type { RenderCall } from "../rendering/serve-render.ts";

export interface VersionCheck {
  /** What the version is invoked with. */
  readonly event: () => unknown;
  /** Reads from the response what must equal `expected`. */
  readonly read: (response: string) => string;
  readonly expected: string;
  /** With which it is invoked where tenants are isolated. */
  readonly tenantId?: string;
}

const CHECK_TENANT = "check";

/** The event with which the canary captures its page, but neither stores nor counts the outcome, which is that of the old version. */
const CANARY_CHECK = { is_check: true };

/**
 * By the name of the deployment group. Routes must refuse a key that doesn't exist, which takes a read of the table; functions of queues must accept a batch without messages; and the canary and the renderer must capture a page.
 */
export const versionChecks: Readonly<Record<string, VersionCheck>> = {
  Screenshot: route({ method: "GET", path: "/api/v1/screenshot" }, 401),
  InvoicePdf: route({ method: "GET", path: "/api/v1/account/invoices/{start}/pdf", start: "none" }, 401),
  ApiFunction: route({ method: "GET", path: "/api/v1/{proxy+}", proxy: "account" }, 401),
  Identity: route({ method: "GET", path: "/api/v1/keys" }, 401),
  Web: route({ method: "GET", path: "/{proxy+}", proxy: "health" }, 200),
  Try: route({ method: "POST", path: "/try", body: { url: "https://example.com" } }, 403), // not from a page of the service
  Mcp: route({ method: "POST", path: "/mcp", body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }, 401),
  Render: queue(),
  Webhook: queue(),
  DeadLetters: queue(),
  QuotaAlert: queue(),
  Renderer: { event: rendererCall, read: readRendererHead, expected: "result", tenantId: CHECK_TENANT },
  Canary: { event: () => CANARY_CHECK, read: (response) => response, expected: "null" },
};

interface Route {
  readonly method: string;
  /** Path of the resource. */
  readonly path: string;
  /** Value of its variable. */
  readonly start?: string;
  readonly proxy?: string;
  readonly body?: unknown;
}

/** A request of API Gateway with an API key that no account has. */
function route(requested: Route, status: number): VersionCheck {
  return { event: () => proxyEvent(requested), read: readStatus, expected: String(status) };
}

function proxyEvent({ method, path, body, ...variables }: Route) {
  const headers = {
    authorization: `Bearer ${createApiKey(randomBytes(KEY_ENTROPY_BYTES))}`,
    "content-type": "application/json",
  };
  return {
    resource: path,
    path: requestedPath({ resource: path, pathParameters: variables }),
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: { ...variables },
    stageVariables: null,
    requestContext: { resourcePath: path, httpMethod: method, identity: { sourceIp: "127.0.0.1" } },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
  };
}

/** A streamed response begins with its status and headers as JSON, and eight NUL bytes. */
function readStatus(response: string): string {
  const [prelude = ""] = response.split("\0", 1);
  try {
    return String(JSON.parse(prelude).statusCode);
  } catch {
    return "no status";
  }
}

function rendererCall(): RenderCall {
  const options = parseCaptureOptions({ html: "<p>A page of the service.", timeout: 20 });
  return {
    work: { options: engineOptions(options) },
    request_id: 0,
    tenant_id: CHECK_TENANT,
    elapsed_ms: 0,
    uploads: [],
  };
}

/** The kind of the response, which its head says. */
function readRendererHead(response: string): string {
  return /"kind":"(result|error)"/.exec(response)?.[1] ?? "no result";
}

function queue(): VersionCheck {
  return {
    event: () => ({ Records: [] }),
    read: (response) => response,
    expected: JSON.stringify({ batchItemFailures: [] }),
  };
}
