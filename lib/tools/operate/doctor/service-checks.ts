// Checks of a service that runs: its address, its tables, and whether its queues drain.
import { setTimeout as sleep } from "node:timers/promises";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../../../service/aws/clients/dynamodb.ts";
import { readQueueDepth, totalOf } from "../../../service/aws/queue-depth.ts";
import { DAY_MS } from "../../../service/usage/day.ts";
import { type DoctorCheck, type DoctorFinding, failed, ok, warning } from "./finding.ts";
import { judgeIdentity, settingsIn } from "./identity-facts.ts";

export interface RunningService {
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  /** Names of tables, by what they hold. */
  readonly tables: Readonly<Record<string, string>>;
  /** Addresses of the queues with work, by what they hold. */
  readonly queues: Readonly<Record<string, string>>;
  /** Addresses of the queues of what failed, by the command that lists them. */
  readonly deadLetters: Readonly<Record<string, string>>;
  /** How old filter lists are replaced. */
  readonly listsFix: string;
  /** How long a queue with work may stay without progress. */
  readonly patienceMs: number;
}

const REQUEST_TIMEOUT_MS = 30_000;
const POLL_MS = 500;

export function serviceChecks({
  baseUrl,
  tables,
  queues,
  deadLetters,
  listsFix,
  patienceMs,
}: RunningService): readonly DoctorCheck[] {
  let health: ReturnType<typeof readHealth> | undefined;
  const readOnce = () => {
    health ??= readHealth(baseUrl);
    return health;
  };
  return [
    { name: "address", run: async () => checkCaptures(baseUrl, await readOnce()) },
    { name: "filter lists", run: async () => checkLists(await readOnce(), listsFix) },
    ...Object.entries(tables).map(([name, table]) => ({ name: `table of ${name}`, run: () => checkTable(table) })),
    ...Object.entries(queues).map(([name, url]) => ({
      name: `queue of ${name}`,
      run: () => checkQueue(url, patienceMs),
    })),
    ...Object.entries(deadLetters).map(([list, url]) => ({
      name: `dead letters (${list})`,
      run: () => checkDeadLetters(url, list),
    })),
  ];
}

/** The check of who runs the service of this machine, as it says itself: its variables are those of another process. */
export function servedIdentityCheck(baseUrl: string): DoctorCheck {
  const read = (path: string) => fetch(`${baseUrl}${path}`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  return {
    name: "identity",
    async run() {
      const [methods, llms] = await Promise.all([read("/sign-in"), read("/llms.txt")]);
      const { sign_up: isPublic } = (await methods.json()) as { readonly sign_up: boolean };
      return judgeIdentity({ isPublic, shown: settingsIn(await llms.text()), stage: undefined });
    },
  };
}

/** What the checks need of the answer of `/health`. */
interface Health {
  readonly captures: { readonly status: string; readonly checked_at: string | null };
  readonly chromium: { readonly version: string; readonly age_days: number };
  readonly lists: readonly { readonly date: string }[];
}

/** Reads `/health`; what it says, or a failed finding when the answer is not 200. */
async function readHealth(baseUrl: string): Promise<Health | DoctorFinding> {
  const response = await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  if (response.status !== 200) return failed(`${baseUrl} answers ${response.status}`, "Look in the log of the API.");
  return (await response.json()) as Health;
}

function checkCaptures(baseUrl: string, health: Health | DoctorFinding): DoctorFinding {
  if (!("lists" in health)) return health;
  const { captures, chromium } = health;
  const seen = `${baseUrl} answers; Chromium ${chromium.version} is ${chromium.age_days} days old`;
  return captures.status === "failing"
    ? failed(
        `${seen}; the canary's last capture failed at ${captures.checked_at}`,
        "See 'Alarm: canary' in docs/operations.md.",
      )
    : ok(`${seen}; captures: ${captures.status}`);
}

/** Lists get new rules every day. Older ones miss advertisements and banners of sites that have changed. */
const MAX_LIST_AGE_DAYS = 60;

function checkLists(health: Health | DoctorFinding, fix: string): DoctorFinding {
  if (!("lists" in health)) return health;
  const newest = health.lists.reduce((latest, { date }) => Math.max(latest, Date.parse(date)), 0);
  const age = Math.floor((Date.now() - newest) / DAY_MS);
  const seen = `the newest is ${age} days old`;
  return age <= MAX_LIST_AGE_DAYS ? ok(seen) : warning(seen, fix);
}

/** Reads an item that does not exist, which takes the table and the permission that a capture takes. */
async function checkTable(table: string) {
  const startedAt = performance.now();
  await dynamodb().send(new GetCommand({ TableName: table, Key: { pk: "DOCTOR#none", sk: "DOCTOR" } }));
  return ok(`answers in ${Math.round(performance.now() - startedAt)} ms`);
}

/** A queue is fine when nothing waits in it, or when the number of waiting messages falls in time. */
async function checkQueue(url: string, patienceMs: number) {
  const until = Date.now() + patienceMs;
  const { waiting: first } = await readQueueDepth(url);
  for (;;) {
    const depth = await readQueueDepth(url);
    if (depth.waiting === 0) return ok(`nothing waits, ${totalOf(depth)} in progress`);
    if (depth.waiting < first) return ok(`drains: ${depth.waiting} wait, of ${first} before`);
    if (Date.now() >= until) {
      const seconds = Math.round(patienceMs / 1000);
      return failed(
        `does not drain: ${depth.waiting} messages wait, ${first} did ${seconds} s before`,
        "Look for errors in the log of its function, and at the concurrency that the stage and Lambda allow.",
      );
    }
    await sleep(POLL_MS);
  }
}

async function checkDeadLetters(url: string, list: string) {
  const count = totalOf(await readQueueDepth(url));
  return count === 0 ? ok("none") : warning(`${count}`, `List them with: npm run jobs -- ${list}`);
}
