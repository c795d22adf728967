// The port of the metrics, which listens on loopback: a page in a capture does not reach it.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MetricsServer, startMetricsServer } from "../../lib/tools/local/metrics/metrics-server.ts";
import { captureWith, failureOf } from "../support/chromium.ts";

let server: MetricsServer;
let reads: number;
beforeEach(async () => {
  reads = 0;
  // Without a token, so that a request that arrives is also answered.
  const settings = { host: "127.0.0.1", port: 0, token: undefined };
  const read = async () => `some_metric ${++reads}\n`;
  server = await startMetricsServer(settings, { read, contentTypes: ["text/plain"] });
});
afterEach(() => server.close());

const window = { viewport_width: 200, viewport_height: 150, timeout: 20 };

/** Captures a page that tries to reach the metrics by elements and scripts. */
async function visit(allow: readonly string[]): Promise<void> {
  const { url } = server;
  const html = `<!doctype html><p>Page</p><img src="${url}?image"><iframe src="${url}?frame"></iframe>
    <link rel="stylesheet" href="${url}?style"><script src="${url}?script"></script>
    <script>
      fetch("${url}?opaque", { mode: "no-cors" }).catch(() => {});
      navigator.sendBeacon("${url}?beacon", "x");
    </script>`;
  await captureWith({ html, format: "text", ...window }, { allow });
}

test("metrics port: a page reaches it by no element and no script, unless the operator allows it", async () => {
  await visit([]);
  expect(reads).toBe(0);
  await visit([new URL(server.url).host]);
  expect(reads).toBeGreaterThanOrEqual(4);
});

test("metrics port: it cannot be captured, unless the operator allows it", async () => {
  const options = { url: server.url, format: "text", ...window };
  expect(await failureOf(captureWith(options))).toMatchObject({ code: "URL_NOT_ALLOWED" });
  expect(reads).toBe(0);
  const { body } = await captureWith(options, { allow: [new URL(server.url).host] });
  expect(body.toString()).toContain("some_metric 1");
});
