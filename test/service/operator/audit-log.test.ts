// The audit log: what is in an entry, and how it is read.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { transact } from "../../../lib/service/aws/transaction.ts";
import {
  type AuditEntry,
  auditEntry,
  auditPages,
  auditWrite,
  logAudit,
  readAudit,
  storeAudit,
} from "../../../lib/service/operator/audit-log.ts";
import { auditFirst } from "../../../lib/service/operator/audited-change.ts";
import { makeTable, type RunningTables, startTables } from "../../support/tables.ts";

const actor = { operator: "ops@example.com", from: "192.0.2.1" };

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

/** An empty table with entries, each at its time. */
async function aLog(name: string, ...times: readonly string[]): Promise<AuditEntry[]> {
  await makeTable(name);
  const entries = times.map((at, index) =>
    auditEntry(actor, { action: "account.plan_changed", account_id: index }, Date.parse(at)),
  );
  for (const entry of entries) await storeAudit(name, entry);
  return entries.toReversed();
}

const now = Date.parse("2026-11-30T12:00:00Z");

test("audit log: an entry says who did what, when, from where, and why", () => {
  expect(
    auditEntry(
      actor,
      { action: "account.suspended", account_id: 7, reason: "abuse", details: { billing: "stop" } },
      now,
    ),
  ).toEqual({
    at: "2026-11-30T12:00:00.000Z",
    id: expect.stringMatching(/^[\w-]{12}$/),
    operator: "ops@example.com",
    from: "192.0.2.1",
    action: "account.suspended",
    account_id: 7,
    reason: "abuse",
    details: { billing: "stop" },
  });
});

test("audit log: entries are read newest first, over months, page by page", async () => {
  const times = ["2026-01-31T23:59:59.999Z", "2026-03-01T00:00:00Z", "2026-11-01T00:00:00Z", "2026-11-30T11:59:59Z"];
  const entries = await aLog("Months", ...times, "2026-11-30T11:59:59Z"); // two in one millisecond
  const found: AuditEntry[] = [];
  for (let before: string | undefined; ; ) {
    const page = await readAudit("Months", { before, pageSize: 2, now });
    found.push(...page.entries);
    if (page.next === undefined) break;
    expect(page.entries).toHaveLength(2);
    before = page.next;
  }
  const inOrder = (list: readonly AuditEntry[]) => list.toSorted((a, b) => (b.at + b.id < a.at + a.id ? -1 : 1));
  expect(found).toEqual(inOrder(entries));
  const exported: AuditEntry[] = [];
  for await (const page of auditPages("Months", { pageSize: 2, now })) exported.push(...page);
  expect(exported).toEqual(found);
});

test("audit log: an empty one has no page, and a full last page no next one", async () => {
  await aLog("Empty");
  expect(await readAudit("Empty", { pageSize: 2, now })).toEqual({ entries: [], next: undefined });
  const entries = await aLog("Full", "2026-02-01T00:00:00Z", "2026-05-01T00:00:00Z");
  expect(await readAudit("Full", { pageSize: 2, now })).toEqual({ entries, next: undefined });
});

test("audit log: an entry is never replaced", async () => {
  const [entry] = await aLog("Once", "2026-02-01T00:00:00Z");
  const changed = { ...(entry as AuditEntry), operator: "someone@else" };
  await expect(storeAudit("Once", changed)).rejects.toThrow("has an entry");
  await expect(transact([auditWrite("Once", changed)])).rejects.toThrow("ConditionalCheckFailed");
  expect((await readAudit("Once", { pageSize: 2, now })).entries).toEqual([entry]);
});

test("audit log: an entry is also one log line, in which texts are no lines of their own", async () => {
  await makeTable("Logged");
  const printed = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const context = { activityTable: "Logged", actor, now, onStored: logAudit };
  await auditFirst(context, { action: "account.resumed", account_id: 7, reason: "paid" });
  expect(printed.mock.calls.flat()).toEqual([
    expect.objectContaining({
      event: "audit",
      action: "account.resumed",
      account_id: 7,
      reason: "paid",
      details: "{}",
    }),
  ]);
  printed.mockRestore();
});
