// What is wrong with a capture, over HTTP: in results, headers, jobs, logs, and reports; rules and repairs.
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type Client, openClient } from "../../support/client.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

const { baseUrl } = inject("service");

const html = "<h1>Page not found</h1><p>Sorry, it is not here.</p>";
const right = `<h1>A lighthouse</h1><p>${"It was built in 1874, and its keeper counted birds. ".repeat(9)}</p>`;
const overlaid = `${right}<div style="position:fixed;inset:20px;background:#fff"><h2>Subscribe to our newsletter</h2><button>×</button></div>`;
const small = { viewport_width: 300, viewport_height: 200 };

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

const send = (options: object, path = "/api/v1/screenshot", by = client) =>
  fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${by.key}`, "Content-Type": "application/json" },
    body: JSON.stringify(options),
  });

const capture = (options: object, by = client) => send({ ...small, ...options }, undefined, by);

const errorPage = expect.objectContaining({
  code: "ERROR_PAGE",
  severity: "error",
  message: expect.stringContaining("“Page not found”"),
  fix: null,
  evidence: expect.objectContaining({ selector: "h1", text: "Page not found" }),
});

describe("problems", () => {
  test("are in the JSON result, with its quality, and absent without any", async () => {
    expect(await (await capture({ html, response_type: "json" })).json()).toMatchObject({
      problems: [errorPage],
      quality: 20,
    });
    const good = await (await capture({ html: right, response_type: "json" })).json();
    expect(good).not.toHaveProperty("problems");
    expect(good).not.toHaveProperty("quality");
    const rated = await (await capture({ html: right, response_type: "json", min_quality: 50 })).json();
    expect(rated.quality).toBe(100);
  });

  sampled(test, 2).each(["png", "pdf", "gif", "markdown", "json"])(
    "are in the headers of a result in %s",
    async (format) => {
      const { headers, status } = await capture({
        html,
        format,
        ...(format === "gif" && { video_duration: 1, video_fps: 2 }),
      });
      expect([status, headers.get("x-problems"), headers.get("x-quality")]).toEqual([200, "ERROR_PAGE", "20"]);
    },
  );

  test("are kept with a cached result", async () => {
    const options = { html, cache: true, response_type: "json" };
    await capture(options);
    const cached = await (await capture(options)).json();
    expect(cached).toMatchObject({ from_cache: true, problems: [errorPage], quality: 20 });
  });

  slowTest("are in the state of an asynchronous capture, in those of a bulk request, and in the log", async () => {
    const { request_id: id } = await (await capture({ html, async: true })).json();
    const state = await vi.waitFor(
      async () => {
        const found = await (await client.get(`/api/v1/screenshot/${id}`)).json();
        expect(found.status).toBe("success");
        return found;
      },
      { timeout: 25_000, interval: 200 },
    );
    expect(state).toMatchObject({ problems: [errorPage], quality: 20 });
    const bulk = await (await send({ options: small, requests: [{ html }, { html: right }] }, "/api/v1/bulk")).json();
    expect(bulk.data[0]).toMatchObject({ problems: [errorPage] });
    expect(bulk.data[1]).not.toHaveProperty("problems");
    expect(await (await client.get(`/api/v1/usage/${id}`)).json()).toMatchObject({ problems: [errorPage] });
  });
});

describe("a rule that a capture breaks", () => {
  test("is an error that names the problems, and is not billed", async () => {
    const owner = await openClient();
    const response = await capture({ html, fail_if_problem: ["error_page"] }, owner);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: "CONTENT_RULE_FAILED",
      error: expect.stringContaining("ERROR_PAGE"),
      problems: [errorPage],
      retryable: false,
    });
    const [log] = await owner.logs();
    expect(log).toMatchObject({ status: "failed", error_message: expect.stringContaining("CONTENT_RULE_FAILED") });
    expect((await (await owner.get("/api/v1/account")).json()).quotas.captures.used).toBe(0);
  });

  slowTest("is never answered from the cache", async () => {
    const options = { html, cache: true, min_quality: 90, self_repair: false };
    const codes = [];
    for (let count = 0; count < 2; count++) codes.push((await capture(options)).status);
    expect(codes).toEqual([422, 422]);
  });

  test("names options that do not fit together", async () => {
    const response = await capture({ html, self_repair: true, deterministic: true });
    expect([response.status, (await response.json()).error]).toEqual([422, expect.stringContaining("self_repair")]);
  });
});

test("a repaired capture is billed once", async () => {
  const owner = await openClient();
  const result = await (await capture({ html: overlaid, self_repair: true, response_type: "json" }, owner)).json();
  expect(result).not.toHaveProperty("problems");
  expect((await (await owner.get("/api/v1/account")).json()).quotas.captures.used).toBe(1);
});

describe("the report of a capture", () => {
  const reportOf = (id: number | string | null, by = client, accept = "*/*") =>
    fetch(`${baseUrl}/api/v1/screenshot/${id}/report`, {
      headers: { Authorization: `Bearer ${by.key}`, Accept: accept },
    });

  test("is part of a JSON result, and fetched for any other", async () => {
    const { metadata } = await (await capture({ html, metadata_report: true, response_type: "json" })).json();
    const response = await capture({ html, metadata_report: true });
    expect(response.headers.get("content-type")).toBe("image/png");
    const fetched = await (await reportOf(response.headers.get("x-request-id"))).json();
    for (const report of [metadata.report, fetched]) {
      expect(report).toMatchObject({
        quality: 20,
        clock: "virtual",
        attempts: [{ reason: "requested", chosen: true }],
      });
      expect(report.phases.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(["browser", "navigate", "capture"]),
      );
    }
  });

  test("needs no picture", async () => {
    const { report } = await (await capture({ html, format: "json", metadata_report: true })).json();
    expect(report).toMatchObject({ quality: 20, page: { elements: expect.any(Number) } });
  });

  test("is a page without scripts for those who accept HTML", async () => {
    const hostile = `<title></title>${html}<img src='https://missing.invalid/"><script>alert(1)</script>' width=200 height=100>`;
    const id = (await capture({ html: hostile, metadata_report: true })).headers.get("x-request-id");
    const response = await reportOf(id, client, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    const page = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("vary")).toContain("Accept");
    expect(page).toContain("ERROR_PAGE");
    expect(page).toContain("data:image/webp;base64,");
    expect(page).not.toContain("<script");
  });

  slowTest("is found for no other account, for no capture without one", async () => {
    const id = (await capture({ html, metadata_report: true })).headers.get("x-request-id");
    const without = (await capture({ html })).headers.get("x-request-id");
    const stranger = await openClient();
    const statuses = await Promise.all([reportOf(id, stranger), reportOf(without), reportOf("1"), reportOf("x")]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await (await reportOf(without)).json()).error).toContain("metadata_report=true");
  });

  test("stays with a cached result", async () => {
    const options = { html, cache: true, metadata_report: true };
    await capture(options);
    const hit = await capture(options);
    expect(hit.headers.get("x-cache")).toBe("HIT");
    expect((await reportOf(hit.headers.get("x-request-id"))).status).toBe(200);
  });
});
