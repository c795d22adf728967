// `npm start` with METRICS_PORT: a capture moves the counters of the metrics, which only their token and their address lead to.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { metricDefinitions } from "../../lib/tools/local/metrics/metric-definitions.ts";
import { failingStart, npmStart, type Started } from "../support/npm-start.ts";
import { canRun, skipWithout } from "../support/runtimes.ts";

const TOKEN = "a-token-of-a-test-0123456789";

let folder: string;
let service: Started;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "metrics-test-"));
  service = await npmStart({ DATA_DIR: join(folder, "data"), METRICS_PORT: "0", METRICS_TOKEN: TOKEN });
  url = /^Metrics: (\S+)$/m.exec(service.output())?.[1] ?? "";
});
afterAll(async () => {
  await service.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

const read = async () => (await fetch(url, { headers: { Authorization: `Bearer ${TOKEN}` } })).text();

/** The sum of the series of a metric with these labels. */
function sumOf(text: string, name: string, labels = ""): number {
  return text
    .split("\n")
    .filter((line) => line.startsWith(`screen_capture_${name}`) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** Captures as the demo account. */
const capture = (options: Record<string, string>) =>
  fetch(`${service.baseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${service.key}` },
    body: new URLSearchParams({ viewport_width: "100", viewport_height: "100", ...options }),
  });

test("npm start: metrics count captures, failures, and refused requests of pages, and name no account, host, or key", async () => {
  const before = await read();
  const picture = await capture({ html: "<p>Hello" });
  const bytes = (await picture.arrayBuffer()).byteLength;
  const probing = await capture({ html: `<p>Hello<img src="${url}">`, format: "pdf" });
  const failed = await capture({ html: "<p>Hello", fail_if_content_contains: "hello" });
  expect([picture.status, probing.status, failed.status]).toEqual([200, 200, 422]);
  const { code } = await failed.json();

  await expect.poll(async () => sumOf(await read(), "captures_total")).toBe(sumOf(before, "captures_total") + 3);
  await expect.poll(async () => sumOf(await read(), "egress_refusals_total")).toBeGreaterThanOrEqual(1);
  const text = await read();
  expect(sumOf(text, "captures_total", 'format="png",code="none",blame="none"')).toBe(1);
  expect(sumOf(text, "captures_total", 'format="pdf",code="none",blame="none"')).toBe(1);
  expect(sumOf(text, "captures_total", `format="png",code="${code}",blame="`)).toBe(1);
  expect(sumOf(text, "capture_duration_seconds_count", 'format="png"')).toBe(1);
  expect(sumOf(text, "capture_duration_seconds_sum", 'format="png"')).toBeGreaterThan(0);
  expect(sumOf(text, "phase_duration_seconds_count", 'phase="navigate"')).toBeGreaterThanOrEqual(2);
  expect(sumOf(text, "result_bytes_total", 'format="png"')).toBe(bytes);
  expect(sumOf(text, "requests_total", 'status_class="2xx"')).toBeGreaterThanOrEqual(2);
  expect(sumOf(text, "requests_total", 'status_class="4xx"')).toBeGreaterThanOrEqual(1);
  expect(sumOf(text, "browsers")).toBeGreaterThanOrEqual(1);
  expect(sumOf(text, "sandboxes", 'function="Screenshot"')).toBeGreaterThanOrEqual(1);
  expect(sumOf(text, "filter_lists_updated_timestamp_seconds", 'purpose="ads"')).toBeGreaterThan(1_700_000_000);
  expect(text).toContain('screen_capture_queue_messages{queue="Render",state="visible"} 0');
  expect(text).not.toMatch(/account|example|127\.0\.0\.1|secret/);
  expect(text).not.toContain(service.key);
});

test("npm start: each metric of the definitions is there, and promtool accepts them", async (context) => {
  const text = await read();
  for (const name of Object.keys(metricDefinitions)) expect(text).toMatch(new RegExp(`^# TYPE ${name} `, "m"));
  skipWithout(canRun("promtool", ["--version"]), context, "the metrics of a running service", "promtool");
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("npm start: metrics answer 401 without their token, the public address has none, and the token is not printed", async () => {
  const refused = await fetch(url);
  expect([refused.status, await refused.text()]).toEqual([401, ""]);
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const elsewhere = await fetch(`${service.baseUrl}/metrics`, { headers });
  expect(elsewhere.status).toBe(404);
  expect(await elsewhere.text()).not.toContain("screen_capture_");
  expect(service.output()).not.toContain(TOKEN);
});

test("npm start: says in one sentence why there can be no metrics", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const port = String((taken.address() as AddressInfo).port);
  const [other, open] = await Promise.all([
    failingStart({ DATA_DIR: join(folder, "a"), METRICS_PORT: port }),
    failingStart({ DATA_DIR: join(folder, "b"), METRICS_PORT: "0", METRICS_HOST: "0.0.0.0" }),
  ]);
  taken.close();
  expect([other.code, open.code]).toEqual([1, 1]);
  expect(other.errors).toMatch(new RegExp(`^The address 127\\.0\\.0\\.1:${port} cannot be used[^\\n]*$`));
  expect(open.errors).toMatch(/^METRICS_HOST=0\.0\.0\.0 can be reached by other machines\. Set METRICS_TOKEN[^\n]*$/);
});
