// `retry_on` through the service: one capture and one bill, however it is requested; and what an overloaded page answers without it.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, openClient } from "../../support/client.ts";
import { slowTest } from "../../support/slow-run.ts";

const { baseUrl, site } = inject("service");

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

let pages = 0;
/** A page that is overloaded for its first requests. */
const overloaded = (failures: number, wait?: number) =>
  `${site}/overloaded?key=${process.pid}-${pages++}&failures=${failures}${wait === undefined ? "" : `&wait=${wait}`}`;

const post = (body: object, { path = "/api/v1/screenshot", key = client.key, headers = {} } = {}) =>
  fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

test("an overloaded page: its error is retryable, and says when", async () => {
  const response = await post({ url: overloaded(9, 7) });
  expect([response.status, response.headers.get("retry-after"), await response.json()]).toMatchObject([
    422,
    "7",
    { code: "TARGET_HTTP_ERROR", retryable: true, target: { http_status_code: 503, retry_after: 7 } },
  ]);
  const gone = await post({ url: `${site}/not-found` });
  expect([gone.headers.get("retry-after"), await gone.json()]).toMatchObject([null, { retryable: false }]);
});

test("an overloaded page: the same request with its Idempotency-Key is run again", async () => {
  const body = { url: overloaded(1), format: "text" };
  const headers = { "Idempotency-Key": `retry-${process.pid}` };
  expect((await post(body, { headers })).status).toBe(422);
  await expect.poll(async () => (await post(body, { headers })).status).toBe(200);
});

test("a page that is too slow: its error isn't retryable, and says what to change", async () => {
  const response = await post({ url: `${site}/never-answers`, timeout: 2 });
  expect([response.status, await response.json()]).toMatchObject([
    504,
    { code: "CAPTURE_TIMEOUT", retryable: false, error: expect.stringContaining("Raise timeout") },
  ]);
});

describe("retry_on:", () => {
  const wanted = { format: "text", retry_on: [503] };

  slowTest("one capture is logged and billed, and a failure is free", async () => {
    const own = await openClient();
    const response = await post({ ...wanted, url: overloaded(2) }, { key: own.key });
    expect(await response.text()).toBe("Attempt 3");
    const failed = await post({ ...wanted, url: overloaded(9, 60) }, { key: own.key });
    expect(failed.status).toBe(422);
    const logs = await own.logs();
    expect(logs.map(({ status }) => status)).toEqual(["failed", "success"]);
    const { quotas } = await (await own.get("/api/v1/account")).json();
    expect(JSON.stringify(quotas)).toContain('"used":1');
  });

  slowTest("asynchronous captures and those of a bulk request are repeated, too", async () => {
    const requests = [{ url: overloaded(1) }, { url: overloaded(1), retry_on: "TARGET_UNREACHABLE" }];
    const { data } = await (await post({ options: wanted, requests }, { path: "/api/v1/bulk" })).json();
    expect(data).toMatchObject([
      { status: "success" },
      { status: "failed", error: { code: "TARGET_HTTP_ERROR", retryable: true } },
    ]);
  });

  slowTest("the outputs of a request share the attempts, and the cache keeps what came of them", async () => {
    const outputs = [
      { name: "text", format: "text" },
      { name: "html", format: "html" },
    ];
    const several = await (await post({ url: overloaded(1), retry_on: 503, outputs })).json();
    expect(several.outputs).toMatchObject([{ status: "success" }, { status: "success" }]);
    const cached = { ...wanted, url: overloaded(1), cache_ttl: 60 };
    expect((await post(cached)).headers.get("x-cache")).toBe("MISS");
    expect((await post({ ...cached, retry_on: undefined })).headers.get("x-cache")).toBe("HIT");
  });

  test("a request is checked without a capture, and a condition that never applies is refused", async () => {
    const url = "https://example.com";
    const checked = await post({ url, retry_on: "429,500-504", validate: true });
    expect([checked.status, (await checked.json()).options.retry_on]).toEqual([
      200,
      [
        { from: 429, to: 429 },
        { from: 500, to: 504 },
      ],
    ]);
    for (const wrong of [
      { retry_on: 200 },
      { retry_on: "CAPTURE_TIMEOUT" },
      { retry_on: 503, ignore_host_errors: true },
    ]) {
      const refused = await post({ url, ...wrong });
      expect([refused.status, Object.keys((await refused.json()).details)[0]]).toEqual([
        422,
        expect.stringMatching(/^retry_on/),
      ]);
    }
  });
});
