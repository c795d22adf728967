// A step of an export: it writes parts of the file until its time is over, and stores after each where the next one begins.
import * as v from "valibot";
import { exportKey } from "../aws/table-keys.ts";
import { invoicesOf } from "../billing/invoice-list.ts";
import type { Environment } from "../platform/environment.ts";
import { logInfo } from "../platform/log.ts";
import { hasResult } from "../results/result-store.ts";
import type { SearchFilter } from "../usage/usage-options.ts";
import { countCaptures } from "./count-captures.ts";
import { type DataExport, DataExportSchema } from "./data-export.ts";
import { ExportFile } from "./export-file.ts";
import { accountSections, captureSections, type ExportPage, readPages } from "./export-sections.ts";
import { type HeldTask, runUnderLease, STEP_MS } from "./task-lease.ts";
import { enqueueStep } from "./task-queue.ts";

export type ExportResources = Pick<
  Environment,
  | "ACCOUNTS_TABLE"
  | "USAGE_TABLE"
  | "ACTIVITY_TABLE"
  | "RESULTS_BUCKET"
  | "USAGE_RETENTION_DAYS"
  | "BASE_URL"
  | "ACCOUNT_DATA_QUEUE_URL"
>;

export interface ExportStep {
  readonly accountId: number;
  readonly id: number;
  readonly step: number;
}

/**
 * Runs a step of an export. Resolves to undefined when its message is finished, and to the seconds after which to try again while
 * another step holds the export. `stepMs` is how long it takes new work, in milliseconds.
 */
export function runExportStep(
  { accountId, id, step }: ExportStep,
  env: ExportResources,
  { stepMs = STEP_MS }: { readonly stepMs?: number } = {},
): Promise<number | undefined> {
  const task = { table: env.ACTIVITY_TABLE, key: exportKey(accountId, id), step };
  return runUnderLease(task, (held) => writeParts(held, env, performance.now() + stepMs));
}

async function writeParts(held: HeldTask, env: ExportResources, deadline: number): Promise<void> {
  const data = v.parse(DataExportSchema, held.item);
  if (data.final && (await hasResult(env.RESULTS_BUCKET, data.file.key))) return release(held, data, data.final);
  const total =
    data.total ?? (await countCaptures(data.account_id, data.filter as SearchFilter, { now: data.created_at, env }));
  const file = await ExportFile.open(env.RESULTS_BUCKET, data);
  let { read, lines } = data;
  for await (const page of pagesOf(data, env)) {
    file.add(page.entries.join(""));
    read += page.captures;
    lines += page.lines;
    if (page.next === undefined) continue;
    const isOver = performance.now() >= deadline;
    if (!file.hasPart && !isOver) continue;
    const stored = await (file.hasPart ? file.uploadPart() : file.suspend());
    const written = { file: stored, position: page.next, total, read, lines };
    if (!isOver) {
      await held.store(written);
      continue;
    }
    const { account_id, id, step } = data;
    await enqueueStep(env.ACCOUNT_DATA_QUEUE_URL, { kind: "export", account_id, id, step: step + 1 }, 1);
    await held.release({ ...written, step: step + 1 });
    return;
  }
  file.end();
  const final = { lines, read, bytes: file.bytes };
  await held.store({ total, final }); // if this step dies once the file is there, the next attempt finds both
  await file.complete();
  await release(held, data, final);
}

async function release(held: HeldTask, data: DataExport, final: NonNullable<DataExport["final"]>): Promise<void> {
  const { lines, read } = final;
  await held.release({ lines, read, status: "ready" });
  logInfo("export ready", { account_id: data.account_id, kind: data.kind, ...final });
}

async function* pagesOf(data: DataExport, env: ExportResources): AsyncGenerator<ExportPage<string>> {
  const { account_id: accountId, created_at: now, output, filter, position } = data;
  if (data.kind === "captures") {
    const view = { activity: env.ACTIVITY_TABLE, accountId, retentionDays: env.USAGE_RETENTION_DAYS, now };
    const rows = { baseUrl: env.BASE_URL, now };
    yield* readPages(captureSections(view, filter as SearchFilter, { output, rows }), position);
    return;
  }
  const tables = { accounts: env.ACCOUNTS_TABLE, usage: env.USAGE_TABLE, activity: env.ACTIVITY_TABLE };
  const sections = await accountSections(tables, accountId, { readInvoices: invoicesOf(env.USAGE_TABLE), now });
  for await (const page of readPages(sections, position)) {
    yield { ...page, entries: page.entries.map((record) => `${JSON.stringify(record)}\n`) };
  }
}
