// The pictures of the operator's page: its screens, captured by the service itself, with example accounts.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { storeExampleUsage } from "../../../test/fixtures/example-usage.ts";
import { seededRandom } from "../../../test/fixtures/seeded-random.ts";
import { writeItems } from "../../../test/fixtures/usage-items.ts";
import { aQueuedJob } from "../../../test/support/queued-job.ts";
import { type PlanName, plans } from "../../contract/plans.ts";
import { updateKeyRing } from "../../service/account/account-store.ts";
import { indexDirectory } from "../../service/account/index-directory.ts";
import { openAccount } from "../../service/account/open-account.ts";
import { countRequest } from "../../service/account/rate-limit-store.ts";
import { periodKey } from "../../service/aws/table-keys.ts";
import { periodAt } from "../../service/billing/billing-period.ts";
import { sendJob } from "../../service/jobs/job-queue.ts";
import { putJob } from "../../service/jobs/job-store.ts";
import { createOperatorSession, csrfTokenOf } from "../../service/operator/operator-session.ts";
import { createId } from "../../service/platform/ids.ts";
import { DAY_MS, startOfDay, utcDay } from "../../service/usage/day.ts";
import { type PictureService, startPictureService } from "./picture-service.ts";

const OPERATOR = "olga@captures.example";

interface Example {
  readonly label: string;
  readonly plan: PlanName;
  /** Part of the quotas that is used. */
  readonly used: number;
  readonly requested?: PlanName;
}

/** The newest last. */
const examples: readonly Example[] = [
  { label: "Harbor Newsroom", plan: "max", used: 0.91 },
  { label: "Ivory Tower Press", plan: "starter", used: 0.35 },
  { label: "Nordlicht Shop", plan: "free", used: 0.98, requested: "starter" },
  { label: "Fernweh Reisen", plan: "pro", used: 0.22 },
  { label: "Kite Analytics", plan: "pro", used: 0.64 },
  { label: "Lumen Legal", plan: "free", used: 0.12 },
  { label: "Mistral Media", plan: "starter", used: 0.83, requested: "pro" },
  { label: "Caldera Labs", plan: "free", used: 0.4 },
  { label: "Acme Archive", plan: "pro", used: 0.57 },
];

/** Codes of failed captures, and the part of all captures that fails so. */
const failures = [
  { code: "TARGET_HTTP_ERROR", blame: "target", share: 0.012 },
  { code: "CAPTURE_TIMEOUT", blame: "target", share: 0.008 },
  { code: "SELECTOR_NOT_FOUND", blame: "caller", share: 0.006 },
  { code: "QUOTA_EXCEEDED", blame: "caller", share: 0.004 },
  { code: "CAPACITY", blame: "us", share: 0.001 },
  { code: "INTERNAL_ERROR", blame: "us", share: 0.0005 },
];

/** Writes a picture of each screen. */
export async function makeOperatorPictures(): Promise<void> {
  const pictures = await startPictureService({
    environment: { OPERATOR_ADDRESSES: OPERATOR, OPERATOR_PICTURES: "shown" },
  });
  try {
    await makePictures(pictures);
  } finally {
    await pictures.close();
  }
}

interface Tables {
  readonly accounts: string;
  readonly usage: string;
  readonly activity: string;
}

async function makePictures(pictures: PictureService): Promise<void> {
  const { service } = pictures;
  const { AccountsTable: accounts = "", UsageTable: usage = "", ActivityTable: activity = "" } = service.outputs;
  const tables = { accounts, usage, activity };
  const now = Date.now();
  logCaptures(pictures.dataDir, now);
  const opened = [];
  for (const [index, example] of examples.entries()) opened.push(await openExample(tables, { example, index, now }));
  const [acme, caldera, mistral] = opened.toReversed();
  const [harbor] = opened;
  if (!acme || !caldera || !mistral || !harbor) throw new Error("There are no example accounts.");
  await indexDirectory(accounts, now);
  await pictures.capture(harbor.key, { url: `${service.baseUrl}/docs` }); // the first one starts the renderer
  const failed = await pictures.capture(harbor.key, {
    url: `${service.baseUrl}/docs/guide/nothing-here`,
    full_page: true,
  });
  const { request_id } = (await failed.json()) as { readonly request_id: number };
  await failJobs(activity, { queue: service.outputs["FailedRenders"] ?? "", accountIds: opened.map(({ id }) => id) });

  const { token } = await createOperatorSession(accounts, { name: OPERATOR, email: OPERATOR }, now);
  const change = async (path: string, body: object) => {
    const response = await fetch(`${service.baseUrl}/operator/api/accounts/${path}`, {
      method: "POST",
      headers: {
        Cookie: `operator=${token}`,
        "X-CSRF-Token": csrfTokenOf(token),
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json",
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  const until = `${utcDay(now + 30 * DAY_MS)}T00:00:00.000Z`;
  const captures_per_day = { value: 2_000, until };
  await change(`${acme.id}/limits`, { limits: { requests_per_minute: { value: 300, until: null }, captures_per_day } });
  await change(`${caldera.id}/suspend`, {
    reason: "Pages of a bank that isn’t theirs. Write to abuse@captures.example.",
  });
  await change(`${mistral.id}/plan`, { plan: "pro", reason: "Asked for by mail" });

  const signedIn = { cookies: `operator=${token}`, viewport_height: 900 };
  const at = (path: string) => ({ url: `${service.baseUrl}/operator${path}`, ...signedIn });
  const picture = (name: string, options: Readonly<Record<string, unknown>>) =>
    pictures.takePicture(harbor.key, `operator-${name}`, options);
  await picture("today", at(""));
  await picture("accounts", at("/accounts"));
  await picture("account", at(`/accounts/${acme.id}`));
  await picture("suspend", { ...at(`/accounts/${acme.id}`), click: ".account-actions button:last-of-type" });
  await picture("request", at(`/requests/${request_id}`));
  await picture("failed", { ...at("/failed"), viewport_height: 600 });
  await picture("audit", { ...at("/audit"), viewport_height: 600 });
  await picture("narrow", { ...at("/accounts"), viewport_width: 390, viewport_height: 844 });
  await picture("dark", { ...at(`/accounts/${caldera.id}`), dark_mode: true });
  await picture("sign-in", { url: `${service.baseUrl}/operator`, viewport_height: 600 });
}

/** An account with an address, captures, and used quotas. Each is opened two days after the one before. */
async function openExample(
  { accounts, ...tables }: Tables,
  { example, index, now }: { readonly example: Example; readonly index: number; readonly now: number },
) {
  const { label, plan, used, requested } = example;
  const openedAt = now - (examples.length - index) * 2 * DAY_MS;
  const { ring, key } = await openAccount(accounts, { plan, label, now: openedAt });
  const { id } = ring.account;
  const email = `office@${label.toLowerCase().replaceAll(" ", "-")}.example`;
  const { account, keys } = await updateKeyRing(accounts, id, (current) => ({
    ...current,
    account: { ...current.account, email, requested_plan: requested ?? null },
  }));
  await storeExampleUsage(tables, { accountId: id, keys, count: 200, days: 2, now: now - (index + 1) * 60_000 });
  const counts = Object.entries(plans[plan].quotas).map(([name, limit]) => [
    name === "captures" ? "screenshots" : name,
    Math.round(limit * used),
  ]);
  const [first] = keys;
  const limit = plans[plan].requestsPerMinute;
  if (first)
    await countRequest(tables.usage, {
      accountId: id,
      keyId: first.id,
      limit,
      now: now - 40_000 * 3 ** (examples.length - index),
    });
  await writeItems(tables.usage, [{ ...periodKey(id, periodAt(account, now).start), ...Object.fromEntries(counts) }]);
  return { id, key };
}

/** Lines of the log as functions write them for captures: those of today so far, as many as 18,000 a day. */
function logCaptures(dataDir: string, now: number): void {
  const random = seededRandom(11);
  const since = startOfDay(utcDay(now));
  const count = Math.round(((now - since) / DAY_MS) * 18_000);
  const lines = Array.from({ length: count }, (_, index) => {
    const Timestamp = since + Math.floor(((now - since) * index) / count);
    let rest = random();
    const failure = failures.find(({ share }) => {
      rest -= share;
      return rest < 0;
    });
    const milliseconds = Math.round(700 + random() ** 3 * 9_000);
    return JSON.stringify({
      _aws: { Timestamp },
      Captures: 1,
      ...(index % 60 === 0 && { RendererStarts: 1 }),
      ...(failure && { code: failure.code, blame: failure.blame }),
      milliseconds,
    });
  });
  writeFileSync(join(dataDir, "logs/Examples.log"), `${lines.join("\n")}\n`);
}

/** Asynchronous captures that have failed because of the service. */
async function failJobs(
  activity: string,
  { queue, accountIds }: { readonly queue: string; readonly accountIds: readonly number[] },
): Promise<void> {
  for (const [index, account_id] of accountIds.slice(0, 3).entries()) {
    const error = { error: "The renderer ended before it answered.", code: "INTERNAL_ERROR" };
    const id = createId(Date.now() - (index + 1) * 900_000, 0);
    const job = await putJob(activity, aQueuedJob({ account_id, id, status: "failed", error }));
    await sendJob(queue, { account_id, job_id: job.id, options: { inline: { html: "" } } });
  }
}
