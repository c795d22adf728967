// The queries of the operating documentation, on the log lines that the running functions write.
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type Client, openClient } from "../../support/client.ts";
import { fieldsOf, type LogLine, readLogLines, runQuery } from "../../support/logs-insights.ts";
import { anotherNetwork, fetchFrom } from "../../support/other-networks.ts";
import { isOfAccessLog, isOfFaults, runbookQueries } from "../../support/runbook-queries.ts";

const { baseUrl, site, receiver, dataDir } = inject("service");
const queries = runbookQueries().filter((query) => !isOfAccessLog(query) && !isOfFaults(query));
/** In place of the example's number: that of the captured page. */
const EXAMPLE_ID = "280000000000000";

let own: Client;
let lines: readonly LogLine[];
let requestId: string;

/** How many captures of the account the lines count. */
const ownCaptures = () =>
  runQuery("filter Captures = 1 | stats count() as captures by account_id", lines).find(
    (row) => row["account_id"] === String(own.accountId),
  )?.["captures"];

beforeAll(async () => {
  own = await openClient();
  const page = { url: `${site}/box`, viewport_width: "100", viewport_height: "100" };
  const captured = await own.capture(page);
  requestId = captured.headers.get("x-request-id") ?? "";
  const probing = "<img src='http://127.0.0.1:8443/a'>";
  await own.capture({ html: probing });
  await own.capture({ ...page, url: `${site}/missing` });
  await own.capture({ ...page, async: "true", webhook_url: `${receiver}/runbook` });
  await fetchFrom(anotherNetwork(), `${baseUrl}/try`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: baseUrl, "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify({ url: "http://nothing.invalid/" }),
  });
  await vi.waitFor(
    () => {
      lines = readLogLines(dataDir);
      const found = (event: string) => runQuery(`filter message.event = "${event}"`, lines).length > 0;
      expect([found("webhook"), found("keyless capture"), ownCaptures()]).toEqual([true, true, 4]);
    },
    { timeout: 30_000, interval: 200 },
  );
});

describe("runbook: a query finds log lines, with every field that it reads:", () => {
  test.each(queries)("%s", (query) => {
    const asked = query.replaceAll(EXAMPLE_ID, requestId);
    expect(runQuery(asked, lines)).not.toHaveLength(0);
    const read = runQuery(`fields ${fieldsOf(asked).join(", ")}`, lines);
    for (const field of fieldsOf(asked).filter((name) => !ABSENT.includes(name)))
      expect([field, read.some((row) => row[field] !== undefined)]).toEqual([field, true]);
  });

  /** Lambda's own field of a line's time, and what only errors have. */
  const ABSENT = ["@timestamp", "message.error.message"];
});

test("runbook: every line of a capture names its account and the host of its page", () => {
  const ofCapture = runQuery(
    `filter message.request_id = ${requestId} or request_id = "${requestId}" | fields message.event, account_id, message.account_id, host, message.host`,
    lines,
  );
  expect(ofCapture.length).toBeGreaterThan(1);
  const host = new URL(site).host;
  for (const row of ofCapture) {
    expect(String(row["account_id"] ?? row["message.account_id"])).toBe(String(own.accountId));
    expect(row["host"] ?? row["message.host"]).toBe(host);
  }
});

test("runbook: captures are counted by account", () => {
  expect(ownCaptures()).toBe(4);
});
