// The OpenAPI document as served, and whether real responses match it.
import { beforeAll, expect, inject, test, vi } from "vitest";
import type { PlanName } from "../../lib/contract/plans.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { type OpenapiDocument, operationsOf, problemFinder } from "../support/openapi.ts";
import { recordPastCaptures } from "../support/past-captures.ts";

const { baseUrl, site, receiver, ownStorage } = inject("service");
const DAY_MS = 24 * 60 * 60 * 1000;
let client: Client;
let document: OpenapiDocument;
let problemsOf: ReturnType<typeof problemFinder>;

beforeAll(async () => {
  client = await openClient();
  document = await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json();
  problemsOf = problemFinder(document);
});

const small = { viewport_width: "200", viewport_height: "100" };
test("OpenAPI document: is public, allows all origins, is cacheable for an hour, and has the URL of the service", async () => {
  const response = await fetch(`${baseUrl}/api/v1/openapi.json`);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "public, max-age=3600",
    "access-control-allow-origin": "*",
  });
  expect(document.servers).toEqual([{ url: baseUrl }]);
});

test("OpenAPI document: names who runs the service, at both of its addresses", async () => {
  const site: OpenapiDocument = await (await fetch(`${baseUrl}/openapi.json`)).json();
  expect(document).toEqual(site);
  expect(document).toMatchObject({
    info: {
      contact: { name: "Support", email: "support@captures.example" },
      termsOfService: "https://captures.example/terms",
    },
  });
});

test("OpenAPI document: has every header of a capture", async () => {
  const response = await client.capture({
    url: `${site}/box`,
    ...small,
    metadata_page_title: "true",
    metadata_image_size: "true",
    metadata_http_response_status_code: "true",
  });
  const reported = new Set(Object.keys(document.components.headers).map((name) => name.toLowerCase()));
  const ofOurs = [...response.headers.keys()].filter((name) => /^x-(?!amzn)|server-timing|etag|disposition/.test(name));
  expect(ofOurs.filter((name) => !reported.has(name))).toEqual(["x-content-type-options"]);
  expect(ofOurs).toEqual(expect.arrayContaining(["x-page-title", "x-image-width", "x-source-status-code"]));
});

test.each([
  ["a capture that fails", { url: "http://127.0.0.1:1/" }],
  ["options that are wrong", { viewport_width: "one" }],
])("OpenAPI document: matches the error of %s", async (_, sent: Record<string, string>) => {
  const response = await client.capture(sent);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(problemsOf("Error", await response.json())).toEqual([]);
});

test("OpenAPI document: has status 422 in every operation that rejects unknown parameters", async () => {
  const reads = operationsOf(document).filter(({ method, security }) => method === "GET" && security?.length !== 0);
  const answers = reads.map(async ({ path, responses }) => {
    const response = await client.get(path.replace("{id}", String(client.keyId)), { nonsense: "1" });
    return [path, response.status, "422" in responses, problemsOf("Error", await response.json())];
  });
  expect(await Promise.all(answers)).toEqual(reads.map(({ path }) => [path, 422, true, []]));
});

test.each<PlanName>(["free", "starter", "max"])(
  "OpenAPI document: matches the account and the invoices on plan %s",
  async (plan) => {
    const caller = await openClient({ plan, openedAt: Date.now() - 100 * DAY_MS });
    const [account, invoices] = await Promise.all(
      ["/api/v1/account", "/api/v1/account/invoices"].map(async (path) => (await caller.get(path)).json()),
    );
    expect(problemsOf("Account", account)).toEqual([]);
    expect(problemsOf("Invoices", invoices)).toEqual([]);
    expect(invoices.data.length).toBe(plan === "free" ? 1 : 4);
    expect(untold("Account", account)).toEqual([]);
    expect(untold("Invoice", invoices.data[0])).toEqual([]);
  },
);

test("OpenAPI document: matches the error and headers of a capture beyond the quota", async () => {
  const caller = await openClient({ plan: "free", openedAt: Date.now() - 8 * DAY_MS });
  const response = await caller.capture({ html: "Hello" });
  expect(response.status).toBe(402);
  expect(problemsOf("QuotaExceeded", await response.json())).toEqual([]);
  expect(missingHeaders(response, "/api/v1/screenshot")).toEqual([]);
});

test("OpenAPI document: matches the error and headers of too many requests", async () => {
  const caller = await openClient({ plan: "free" });
  const responses = await Promise.all(Array.from({ length: 11 }, () => caller.get("/api/v1/account")));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(200), 429]);
  for (const response of responses) expect(missingHeaders(response, "/api/v1/account")).toEqual([]);
  expect(problemsOf("Error", await responses.find(({ status }) => status === 429)?.json())).toEqual([]);
});

test.each(["/api/v1/account", "/api/v1/account/invoices", "/api/v1/usage", "/api/v1/usage/stats", "/api/v1/keys"])(
  "OpenAPI document: has the headers of %s, with and without an API key",
  async (path) => {
    const [known, unknown] = [await client.get(path), await fetch(`${baseUrl}${path}`)];
    expect([known.status, unknown.status]).toEqual([200, 401]);
    expect([missingHeaders(known, path), missingHeaders(unknown, path)]).toEqual([[], []]);
    expect([countHeaders(known), countHeaders(unknown)]).toEqual([4, 0]);
  },
);

test("OpenAPI document: matches an asynchronous capture from its acceptance to its end", async () => {
  const slices = { full_page: "true", full_page_slices: "true", metadata_page_title: "true" };
  const succeeds: Record<string, string> = { html: "<h1>Hello</h1>", ...small, ...slices };
  const fails: Record<string, string> = { url: `${site}/status?status=503` };
  for (const options of [succeeds, fails]) {
    const response = await client.capture({ ...options, async: "true" });
    expect([response.status, missingHeaders(response, "/api/v1/screenshot")]).toEqual([202, []]);
    const accepted = await response.json();
    expect([problemsOf("CaptureAccepted", accepted), untold("CaptureAccepted", accepted)]).toEqual([[], []]);
    const finished = await vi.waitFor(
      async () => {
        const answer = await client.get(`/api/v1/screenshot/${accepted.request_id}`);
        expect(missingHeaders(answer, "/api/v1/screenshot/{id}")).toEqual([]);
        const state = await answer.json();
        expect([problemsOf("CaptureState", state), untold("CaptureState", state)]).toEqual([[], []]);
        expect(["success", "failed"]).toContain(state.status);
        return state;
      },
      { timeout: 20_000, interval: 500 },
    );
    expect(finished.status).toBe(options === fails ? "failed" : "success");
  }
});

interface Sending {
  readonly by?: Client;
  readonly headers?: Record<string, string>;
}

const post = (path: string, body: object, { by = client, headers = {} }: Sending = {}) =>
  sendWith(by, "POST", path, { body, headers });

test("OpenAPI document: has the headers of status 304", async () => {
  const headers = { "If-None-Match": "*" };
  const response = await post("/api/v1/screenshot", { html: "Hello", ...small, cache: true }, { headers });
  expect([response.status, untoldHeaders(response, "/api/v1/screenshot", "POST")]).toEqual([304, []]);
});

test.each([
  ["bytes", {}, 200],
  ["an asynchronous capture", { async: true }, 202],
])("OpenAPI document: has the headers of a replayed response with %s", async (_, options, status) => {
  const headers = { "Idempotency-Key": `again-${status}` };
  const send = () => post("/api/v1/screenshot", { html: "Hello", ...small, ...options }, { headers });
  const [first, again] = [await send(), await send()];
  expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([status, status, "true"]);
  for (const response of [first, again]) expect(untoldHeaders(response, "/api/v1/screenshot", "POST")).toEqual([]);
});

test("OpenAPI document: matches the error of a failed upload to customer storage", async () => {
  const keys = { storage_access_key_id: "owner", storage_secret_access_key: "secret" };
  const bucket = { store: true, storage_endpoint: ownStorage, storage_bucket: "no-bucket", storage_path: "a" };
  const response = await post("/api/v1/screenshot", { html: "Hello", ...small, ...bucket, ...keys });
  const error = await response.json();
  expect([response.status, error.code, problemsOf("Error", error)]).toEqual([422, "STORAGE_FAILED", []]);
});

test.each([true, false])("OpenAPI document: matches bulk captures with execute %s", async (execute) => {
  const caller = await openClient({ plan: "free" });
  await recordPastCaptures(caller, { count: 299 });
  const requests = [{ html: "Hello", ...small, webhook_url: `${receiver}/to/several` }, { html: "Too many" }];
  const headers = { "Idempotency-Key": `several-${execute}` };
  const send = () => post("/api/v1/bulk", { requests, execute }, { by: caller, headers });
  const [first, response] = [await send(), await send()];
  const status = execute ? 200 : 202;
  expect([first.status, missingHeaders(first, "/api/v1/bulk", "POST")]).toEqual([status, ["Idempotent-Replayed"]]);
  expect([response.status, missingHeaders(response, "/api/v1/bulk", "POST")]).toEqual([status, []]);
  const answer = await response.json();
  expect([problemsOf("BulkCaptures", answer), untold("BulkCaptures", answer)]).toEqual([[], []]);
  const [taken, refused] = answer.data;
  expect([problemsOf("BulkCapture", taken), untold("BulkCapture", taken)]).toEqual([[], []]);
  expect([problemsOf("RefusedCapture", refused), untold("RefusedCapture", refused)]).toEqual([[], []]);
});

test("OpenAPI document: matches the redelivery of a webhook and the deletion of a result", async () => {
  const requests = [{ html: "Hello", ...small, webhook_url: `${receiver}/to/once-more` }];
  const { data } = await (await post("/api/v1/bulk", { requests })).json();
  const path = `/api/v1/screenshot/${data[0].request_id}`;
  const again = { headers: { "Idempotency-Key": "once-more" } };
  for (const missing of [["Idempotent-Replayed"], []]) {
    const redelivered = await post(`${path}/webhook/redeliver`, {}, again);
    expect(redelivered.status).toBe(202);
    expect(missingHeaders(redelivered, "/api/v1/screenshot/{id}/webhook/redeliver", "POST")).toEqual(missing);
  }
  const deleted = await sendWith(client, "DELETE", path);
  expect([deleted.status, missingHeaders(deleted, "/api/v1/screenshot/{id}", "DELETE")]).toEqual([204, []]);
  const state = await (await client.get(path)).json();
  expect([state.url, problemsOf("CaptureState", state)]).toEqual([null, []]);
});

test("OpenAPI document: matches the usage reports", async () => {
  await client.capture({ url: `${site}/box`, ...small });
  const [list, sums] = await Promise.all([client.get("/api/v1/usage"), client.get("/api/v1/usage/stats")]);
  expect(problemsOf("UsagePage", await list.json())).toEqual([]);
  expect(problemsOf("UsageStatistics", await sums.json())).toEqual([]);
});

/** Headers that the document promises for this answer, and that it does not have. */
function missingHeaders({ status, headers }: Response, path: string, method = "GET"): string[] {
  const reported = toldHeaders(status, path, method);
  return reported?.filter((name) => !headers.has(name)) ?? [`${method} ${path} is not reported to answer ${status}`];
}

/** Headers of the service's own that this answer has, and that the document does not tell of. */
function untoldHeaders({ status, headers }: Response, path: string, method: string): string[] {
  const reported = toldHeaders(status, path, method)?.map((name) => name.toLowerCase());
  if (!reported) return [`${method} ${path} is not reported to answer ${status}`];
  const ofOurs = /^x-(?!amzn|content-type-options)|server-timing|etag|disposition|location|idempotent/;
  return [...headers.keys()].filter((name) => ofOurs.test(name) && !reported.includes(name));
}

function toldHeaders(status: number, path: string, method: string): string[] | undefined {
  const operation = operationsOf(document).find((each) => each.path === path && each.method === method);
  const answer = operation?.responses[status];
  return answer && Object.keys(answer.headers ?? {});
}

function countHeaders({ headers }: Response): number {
  return [...headers.keys()].filter((name) => name.startsWith("x-ratelimit-")).length;
}

/** Names of what an answer has beyond its schema. */
function untold(name: string, answer: object): string[] {
  const { properties } = document.components.schemas[name] as { properties: object };
  return Object.keys(answer).filter((key) => !(key in properties));
}
