// Self-repair: one more attempt with the fixes of the problems, and the better of both.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureWith } from "../../support/chromium.ts";
import { captureHtml, prose } from "../../support/problems.ts";
import { slowTest } from "../../support/slow-run.ts";

const overlay = `<div class=x7 style="position:fixed;inset:60px;background:#fff"><h2>Subscribe to our newsletter</h2><input type=email><p>Ten percent off, for you.</p></div>`;

/** A server of a picture that fails when it is first requested, and of a page with it. */
const pictures = new Map<string, number>();
const server = createServer(({ url = "" }, response) => {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  if (pathname === "/page") {
    response.setHeader("Content-Type", "text/html");
    return response.end(
      `<h1>A lighthouse</h1>${prose}<img src="/once?${searchParams.get("key")}" width=300 height=200>`,
    );
  }
  const requested = (pictures.get(url) ?? 0) + 1;
  pictures.set(url, requested);
  if (requested === 1) return response.writeHead(503).end();
  response.setHeader("Content-Type", "image/svg+xml");
  return response.end(
    `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>`,
  );
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

const capturePage = (key: string, options = {}) =>
  captureWith({ url: `http://${origin}/page?key=${key}`, ...options }, { allow: [origin], isTimedFromLaunch: true });

describe("self-repair", () => {
  test("captures once more what failed at first, and returns the better attempt", async () => {
    const repaired = await capturePage("repaired", { self_repair: true, metadata_report: true });
    expect([repaired.problems, repaired.quality]).toEqual([[], 100]);
    expect(repaired.report?.attempts).toMatchObject([
      { reason: "requested", chosen: false, options: {} },
      { reason: "IMAGES_MISSING", quality: 100, chosen: true, options: { delay: 3 } },
    ]);
  });

  test("hides what no heuristic closes", async () => {
    const { problems } = await captureHtml(`<h1>A lighthouse</h1>${prose}${overlay}`, { self_repair: true });
    expect(problems).toEqual([]);
  });

  test("does nothing against an option that the caller sent", async () => {
    const sent = { self_repair: true, delay: 0, metadata_report: true };
    const { report } = await capturePage("sent", sent);
    expect(report?.attempts).toHaveLength(1);
  });

  slowTest("does nothing without time for it", async () => {
    const late = await capturePage("late", { self_repair: true, metadata_report: true, timeout: 4 });
    expect(late.report?.attempts).toHaveLength(1);
  });

  slowTest("keeps the first attempt where the second is not better", async () => {
    const spin = "<h1>Orders</h1><div aria-busy=true style='height:300px'></div>";
    const { problems, report } = await captureHtml(spin, { self_repair: true, metadata_report: true });
    expect(problems.map(({ code }) => code)).toEqual(["STILL_LOADING"]);
    expect(report?.attempts.map(({ chosen }) => chosen)).toEqual([true, false]);
  });
});

describe("a rule that the capture breaks is CONTENT_RULE_FAILED:", () => {
  const broken = "<h1>Page not found</h1><p>Sorry.</p>";

  test.each([
    ["a low quality", { min_quality: 90, self_repair: false }],
    ["a selector", { fail_if_selector_present: [".missing", "h1"] }],
  ])("%s", async (_, rule) => {
    await expect(captureHtml(broken, rule)).rejects.toMatchObject({ code: "CONTENT_RULE_FAILED" });
  });

  test("a problem, which is named with its fix", async () => {
    const error = await captureHtml(`<h1>Orders</h1><div aria-busy=true style='height:300px'></div>`, {
      fail_if_problem: ["login_wall", "still_loading"],
    }).catch((each) => each);
    expect(error.code).toBe("CONTENT_RULE_FAILED");
    expect(error.message).toContain("delay=10");
    expect(error.problems).toMatchObject([{ code: "STILL_LOADING", fix: { delay: 10 } }]);
  });

  test("a capture that keeps the rules is returned, without a repair", async () => {
    const repair = { self_repair: true, metadata_report: true };
    const rules = { fail_if_problem: ["ERROR_PAGE"], min_quality: 90, fail_if_selector_present: [".missing"] };
    const { quality, report } = await captureHtml(`<h1>A lighthouse</h1>${prose}`, { ...rules, ...repair });
    expect([quality, report?.attempts.length]).toEqual([100, 1]);
  });
});
