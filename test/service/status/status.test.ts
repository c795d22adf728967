// The status page: what the checks count by day, the incidents, and what is published of both.
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { s3 } from "../../../lib/service/aws/clients/s3.ts";
import { getItem } from "../../../lib/service/aws/items.ts";
import { incidentKey, statusDayKey } from "../../../lib/service/aws/table-keys.ts";
import { readAudit } from "../../../lib/service/operator/audit-log.ts";
import { countChecks, readDays } from "../../../lib/service/status/day-store.ts";
import { listIncidents } from "../../../lib/service/status/incident-store.ts";
import { statusKeys } from "../../../lib/service/status/status-objects.ts";
import { statusReport } from "../../../lib/service/status/status-report.ts";
import { putStatusObject } from "../../../lib/service/status/status-store.ts";
import { runCommandLine } from "../../../lib/tools/operate/command-line.ts";
import { incidentCommands } from "../../../lib/tools/operate/incident-commands.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const baseUrl = "https://captures.test";
const DAY = 24 * 60 * 60_000;
const noon = Date.parse("2026-06-15T12:00:00Z");

let running: TestResources;
let table: string;
beforeAll(async () => {
  running = await startTestResources();
  table = running.env.ACTIVITY_TABLE;
});
afterAll(() => running.close());

const reportAt = async (now: number) => statusReport({ days: await readDays(table, now), incidents: [], baseUrl, now });

describe("status by day:", () => {
  test("counts simultaneous runs, keeps the last outcome of what a run leaves out, and expires after it is shown", async () => {
    await countChecks(table, { rendering: true, website: true, api: true, asynchronous: false }, noon);
    await Promise.all(
      [1, 2, 3].map((minutes) =>
        countChecks(table, { rendering: minutes !== 2, website: true }, noon + minutes * 60_000),
      ),
    );
    const { components, ...report } = await reportAt(noon + 4 * 60_000);
    const today = components.map(({ id, status, days }) => [id, status, days.at(-1)]);
    expect(today.map(([id]) => id)).toEqual(["rendering", "website", "api", "asynchronous"]);
    expect(today[0]?.[2]).toEqual({ date: "2026-06-15", checks: 4, failed: 1, uptime: 75, incidents: [] });
    expect(today[2]).toEqual(["api", "ok", { date: "2026-06-15", checks: 1, failed: 0, uptime: 100, incidents: [] }]);
    expect(today[3]?.[1]).toBe("failing");
    expect(report.status).toBe("failing");
    const { ttl } = (await getItem(table, statusDayKey("2026-06-15"))) ?? {};
    expect(Number(ttl) * 1000).toBeGreaterThan(noon + 90 * DAY);
  });

  test("has 90 days, tells one without checks from one without a failure, and doesn't round a failure away", async () => {
    const now = noon + 400 * DAY;
    await countChecks(table, { rendering: true }, now - 89 * DAY);
    await countChecks(table, { rendering: true }, now - 90 * DAY); // is shown no more
    const [rendering] = (await reportAt(now)).components;
    expect(rendering?.days).toHaveLength(90);
    expect(rendering?.days.map(({ uptime }) => uptime).filter((uptime) => uptime !== null)).toEqual([100]);
    expect(rendering?.days[0]).toMatchObject({ checks: 1, uptime: 100 });
    expect(rendering?.days[1]).toMatchObject({ checks: 0, failed: 0, uptime: null });
    const checks = { checks: 100_000, failed: 1, last: { isRight: true, at: new Date(now).toISOString() } };
    const days = [{ day: "2027-07-20", components: { rendering: checks } }];
    expect(statusReport({ days, incidents: [], baseUrl, now }).components[0]?.uptime).toBe(99.99);
  });

  test("a component that isn't checked any more is unknown, and so is everything before the first run", async () => {
    const now = noon + 800 * DAY;
    expect(await reportAt(now)).toMatchObject({ status: "unknown", checked_at: null });
    await countChecks(table, { rendering: true, website: true, api: true, asynchronous: true }, now);
    expect((await reportAt(now + 15 * 60_000)).status).toBe("ok");
    const later = (await reportAt(now + 17 * 60_000)).components.map(({ status }) => status);
    expect(later).toEqual(["unknown", "unknown", "ok", "ok"]);
  });
});

const frame = '<style>a{color:red}</style><main>%STATUS%</main><script type="module">let a=1<2</script>';

/** Runs a command; resolves to what it prints. */
async function run(now: number, ...line: string[]) {
  const actor = { operator: "ops@host", from: "host" };
  const storage = async () => ({ activity: table, results: running.env.RESULTS_BUCKET });
  const context = { storage, baseUrl: async () => baseUrl, actor, now };
  const { printed = "", hasFailed } = await runCommandLine(incidentCommands, line, () => context);
  return hasFailed ? printed.split("\n")[0] : JSON.parse(printed);
}

async function objectOf(key: string) {
  const { Body, ...facts } = await s3().send(new GetObjectCommand({ Bucket: running.env.RESULTS_BUCKET, Key: key }));
  return { text: (await Body?.transformToString()) ?? "", ...facts };
}

describe("incidents:", () => {
  const about = ["--impact", "major", "--components", "api,asynchronous"];

  test("one is opened, updated, and closed, with an entry of the audit log for each, and published with each change", async () => {
    const now = Date.now();
    const first = await run(now, "open", "--title", "Captures fail", "--text", "We look for the cause.", ...about);
    expect(first).toMatchObject({
      state: "open",
      impact: "major",
      components: ["api", "asynchronous"],
      is_published: false,
    });

    const { RESULTS_BUCKET } = running.env;
    const template = { key: statusKeys.frame, type: "text/html", text: frame, policy: "" };
    await putStatusObject(RESULTS_BUCKET, template);
    const id = String(first.id);
    const update = await run(now + 1_000, "update", "--incident", id, "--text", "Found.", "--impact", "minor");
    expect(update).toMatchObject({ impact: "minor", components: ["api", "asynchronous"], is_published: true });
    const report = JSON.parse((await objectOf(statusKeys.json)).text);
    expect(report.incidents[0]).toMatchObject({ url: `${baseUrl}/status#incident-${id}`, state: "open" });
    const marked = report.components.map(({ days }: { days: { incidents: number[] }[] }) => days.at(-1)?.incidents);
    expect(marked).toEqual([[], [], [first.id], [first.id]]);

    const closed = await run(now + 2_000, "close", "--incident", id, "--text", "It works again.");
    expect(closed.updates.map(({ text }: { text: string }) => text)).toEqual([
      "We look for the cause.",
      "Found.",
      "It works again.",
    ]);
    expect((await objectOf(statusKeys.page)).text).toContain("Past incidents");
    expect(await run(now + 3_000, "update", "--incident", id, "--text", "Once more.")).toBe(
      `There is no open incident ${id} that can have another update.`,
    );
    expect((await run(now, "list")).map((each: { id: number }) => each.id)).toContain(first.id);
    const { entries } = await readAudit(table, { pageSize: 10, now: now + 5_000 });
    expect(entries.map(({ action, operator, details }) => [action, operator, details["incident"]])).toEqual(
      ["incident.closed", "incident.updated", "incident.opened"].map((action) => [action, "ops@host", first.id]),
    );
    expect((await getItem(table, incidentKey(first.id)))?.["ttl"]).toBeUndefined();
  });

  test.each([
    ["without a text", ["--title", "x", ...about], "The option --text is missing."],
    [
      "with two lines as title",
      ["--title", "a\nb", "--text", "x", ...about],
      "--title must not contain control characters.",
    ],
    [
      "with a character that XML can't have",
      ["--title", "x", "--text", "a\u0008b", ...about],
      "--text must not contain control characters.",
    ],
    [
      "of an unknown component",
      ["--title", "x", "--text", "x", "--impact", "minor", "--components", "api,db"],
      "--components must name components, separated by commas: rendering, website, api, asynchronous.",
    ],
    [
      "with a text of 2,001 characters",
      ["--title", "x", "--text", "x".repeat(2_001), ...about],
      "--text must have at most 2000 characters.",
    ],
  ])("one %s is refused, and nothing is stored", async (_, line, message) => {
    const before = await listIncidents(table);
    expect(await run(Date.now(), "open", ...line)).toBe(message);
    expect(await listIncidents(table)).toEqual(before);
  });

  test("texts with markup are text, on the page, in its data, and in the feed", async () => {
    const now = Date.now();
    const hostile = `<img src=x onerror=alert(1)>"'&</script><script>alert(2)</script>]]>`;
    const { id } = await run(now, "open", "--title", hostile, "--text", `${hostile}\n<b>second</b>`, ...about);
    onTestFinished(() => run(now + 1_000, "close", "--incident", String(id), "--text", "Over."));
    const { text: page, Metadata } = await objectOf(statusKeys.page);
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(page).not.toContain("<img");
    expect(page).not.toContain("<b>");
    expect(page.match(/<script/g)).toHaveLength(1); // that of the frame
    expect(Metadata?.["content-security-policy"]).toMatch(/script-src 'self' 'sha256-[^']+';/);
    expect(Metadata?.["content-security-policy"]).not.toContain("unsafe");
    const { text: feed, ContentType } = await objectOf(statusKeys.feed);
    expect(ContentType).toBe("application/atom+xml; charset=utf-8");
    expect(feed).not.toMatch(/<(img|script|b)\b/);
    expect(feed).toContain("&amp;lt;img src=x onerror=alert(1)&amp;gt;"); // HTML in XML: escaped twice
    expect(JSON.parse((await objectOf(statusKeys.json)).text).incidents[0].title).toBe(hostile);
  });
});
