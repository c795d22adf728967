// Delivery of a capture: response types, file names, and how options may be sent.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { fakePage } from "../support/fake-renderer/instructions.ts";

const { baseUrl, site } = inject("service");
const options = { url: `${site}/box`, viewport_width: "200", viewport_height: "100" };
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

const post = (body: Readonly<Record<string, unknown>>, by = client) =>
  sendWith(by, "POST", "/api/v1/screenshot", { body, headers: { "Content-Type": "application/json; charset=utf-8" } });

describe("delivery: response_type", () => {
  test("empty is a status and headers of a real capture", async () => {
    const own = await openClient();
    const facts = { metadata_page_title: "true", metadata_image_size: "true" };
    const response = await own.capture({ ...options, ...facts, response_type: "empty" });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      "x-final-url": options.url,
      "x-page-title": "Fixture",
      "x-image-width": "200",
      "x-image-height": "100",
      "x-cache": "BYPASS",
      "cache-control": "no-store",
    });
    const [log] = await own.logs();
    expect(log).toMatchObject({ id: Number(headers["x-request-id"]), status: "success", format: "png" });
  });

  test("does not apply to errors, which are always JSON", async () => {
    for (const response_type of ["by_format", "base64", "empty", "json"]) {
      const response = await client.capture({ url: `${site}/not-found`, response_type });
      expect([response.status, (await response.json()).code]).toEqual([422, "TARGET_HTTP_ERROR"]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });
});

describe("delivery: attachment_name", () => {
  const attachment_name = "Bericht für März.png";
  const disposition = `attachment; filename="Bericht f_r M_rz.png"; filename*=UTF-8''Bericht%20f%C3%BCr%20M%C3%A4rz.png`;

  test("is the name of a stored result", async () => {
    const { url } = await (await client.capture({ ...options, attachment_name, response_type: "json" })).json();
    expect((await fetch(url)).headers.get("content-disposition")).toBe(disposition);
    const unnamed = await (await client.capture({ ...options, response_type: "json" })).json();
    expect((await fetch(unnamed.url)).headers.get("content-disposition")).toBe("inline");
  });
});

test("delivery: a script of another site can read every response header", async () => {
  const facts = {
    metadata_page_title: "true",
    metadata_image_size: "true",
    metadata_http_response_status_code: "true",
    attachment_name: "box.png",
  };
  const { headers } = await client.capture({ ...options, ...facts });
  const exposed = headers.get("access-control-expose-headers")?.toLowerCase().split(", ") ?? [];
  const own = [...headers.keys()].filter((name) =>
    /^(x-(?!content-type-options|amz)|etag|server-timing|content-disp)/.test(name),
  );
  expect(own).toEqual(
    expect.arrayContaining(["x-page-title", "x-image-width", "x-image-height", "x-source-status-code"]),
  );
  expect(exposed).toEqual(expect.arrayContaining(own));
});

describe("delivery: options", () => {
  test("can have any characters, in a query and in a body", async () => {
    const markdown = "你好, Grüße & 50 % + 1 = 😀 #?";
    const inQuery = await client.capture({ markdown, format: "text" });
    const inJson = await post({ markdown, format: "text" });
    const inForm = await fetch(`${baseUrl}/api/v1/screenshot`, {
      method: "POST",
      headers: { Authorization: `Bearer ${client.key}` },
      body: new URLSearchParams({ markdown, format: "text" }),
    });
    expect(await Promise.all([inQuery, inJson, inForm].map((response) => response.text()))).toEqual([
      markdown,
      markdown,
      markdown,
    ]);
  });

  test("are all checked at once, and errors use the names that were sent", async () => {
    const response = await client.capture({ url: "ftp//x", fullpage: "1", format: "bmp", viewport_width: "wide" });
    expect(response.status).toBe(422);
    const { details } = await response.json();
    expect(Object.keys(details).sort()).toEqual(["format", "fullpage", "url", "viewport_width"]);
    expect(details.fullpage).toEqual([expect.stringContaining("'full_page'")]);
  });
});

test("delivery: a failed capture is counted as failed, and not as a success", async () => {
  const own = await openClient();
  const requested: Record<string, string>[] = [
    { html: fakePage({ error: "PROXY_FAILED" }) },
    { html: fakePage({ error: "SELECTOR_NOT_FOUND" }) },
    { html: "x" },
  ];
  for (const more of requested) await own.capture(more);
  await own.capture({ ...options, viewport_width: "wide" });
  const stats = await (await own.get("/api/v1/usage/stats")).json();
  expect(stats).toMatchObject({ total: 3, total_success: 1, total_failed: 2, success_rate: 33 });
  const messages = (await own.logs()).map(({ error_message }) => error_message);
  expect(messages).toEqual([
    null,
    expect.stringMatching(/^SELECTOR_NOT_FOUND: /),
    expect.stringMatching(/^PROXY_FAILED: /),
  ]);
});
