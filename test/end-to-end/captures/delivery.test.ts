// What callers send to Chromium: half characters, and secrets that nothing which Chromium writes may contain.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { closedPort } from "../../fixtures/site.ts";
import { type Client, openClient } from "../../support/client.ts";
import { sampled } from "../../support/slow-run.ts";

const { baseUrl, site, dataDir } = inject("service");
const options = { url: `${site}/box`, viewport_width: "200", viewport_height: "100" };

const post = (body: Readonly<Record<string, unknown>>, by: Client) =>
  fetch(`${baseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${by.key}`, "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify(body),
  });

describe("delivery: options", () => {
  sampled(test, 6).each([
    ["in HTML", { html: "\ud800 half", format: "text" }, 200],
    ["in Markdown", { markdown: "\ud800 half", format: "text" }, 200],
    ["in a style", { html: "x", styles: "p::before { content: '\ud800' }" }, 200],
    ["in an address", { url: `${site}/echo?\ud800` }, 200],
    ["in a selector that is missing", { html: "x", selector: "#\ud800", timeout: 8 }, 422],
    ["in what a script throws", { html: "x", scripts: "throw new Error('\\ud800')" }, 422],
  ])("can have a lone surrogate %s, and are logged", async (_, sent, status) => {
    const own = await openClient();
    const response = await post({ viewport_width: 100, ...sent }, own);
    expect(response.status, await response.text()).toBe(status);
    expect(await own.logs()).toMatchObject([{ status: status === 200 ? "success" : "failed" }]);
  });
});

describe("delivery: secrets", () => {
  const SECRETS = ["hush-header", "hush-token", "hush-cookie", "hush-user", "hush-password", "hush-proxy", "hush-url"];

  /** Contents of every file the service has written, its tables and logs among them, except Chromium's binary. */
  function written(folder = dataDir): Buffer[] {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      if (path.endsWith("/chromium/chromium")) return [];
      const about = statSync(path, { throwIfNoEntry: false });
      if (about?.isDirectory()) return written(path);
      return about?.isFile() ? [readFileSync(path)] : [];
    });
  }

  test("are in no log, table or response, while the other options are", async () => {
    const own = await openClient();
    const url = new URL(`${site}/box`);
    url.password = "hush-url";
    url.username = "ann";
    const proxy = `http://ann:hush-proxy@127.0.0.1:${await closedPort()}`;
    const common = { viewport_width: 200, headers: { "X-Key": "hush-header" }, cookies: ["session=hush-cookie"] };
    const answers = await Promise.all(
      [
        { ...common, url: url.href, authorization: "Bearer hush-token" },
        { ...common, url: options.url, http_auth_username: "hush-user", http_auth_password: "hush-password" },
        { ...common, url: options.url, proxy },
      ].map(async (sent) => {
        const response = await post({ ...sent, response_type: "json" }, own);
        return `${JSON.stringify([...response.headers])} ${await response.text()}`;
      }),
    );
    expect(answers[2]).toContain('"PROXY_FAILED"');
    const logs = await own.logs();
    expect(logs).toHaveLength(3);
    expect(logs.map(({ options: kept }) => kept)).toContainEqual({
      url: options.url,
      viewport_width: 200,
      headers: "REDACTED",
      cookies: "REDACTED",
      proxy: "REDACTED",
      response_type: "json",
    });
    const all = [...answers.map((text) => Buffer.from(text)), Buffer.from(JSON.stringify(logs)), ...written()];
    expect(all.some((content) => content.includes("/box"))).toBe(true);
    for (const secret of SECRETS) expect(all.filter((content) => content.includes(secret))).toEqual([]);
  });
});
