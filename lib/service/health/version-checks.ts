// How a new version of each function is checked before it gets traffic: with events that need no account, and for functions that capture,
// with a real capture for the account of the service itself.
import { randomBytes, randomUUID } from "node:crypto";
import { parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import { createInternalKey, INTERNAL_ACCOUNT_ID } from "../account/internal-account.ts";
import { requestedPath } from "../http/path-templates.ts";
import { createApiKey, KEY_ENTROPY_BYTES } from "../keys/api-key.ts";
import type { Environment } from "../platform/environment.ts";
import type { RenderCall } from "../rendering/serve-render.ts";
import { createOperatorToken } from "../sessions/secret-token.ts";
import { createCheckJob } from "./check-job.ts";
import { checkOptions } from "./check-options.ts";

export type CheckResources = Pick<Environment, "ACCOUNTS_TABLE" | "ACTIVITY_TABLE">;

export interface VersionCheck {
  /** What the version is invoked with. */
  readonly event: (env: CheckResources) => unknown;
  /** Reads from the response what must equal `expected`. */
  readonly read: (response: string) => string;
  readonly expected: string;
  /** With which it is invoked where tenants are isolated. */
  readonly tenantId?: string;
}

const CHECK_TENANT = String(INTERNAL_ACCOUNT_ID);

/**
 * The event with which the canary captures its page, but neither stores nor counts the outcome, which is that of the old version; and the
 * billing run reads what it needs, and changes nothing.
 */
const CHECK = { is_check: true };

const SCREENSHOT = { method: "POST", path: "/api/v1/screenshot" };

/**
 * By the name of the deployment group. Routes must refuse a key that doesn't exist, which takes a read of the table; functions of queues must
 * accept a batch without messages; and the canary and the renderer must capture a page. Those that record captures make some: with all
 * that their roles, tables, bucket, and queue take, and with the renderer that is live, which can be of the version before.
 */
export const versionChecks: Readonly<Record<string, readonly VersionCheck[]>> = {
  Screenshot: [
    route({ method: "GET", path: "/api/v1/screenshot" }, 401),
    capture(200, checkOptions),
    capture(202, (id) => ({ ...checkOptions(id), async: true })), // rendered by the version of `Render` that is live
  ],
  InvoicePdf: [route({ method: "GET", path: "/api/v1/account/invoices/{start}/pdf", start: "none" }, 401)],
  ApiFunction: [route({ method: "GET", path: "/api/v1/{proxy+}", proxy: "account" }, 401)],
  Identity: [route({ method: "GET", path: "/api/v1/keys" }, 401)],
  Web: [route({ method: "GET", path: "/{proxy+}", proxy: "health" }, 200)],
  Try: [route({ method: "POST", path: "/try", body: { url: "https://example.com" } }, 403)], // not from a page of the service
  Mcp: [route({ method: "POST", path: "/mcp", body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }, 401)],
  // A call without a signature, which takes a read of the operator's secret.
  Billing: [route({ method: "POST", path: "/billing/events", body: {}, idempotencyKey: "check" }, 401)],
  // An operator's session that doesn't exist, which takes a read of the table.
  Operator: [
    route({ method: "GET", path: "/operator/api/{proxy+}", proxy: "sign-in" }, 200),
    route({ method: "GET", path: "/operator/api/{proxy+}", proxy: "session", cookie: unknownOperator() }, 404),
  ],
  Render: [queue(), { ...queue(), event: renderEvent }],
  Webhook: [queue()],
  DeadLetters: [queue()],
  QuotaAlert: [queue()],
  Renderer: [{ event: rendererCall, read: readRendererHead, expected: "result", tenantId: CHECK_TENANT }],
  Canary: [scheduled()],
  BillingRun: [scheduled()],
};

interface Route {
  readonly method: string;
  /** Path of the resource. */
  readonly path: string;
  /** Value of its variable. */
  readonly start?: string;
  readonly proxy?: string;
  readonly body?: unknown;
  /** The `Cookie` header. */
  readonly cookie?: string;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey?: string;
}

/** The cookie of a session that no operator has, at an https address. */
function unknownOperator(): string {
  return `__Host-operator=${createOperatorToken()}`;
}

/** A request of API Gateway with an API key that no account has. */
function route(requested: Route, status: number): VersionCheck {
  return { event: () => proxyEvent(requested), read: readStatus, expected: String(status) };
}

/** A request for a capture of the account of the service itself. */
function capture(status: number, options: (id: string) => object): VersionCheck {
  const event = async ({ ACCOUNTS_TABLE }: CheckResources) =>
    proxyEvent({ ...SCREENSHOT, body: options(randomUUID()) }, await createInternalKey(ACCOUNTS_TABLE));
  return { event, read: readStatus, expected: String(status) };
}

function proxyEvent(
  { method, path, body, cookie, idempotencyKey, ...variables }: Route,
  apiKey = createApiKey(randomBytes(KEY_ENTROPY_BYTES)),
) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "content-type": "application/json",
    ...(cookie !== undefined && { cookie }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
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
    work: { options: engineOptions(options), thumbnail: false },
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

/** A message that is in no queue, with a job of the account of the service itself. A job that fails by our fault is to be delivered again. */
async function renderEvent({ ACTIVITY_TABLE }: CheckResources) {
  const message = await createCheckJob(ACTIVITY_TABLE);
  return {
    Records: [
      {
        messageId: randomUUID(),
        receiptHandle: "",
        body: JSON.stringify(message),
        attributes: { ApproximateReceiveCount: "1" },
      },
    ],
  };
}

function scheduled(): VersionCheck {
  return { event: () => CHECK, read: (response) => response, expected: "null" };
}

function queue(): VersionCheck {
  return {
    event: () => ({ Records: [] }),
    read: (response) => response,
    expected: JSON.stringify({ batchItemFailures: [] }),
  };
}
