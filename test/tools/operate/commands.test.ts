// The operator's commands, as they are written on the command line.
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCaller, updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { countRequest } from "../../../lib/service/account/rate-limit-store.ts";
import { periodAt } from "../../../lib/service/billing/billing-period.ts";
import { hashApiKey } from "../../../lib/service/keys/api-key.ts";
import { issueKey } from "../../../lib/service/keys/issue-key.ts";
import { lastKey, withKey } from "../../../lib/service/keys/key-ring.ts";
import { readAudit } from "../../../lib/service/operator/audit-log.ts";
import { linkSecret, verifyingLinkSecrets } from "../../../lib/service/results/link-secret.ts";
import { CommandUsageError } from "../../../lib/tools/operate/arguments.ts";
import { readCommandLine, usageText } from "../../../lib/tools/operate/command-line.ts";
import { accountCommands } from "../../../lib/tools/operate/commands.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const ACTOR = { operator: "ops@host", from: "host" };

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
});
afterAll(() => running.close());

/** Runs a command line at `NOW`; words are parted by blanks. Resolves to what is printed. */
// biome-ignore lint/suspicious/noExplicitAny: what is printed is JSON of any shape.
async function run(line: string): Promise<any> {
  const { run: carryOut, args } = readCommandLine(accountCommands, line.split(" "));
  const printed = await carryOut(args, {
    tables: async () => running.tables,
    storage: async () => ({
      ...running.tables,
      results: "results",
      queue: running.env.ACCOUNT_DATA_QUEUE_URL,
      webhooks: running.env.WEBHOOK_QUEUE_URL,
    }),
    baseUrl: async () => "https://api.example",
    actor: ACTOR,
    now: NOW,
  });
  return JSON.parse(JSON.stringify(printed));
}

const open = async (plan = "free") => run(`create --plan ${plan} --label Customer`);
const callerOf = (key: string) => findCaller(running.tables.accounts, hashApiKey(key));

describe("npm run accounts: the data of an account", () => {
  test("is exported to a file that did not exist, one JSON object a line", async () => {
    const { account_id } = await open();
    const file = join(await mkdtemp(join(tmpdir(), "accounts-")), "account.ndjson");
    expect(await run(`export --account ${account_id} --file ${file}`)).toEqual({ account_id, file, records: 3 });
    const kinds = (await readFile(file, "utf8")).trim().split("\n");
    expect(kinds.map((line) => JSON.parse(line).kind)).toEqual(["account", "api_key", "invoice"]);
    await expect(run(`export --account ${account_id} --file ${file}`)).rejects.toThrow("EEXIST");
  });

  test("is deleted for good when the label is right", async () => {
    const { account_id, key } = await open();
    await expect(run(`delete --account ${account_id} --label Other`)).rejects.toThrow("nothing brings it back");
    expect(await callerOf(key)).toBeDefined();
    expect(await run(`delete --account ${account_id} --label Customer`)).toMatchObject({ account_id, api_keys: 1 });
    expect(await callerOf(key)).toBeUndefined();
    await expect(run(`show --account ${account_id}`)).rejects.toThrow(`There is no account ${account_id}.`);
  });
});

describe("npm run accounts: an account", () => {
  test("is opened with a key that has all scopes", async () => {
    const { account_id, api_key_id, key, signing_secret, ...rest } = await open("starter");
    expect(rest).toEqual({ plan: "starter" });
    expect(signing_secret).toMatch(/^whsec_/);
    expect(await callerOf(key)).toMatchObject({
      account: { id: account_id, plan: "starter" },
      key: { id: api_key_id, label: "Customer", scopes: ["capture", "usage", "keys"] },
    });
  });

  test("is listed", async () => {
    const { account_id } = await open();
    expect(await run("list")).toContainEqual({
      id: account_id,
      plan: "free",
      label: "Customer",
      created_at: "2026-01-31T12:00:00.000Z",
      billed_from: null,
      email: null,
      requested_plan: null,
      suspension: null,
    });
  });

  test("is shown with its usage", async () => {
    const { account_id } = await open();
    expect(await run(`show --account ${account_id}`)).toMatchObject({
      id: account_id,
      label: "Customer",
      plan: "free",
      trial: { ends_at: "2026-02-07T12:00:00.000Z", is_over: false },
      quotas: { screenshots: { limit: 300, used: 0, remaining: 300 } },
      rate_limit: { limit: 10 },
    });
  });

  test("gets an address, another one, and none, but never that of another account", async () => {
    const [{ account_id }, other] = [await open(), await open()];
    const address = async (id: number, email: string) => run(`address --account ${id} --email ${email}`);
    expect(await address(account_id, "ann@customer.example")).toMatchObject({ email: "ann@customer.example" });
    await expect(address(other.account_id, "ann@customer.example")).rejects.toThrow(
      "Another account has this address.",
    );
    await expect(address(account_id, "ann")).rejects.toThrow("--email must be an e-mail address.");
    await address(account_id, "bob@customer.example");
    expect(await address(other.account_id, "ann@customer.example")).toMatchObject({ email: "ann@customer.example" });
    expect(await address(account_id, "none")).toMatchObject({ email: null });
  });

  test("changes its plan, which applies to its keys at once", async () => {
    const { account_id, key } = await open();
    const changed = await run(`plan --account ${account_id} --plan pro`);
    expect(changed).toMatchObject({ id: account_id, plan: "pro", billed_from: "2026-01-31T12:00:00.000Z" });
    expect((await callerOf(key))?.account.plan).toBe("pro");
    await expect(run(`plan --account ${account_id} --plan free`)).rejects.toThrow("its trial cannot begin again");
  });
});

describe("npm run accounts: the limits of an account", () => {
  const ofPlan = (value: number | null) => ({ value, until: null, is_override: false });
  const set = (value: number, until: string | null = null) => ({ value, until, is_override: true });

  test("are those of the plan, until some are set, which applies to its keys at once", async () => {
    const { account_id, key } = await open("starter");
    const limits = `limits --account ${account_id}`;
    const before = {
      requests_per_minute: ofPlan(40),
      concurrent_captures: ofPlan(null),
      captures_per_day: ofPlan(null),
      api_keys: ofPlan(48),
      concurrent_jobs: ofPlan(50),
    };
    expect(await run(limits)).toEqual({ account_id, limits: before });
    const changed = await run(`${limits} --requests-per-minute 5 --captures-per-day 0 --until 2026-02-03`);
    const until = "2026-02-03T00:00:00.000Z";
    const after = { ...before, requests_per_minute: set(5, until), captures_per_day: set(0, until) };
    expect(changed).toEqual({ account_id, limits: after });
    expect(await run(limits)).toEqual(changed);
    expect((await run(`show --account ${account_id}`)).limits).toEqual(after);
    expect((await callerOf(key))?.account.limits).toEqual({
      requests_per_minute: { value: 5, until },
      captures_per_day: { value: 0, until },
    });
  });

  test("change one by one, without an end unless one is given, and are given back to the plan", async () => {
    const { account_id } = await open("starter");
    const limits = `limits --account ${account_id}`;
    await run(`${limits} --api-keys 2 --concurrent-jobs 3 --concurrent-captures 1 --until 2026-02-01T01:00:00+01:00`);
    expect((await run(`${limits} --api-keys 4 --concurrent-jobs plan`)).limits).toMatchObject({
      api_keys: set(4),
      concurrent_jobs: ofPlan(50),
      concurrent_captures: set(1, "2026-02-01T00:00:00.000Z"),
    });
    const { limits: after } = await run(`${limits} --api-keys plan --concurrent-captures plan --captures-per-day none`);
    expect(Object.values(after)).toEqual(
      Object.values(after).map(() => expect.objectContaining({ is_override: false })),
    );
  });

  test.each([
    ["--api-keys 49", "--api-keys must be a whole number from 0 to 48, not 49."],
    ["--requests-per-minute 0", "--requests-per-minute must be a whole number from 1 to 10000, not 0."],
    ["--captures-per-day plan", "--captures-per-day must be a whole number or 'none', not 'plan'."],
    ["--concurrent-jobs -1", "--concurrent-jobs"],
    ["--concurrent-jobs 1.5", "--concurrent-jobs must be a whole number or 'plan', not '1.5'."],
    ["--api-keys 1 --until 2026-01-31", "--until must be a time in the future, not '2026-01-31'."],
    ["--api-keys 1 --until soon", "--until must be a time in the future, not 'soon'."],
    ["--until 2027-01-01", "--until needs a limit that ends then."],
  ])("refuse %s", async (options, message) => {
    const { account_id } = await open();
    const refused = run(`limits --account ${account_id} ${options}`);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(CommandUsageError);
    const { limits } = await run(`limits --account ${account_id}`);
    expect(JSON.stringify(limits)).not.toContain("true");
  });

  test("of an unknown account are neither shown nor set", async () => {
    await expect(run("limits --account 5")).rejects.toThrow("There is no account 5.");
    await expect(run("limits --account 5 --api-keys 1")).rejects.toThrow("There is no account 5.");
  });
});

describe("npm run accounts: an API key", () => {
  test("is created with the options of the API", async () => {
    const { account_id } = await open();
    const made = await run(
      `keys create --account ${account_id} --label Shop --scopes usage,keys --expires-at 2099-01-01T00:00:00Z`,
    );
    expect(Object.keys(made)).toEqual(["api_key_id", "key", "signing_secret"]);
    const listed = await run(`keys list --account ${account_id}`);
    expect(listed[1]).toEqual({
      id: made.api_key_id,
      label: "Shop",
      key_prefix: made.key.slice(0, 12),
      previous_texts: [],
      scopes: ["usage", "keys"],
      test: false,
      monthly_limit: null,
      monthly_used: 0,
      require_signature: false,
      last_used_at: null,
      expires_at: "2099-01-01T00:00:00.000Z",
      created_at: "2026-01-31T12:00:00.000Z",
      revoked_at: null,
    });
  });

  test("without options has the defaults of the API", async () => {
    const { account_id } = await open();
    const { key } = await run(`keys create --account ${account_id} --label Shop`);
    expect((await callerOf(key))?.key).toMatchObject({ scopes: ["capture", "usage"], expires_at: null });
  });

  test("is listed with its last use", async () => {
    const { account_id, api_key_id } = await open();
    const request = { accountId: account_id, keyId: api_key_id, limit: 10, now: NOW };
    await countRequest(running.tables.usage, request);
    const [key] = await run(`keys list --account ${account_id}`);
    expect(key).toMatchObject({ id: api_key_id, last_used_at: "2026-01-31T12:00:00.000Z" });
  });

  test("changes in the given options only", async () => {
    const { account_id, api_key_id } = await open();
    const [made] = await run(`keys list --account ${account_id}`);
    const key = `--account ${account_id} --key ${api_key_id}`;
    const expiring = await run(`keys update ${key} --expires-at 2099-01-01T00:00:00Z --scopes capture`);
    expect(expiring).toEqual({ ...made, scopes: ["capture"], expires_at: "2099-01-01T00:00:00.000Z" });
    const renamed = await run(`keys update ${key} --label Other --expires-at never`);
    expect(renamed).toEqual({ ...expiring, label: "Other", expires_at: null });
  });

  test("is rotated: the old key becomes invalid", async () => {
    const { account_id, api_key_id, key } = await open();
    const rotated = await run(`keys rotate --account ${account_id} --key ${api_key_id}`);
    expect(rotated).toMatchObject({ api_key_id, signing_secret: expect.stringMatching(/^whsec_/) });
    expect((await callerOf(key))?.key.text_ends_at).toBe("2026-01-31T12:00:00.000Z");
    expect((await callerOf(rotated.key))?.key).toMatchObject({ id: api_key_id, revoked_at: null });
  });

  test("is rotated with an overlap, and limited until the limit is removed", async () => {
    const { account_id } = await open();
    const made = await run(`keys create --account ${account_id} --label Shop --monthly-limit 5`);
    const key = `--account ${account_id} --key ${made.api_key_id}`;
    await run(`keys rotate ${key} --overlap 60`);
    expect((await callerOf(made.key))?.key).toMatchObject({
      text_ends_at: "2026-01-31T12:01:00.000Z",
      monthly_limit: { captures: 5 },
    });
    expect(await run(`keys update ${key} --monthly-limit none`)).toMatchObject({ monthly_limit: null });
    expect(await run(`keys update ${key} --monthly-limit 7`)).toMatchObject({ monthly_limit: 7 });
    await expect(run(`keys update ${key} --monthly-limit many`)).rejects.toThrow("--monthly-limit must be");
  });

  test("for tests is one for tests after a rotation", async () => {
    const { account_id } = await open();
    const facts = { account_id, label: "Tests", scopes: ["capture" as const], expires_at: null, isTest: true };
    const { apiKey } = issueKey(facts, NOW);
    const { id } = lastKey(await updateKeyRing(running.tables.accounts, account_id, (ring) => withKey(ring, apiKey)));
    const rotated = await run(`keys rotate --account ${account_id} --key ${id}`);
    expect(rotated.key).toMatch(/^cap_test_/);
    expect((await callerOf(rotated.key))?.key.id).toBe(id);
  });

  test("is revoked permanently", async () => {
    const { account_id, api_key_id, key } = await open();
    const revoke = () => run(`keys revoke --account ${account_id} --key ${api_key_id}`);
    const revoked = await revoke();
    expect(revoked).toMatchObject({ id: api_key_id, revoked_at: "2026-01-31T12:00:00.000Z" });
    expect(await revoke()).toEqual(revoked);
    expect((await callerOf(key))?.key.revoked_at).not.toBeNull();
    await expect(run(`keys rotate --account ${account_id} --key ${api_key_id}`)).rejects.toThrow("was revoked at");
  });
});

test.each([
  "show",
  "plan --plan max",
  "keys list",
  "keys create --label x",
  "keys revoke --key 7",
  "keys rotate --key 7",
])("npm run accounts: %s fails for an unknown account", async (line) => {
  await expect(run(`${line} --account 5`)).rejects.toThrow("There is no account 5.");
});

test.each([
  ["", "A command is missing."],
  ["keys", "Unknown command 'keys'."],
  ["toString", "Unknown command 'toString'."],
  ["list --label x", "The command 'list' has no option --label."],
  ["list --constructor x", "Unknown option '--constructor'"],
  ["create --plan gold --label x", "--plan must be one of free, starter, pro, max."],
  ["create --plan max", "--label must be sent."],
  [`create --plan max --label ${"x".repeat(101)}`, "--label must have at most 100 characters, not 101."],
  ["show", "The option --account is missing."],
  ["show --account me", "--account must be the id of the account, not 'me'."],
  ["show --account 1e3", "--account must be the id of the account, not '1e3'."],
  ["keys revoke --account 5 --key -7", "--key"],
  ["keys create --account 5 --label x --scopes usage,admin", "--scopes must be one of capture, usage, keys"],
  ["keys create --account 5 --label x --expires-at 2026-01-01T00:00Z", "--expires-at must be in the future"],
  ["keys update --account 5 --key 7", "Nothing to change"],
])("npm run accounts: the command line '%s' is rejected before the service is looked up", async (line, message) => {
  const attempt = async () => {
    const { run: carryOut, args } = readCommandLine(accountCommands, line.split(" ").filter(Boolean));
    const tables = () => Promise.reject<never>(new Error("The service was looked for."));
    return carryOut(args, { tables, storage: tables, baseUrl: tables, actor: ACTOR, now: NOW });
  };
  const error = await attempt().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CommandUsageError);
  expect((error as Error).message).toContain(message);
});

test("npm run accounts: --stage is not passed to the command", () => {
  const { stage, args } = readCommandLine(accountCommands, ["list", "--stage", "dev"]);
  expect([stage, args]).toEqual(["dev", {}]);
});

test("npm run accounts: the help shows every command with its options", () => {
  expect(usageText(accountCommands)).toContain("npm run accounts -- keys revoke --account <id> --key <id>\n");
  expect(usageText(accountCommands)).toContain("npm run accounts -- list\n");
});

describe("npm run accounts: the secret of links", () => {
  test("is rotated with an overlap of 32 days, or another one, and is never printed", async () => {
    await open();
    const before = await linkSecret(running.tables.accounts);
    const rotated = await run("rotate-link-secret");
    expect(rotated).toEqual([
      { signs_from: null, verifies_until: "2026-03-04T12:00:00.000Z" },
      { signs_from: "2026-01-31T12:10:00.000Z", verifies_until: null },
    ]);
    expect(await run("rotate-link-secret --overlap 3600")).toMatchObject([
      { verifies_until: "2026-01-31T13:00:00.000Z" },
      { verifies_until: "2026-01-31T13:00:00.000Z" },
      { verifies_until: null },
    ]);
    expect(await run("rotate-link-secret --overlap 0")).toEqual([
      { signs_from: "2026-01-31T12:00:00.000Z", verifies_until: null },
    ]);
    expect(await verifyingLinkSecrets(running.tables.accounts)).not.toContain(before);
  });

  test.each(["1.5", "a-day", "123456789"])("is not rotated with the overlap %s", async (overlap) => {
    await expect(run(`rotate-link-secret --overlap ${overlap}`)).rejects.toThrow("--overlap must be");
  });
});

describe("npm run accounts: trials", () => {
  test("are paused until the end of the month, or another time, and resumed", async () => {
    expect(await run("trials show")).toEqual({ paused_until: null });
    expect(await run("trials pause")).toEqual({ paused_until: "2026-02-01T00:00:00.000Z" });
    expect(await run("trials pause --until 2026-03-01T00:00:00Z")).toEqual({
      paused_until: "2026-03-01T00:00:00.000Z",
    });
    expect(await run("trials show")).toEqual({ paused_until: "2026-03-01T00:00:00.000Z" });
    expect(await run("trials resume")).toEqual({ paused_until: null });
    expect(await run("trials show")).toEqual({ paused_until: null });
  });

  test("are not paused until a time in the past", async () => {
    await expect(run("trials pause --until 2026-01-01T00:00:00Z")).rejects.toThrow(
      "--until must be a time in the future, not '2026-01-01T00:00:00Z'.",
    );
  });
});

describe("npm run accounts: the audit log", () => {
  /** The entries of an account, or of none, newest last. */
  const entriesOf = async (accountId: number | null) => {
    const { entries } = await readAudit(running.tables.activity, { pageSize: 1_000, now: NOW });
    return entries.filter(({ account_id }) => account_id === accountId).toReversed();
  };

  test("has an entry of each change, with who made it, and nothing of what is only read", async () => {
    const { account_id, api_key_id } = await open("pro");
    const file = join(await mkdtemp(join(tmpdir(), "accounts-")), "account.ndjson");
    const key = `--account ${account_id} --key ${api_key_id}`;
    for (const line of [
      "list",
      `show --account ${account_id}`,
      `keys list --account ${account_id}`,
      `plan --account ${account_id} --plan max --reason asked`,
      `address --account ${account_id} --email audited@customer.example`,
      `limits --account ${account_id} --requests-per-minute 5`,
      `limits --account ${account_id}`,
      `suspend --account ${account_id} --reason abuse`,
      `resume --account ${account_id}`,
      `sign-in --account ${account_id}`,
      `export --account ${account_id} --file ${file}`,
      `keys create --account ${account_id} --label Second`,
      `keys update ${key} --label First`,
      `keys rotate ${key}`,
      `keys revoke ${key}`,
      `delete --account ${account_id} --label Customer`,
    ])
      await run(line);
    const entries = await entriesOf(account_id);
    expect(entries.map(({ action }) => action).toSorted()).toEqual(
      [
        "account.created",
        "account.plan_changed",
        "account.address_changed",
        "account.limits_changed",
        "account.suspended",
        "account.resumed",
        "account.sign_in_link_printed",
        "account.exported",
        "key.created",
        "key.changed",
        "key.rotated",
        "key.revoked",
        "account.deleted",
      ].toSorted(),
    );
    for (const entry of entries) expect(entry).toMatchObject({ ...ACTOR, at: new Date(NOW).toISOString() });
    expect(entries.find(({ action }) => action === "account.plan_changed")).toMatchObject({
      reason: "asked",
      details: { from: "pro", to: "max" },
    });
    expect(JSON.stringify(entries)).not.toContain("audited@customer.example"); // the log outlives the account
  });

  test("has an entry of the payment of an invoice, which has to be closed", async () => {
    const { account_id } = await open("starter");
    const start = new Date(NOW - 40 * 24 * 60 * 60 * 1000).toISOString();
    await updateKeyRing(running.tables.accounts, account_id, (ring) => ({
      ...ring,
      account: { ...ring.account, created_at: start, billed_from: start },
    }));
    const pay = (period: string) =>
      `payment --account ${account_id} --period ${period} --status paid --reference transfer-7`;
    expect(await run(pay(start))).toEqual({ account_id, period: start, payment: "paid", is_recorded: true });
    const [entry] = (await entriesOf(account_id)).filter(({ action }) => action === "invoice.payment_recorded");
    expect(entry).toMatchObject({ ...ACTOR, details: { period: start, payment: "paid", reference: "transfer-7" } });
    await expect(run(pay(new Date(NOW).toISOString()))).rejects.toThrow("has no billing period that starts at");
    const { start: current } = periodAt({ created_at: start, billed_from: start }, NOW);
    await expect(run(pay(current))).rejects.toThrow("is open");
  });

  test("has an entry of each change that concerns no account", async () => {
    const before = await entriesOf(null);
    for (const line of ["rotate-link-secret", "trials pause", "trials resume", "trials show", "index"]) await run(line);
    const known = new Set(before.map(({ id }) => id));
    const added = (await entriesOf(null)).filter(({ id }) => !known.has(id));
    expect(added.map(({ action }) => action).toSorted()).toEqual(
      ["link_secret.rotated", "trials.paused", "trials.resumed", "accounts.indexed"].toSorted(),
    );
  });

  test("has no entry of a command that is refused, or changes nothing", async () => {
    const { account_id, api_key_id } = await open("pro");
    await run(`keys revoke --account ${account_id} --key ${api_key_id}`);
    const before = await entriesOf(account_id);
    await run(`keys revoke --account ${account_id} --key ${api_key_id}`); // again
    await run(`resume --account ${account_id}`); // it isn't suspended
    await run(`address --account ${account_id} --email none`); // it has none
    for (const line of [
      `plan --account ${account_id} --plan free`,
      `keys rotate --account ${account_id} --key ${api_key_id}`,
      `delete --account ${account_id} --label Other`,
    ])
      await expect(run(line)).rejects.toThrow();
    expect(before).toHaveLength(2);
    expect(await entriesOf(account_id)).toEqual(before);
  });
});
