// The commands of `npm run accounts`: accounts, their data, and API keys.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ApiError } from "../../contract/errors/api-error.ts";
import { planNames } from "../../contract/plans.ts";
import { type Account, type KeyRing, suspensionBillings } from "../../service/account/account.ts";
import { accountState } from "../../service/account/account-state.ts";
import { listAccounts, readKeyRing, updateKeyRing } from "../../service/account/account-store.ts";
import { AddressTaken, setAddress } from "../../service/account/address-change.ts";
import { indexDirectory } from "../../service/account/index-directory.ts";
import { effectiveLimits } from "../../service/account/limits.ts";
import { openAccount } from "../../service/account/open-account.ts";
import { parseSuspension, type SuspensionResources } from "../../service/account/suspension.ts";
import { accountSections, readPages } from "../../service/account-data/export-sections.ts";
import { restoreAccount } from "../../service/account-data/restore-account.ts";
import { transact } from "../../service/aws/transaction.ts";
import { periodAt } from "../../service/billing/billing-period.ts";
import { invoicesOf } from "../../service/billing/invoice-list.ts";
import { readCounts } from "../../service/billing/period-store.ts";
import { readUsedFailures } from "../../service/billing/quota-store.ts";
import { endOfMonth, pauseTrials, readTrialPause, resumeTrials } from "../../service/billing/trial-pause.ts";
import { type IssuedKey, issueKey } from "../../service/keys/issue-key.ts";
import { newLimit, readEarlierUse, withKeyChanges } from "../../service/keys/key-changes.ts";
import { parseKeyChanges, parseNewKey, parseRotation } from "../../service/keys/key-options.ts";
import { keyResource } from "../../service/keys/key-resource.ts";
import { findKey, lastKey, withKey, withRevokedKey } from "../../service/keys/key-ring.ts";
import { readKeyUse } from "../../service/keys/key-use.ts";
import { rotateKey } from "../../service/keys/rotate-key.ts";
import {
  changePlanAudited,
  resumeAudited,
  setLimitsAudited,
  suspendAudited,
} from "../../service/operator/account-changes.ts";
import { parseReason, type ReasonOptions } from "../../service/operator/account-options.ts";
import type { AuditActor } from "../../service/operator/audit-log.ts";
import { type AuditContext, auditedChange, auditFirst, auditWrites } from "../../service/operator/audited-change.ts";
import { paymentStatuses, resumeIfPaid } from "../../service/payments/apply-event.ts";
import { recordPayment } from "../../service/payments/record-payment.ts";
import { DEFAULT_LINK_OVERLAP_S, rotateLinkSecret } from "../../service/results/link-secret.ts";
import { parseAddress } from "../../service/sessions/email-options.ts";
import { LINK_LIFETIME_MS, signInLinkWrite } from "../../service/sessions/sign-in-link.ts";
import type { AccountResources, Tables } from "../local/cli/find-service.ts";
import {
  type CommandArguments,
  CommandUsageError,
  limitUsage,
  parseFutureTime,
  parseIdArgument,
  parseLimitArguments,
  parseNameArgument,
  parsePeriodStart,
  toKeyOptions,
  toUsageError,
  withUsageErrors,
} from "./arguments.ts";
import type { Command, CommandSet } from "./command-line.ts";
import { deleteNow } from "./delete-account.ts";

/** The context of a command. */
export interface CommandContext {
  /** Called when the options are valid. Rejects when the service is not found. */
  readonly tables: () => Promise<Tables>;
  /** The same, with everything else that holds data of accounts. */
  readonly storage: () => Promise<AccountResources>;
  /** Public address of the service without a trailing slash. */
  readonly baseUrl: () => Promise<string>;
  /** Who runs the command. */
  readonly actor: AuditActor;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const keyUsage = "[--scopes <scope,…>] [--expires-at <timestamp|never>] [--monthly-limit <captures|none>]";

const commands: Readonly<Record<string, Command<CommandContext>>> = {
  create: {
    usage: `--plan <${planNames.join("|")}> --label <text>`,
    run: async (args, context) => {
      const { tables, now } = context;
      const plan = parseNameArgument(planNames, args, "plan");
      const { label } = withUsageErrors(parseNewKey, toKeyOptions({ label: args["label"] }), now);
      const audit = await auditContext(context);
      const { ring, ...issued } = await openAccount((await tables()).accounts, { plan, label, now }, ({ account }) =>
        auditWrites(audit, { action: "account.created", account_id: account.id, details: { plan } }),
      );
      return { account_id: ring.account.id, plan, ...issuedKey(issued) };
    },
  },
  list: {
    usage: "",
    run: async (_, { tables }) => (await listAccounts((await tables()).accounts)).map(accountSummary),
  },
  show: {
    usage: "--account <id>",
    run: async (args, { tables, now }) => {
      const accountId = parseIdArgument(args, "account");
      const { accounts, usage } = await tables();
      const { account } = await readKeyRing(accounts, accountId);
      const period = periodAt(account, now);
      const counts = await readCounts(usage, accountId, period);
      const usedFailures = await readUsedFailures(usage, { accountId, period }, now);
      const limits = effectiveLimits(account, now);
      return { label: account.label, ...accountState(account, { period, counts, usedFailures, limits, now }) };
    },
  },
  "sign-in": {
    usage: "--account <id>",
    run: async (args, context) => {
      const { tables, baseUrl, now } = context;
      const accountId = parseIdArgument(args, "account");
      const { accounts } = await tables();
      const { account } = await readKeyRing(accounts, accountId);
      const { link, write } = signInLinkWrite(accounts, { accountId, baseUrl: await baseUrl(), now });
      const action = { action: "account.sign_in_link_printed", account_id: accountId } as const;
      await transact([write, ...auditWrites(await auditContext(context), action)]);
      const expires_at = new Date(now + LINK_LIFETIME_MS).toISOString();
      return { account_id: accountId, label: account.label, link, expires_at };
    },
  },
  address: {
    usage: "--account <id> --email <address|none>",
    run: async (args, context) => {
      const accountId = parseIdArgument(args, "account");
      const { email } = args;
      if (email === undefined) throw new CommandUsageError("The option --email is missing.");
      const address = email === "none" ? null : withUsageErrors(parseAddress, { email }, 0).email;
      try {
        const { accounts } = await context.tables();
        const { account } = await auditedChange(
          await auditContext(context),
          () => ({ action: "account.address_changed", account_id: accountId }), // the log outlives the account, so without the address
          (further) => setAddress(accounts, accountId, address, further),
        );
        return accountSummary(account);
      } catch (error) {
        throw error instanceof AddressTaken ? new CommandUsageError(error.message) : error;
      }
    },
  },
  plan: {
    usage: `--account <id> --plan <${planNames.join("|")}> [--reason <text>]`,
    run: async (args, context) => {
      const accountId = parseIdArgument(args, "account");
      const plan = parseNameArgument(planNames, args, "plan");
      const change = { accountId, plan, ...parseReasonArgument(args, context.now) };
      return accountSummary(
        (await changePlanAudited(await auditContext(context), await context.tables(), change)).account,
      );
    },
  },
  suspend: {
    usage: `--account <id> --reason <text> [--billing <${suspensionBillings.join("|")}>]`,
    run: async ({ reason, billing, ...args }, context) => {
      const accountId = parseIdArgument(args, "account");
      const sent = { reason, ...(billing !== undefined && { billing }) };
      const options = withUsageErrors(parseSuspension, sent, context.now);
      const env = suspensionResources(await context.storage());
      return accountSummary(
        (await suspendAudited(await auditContext(context), env, { accountId, ...options })).account,
      );
    },
  },
  resume: {
    usage: "--account <id> [--reason <text>]",
    run: async (args, context) => {
      const resumption = { accountId: parseIdArgument(args, "account"), ...parseReasonArgument(args, context.now) };
      const env = suspensionResources(await context.storage());
      return accountSummary((await resumeAudited(await auditContext(context), env, resumption)).account);
    },
  },
  payment: {
    usage: `--account <id> --period <start> --status <${Object.values(paymentStatuses).join("|")}> [--reference <text>] [--reason <text>]`,
    run: async ({ reference = null, ...args }, context) => {
      const { storage, now } = context;
      const accountId = parseIdArgument(args, "account");
      const start = parsePeriodStart(args, "period");
      const status = parseNameArgument(Object.values(paymentStatuses), args, "status");
      const { accounts, usage, activity, webhooks } = await storage();
      const details = { period: start, payment: status, reference };
      const action = { action: "invoice.payment_recorded", account_id: accountId, details } as const;
      const writes = auditWrites(await auditContext(context), { ...action, ...parseReasonArgument(args, now) });
      const report = { accountId, start, status, at: new Date(now).toISOString(), reference, now };
      const { isRecorded } = await recordPayment({ accounts, usage }, report, (isNew) => (isNew ? writes : [])).catch(
        (error) => {
          throw error instanceof ApiError ? new CommandUsageError(error.message) : error;
        },
      );
      const env = {
        ACCOUNTS_TABLE: accounts,
        USAGE_TABLE: usage,
        ACTIVITY_TABLE: activity,
        WEBHOOK_QUEUE_URL: webhooks,
      };
      if (status !== "failed") await resumeIfPaid(accountId, env, now);
      return { account_id: accountId, period: start, payment: status, is_recorded: isRecorded };
    },
  },
  limits: {
    usage: `--account <id> ${limitUsage} [--until <timestamp|date|never>] [--reason <text>]`,
    run: async (args, context) => {
      const { tables, now } = context;
      const reason = parseReasonArgument(args, now);
      const accountId = parseIdArgument(args, "account");
      const { until = "never" } = args;
      const changes = parseLimitArguments(args, until === "never" ? null : parseFutureTime(until, "until", now));
      const isChange = Object.keys(changes).length > 0;
      if (args["until"] !== undefined && !isChange)
        throw new CommandUsageError("--until needs a limit that ends then.");
      const { accounts } = await tables();
      const { account } = isChange
        ? await setLimitsAudited(await auditContext(context), accounts, { accountId, changes, ...reason }).catch(
            (error) => Promise.reject(toUsageError(error)),
          )
        : await readKeyRing(accounts, accountId);
      return { account_id: accountId, limits: effectiveLimits(account, now) };
    },
  },
  export: {
    usage: "--account <id> --file <path>",
    run: async (args, context) => {
      const { storage, now } = context;
      const accountId = parseIdArgument(args, "account");
      const { file } = args;
      if (file === undefined) throw new CommandUsageError("The option --file is missing.");
      let records = 0;
      const { accounts, usage, activity } = await storage();
      const sections = await accountSections({ accounts, usage, activity }, accountId, {
        readInvoices: invoicesOf(usage),
        now,
      });
      await auditFirst(await auditContext(context), { action: "account.exported", account_id: accountId });
      async function* lines() {
        for await (const { entries } of readPages(sections, { section: 0 })) {
          records += entries.length;
          yield entries.map((record) => `${JSON.stringify(record)}\n`).join("");
        }
      }
      await pipeline(Readable.from(lines()), createWriteStream(file, { flags: "wx", mode: 0o600 })); // no one else's file
      return { account_id: accountId, file, records };
    },
  },
  delete: {
    usage: "--account <id> --label <text>",
    run: async (args, context) => {
      const { storage, now } = context;
      const accountId = parseIdArgument(args, "account");
      const resources = await storage();
      const { account } = await readKeyRing(resources.accounts, accountId);
      if (args["label"] !== account.label) {
        throw new CommandUsageError(
          "--label must be the label of the account, which 'show' prints: nothing brings it back.",
        );
      }
      await auditFirst(await auditContext(context), { action: "account.deleted", account_id: accountId });
      return deleteNow(resources, account, now);
    },
  },
  restore: {
    usage: "--account <id> --accounts-table <name> [--usage-table <name>] [--activity-table <name>]",
    run: async (args, context) => {
      const { storage, now } = context;
      const accountId = parseIdArgument(args, "account");
      const { "accounts-table": accounts, "usage-table": usage, "activity-table": activity } = args;
      if (accounts === undefined) throw new CommandUsageError("The option --accounts-table is missing.");
      await auditFirst(await auditContext(context), { action: "account.restored", account_id: accountId });
      return restoreAccount(await storage(), { accounts, usage, activity }, { accountId, now });
    },
  },
  index: {
    usage: "",
    run: async (_, context) => {
      const { accounts } = await context.tables();
      await auditFirst(await auditContext(context), { action: "accounts.indexed" });
      return { accounts: await indexDirectory(accounts, context.now) };
    },
  },
  "keys create": {
    usage: `--account <id> --label <text> ${keyUsage}`,
    run: async (args, context) => {
      const { tables, now } = context;
      const account_id = parseIdArgument(args, "account");
      const { test: isTest, monthly_limit: captures, ...facts } = withUsageErrors(parseNewKey, toKeyOptions(args), now);
      const { accounts } = await tables();
      const { account } = await readKeyRing(accounts, account_id);
      const monthly_limit = captures === null ? null : newLimit(captures, account, now);
      const { key, apiKey } = issueKey({ account_id, ...facts, monthly_limit, isTest }, now);
      const ring = await auditedChange(
        await auditContext(context),
        () => ({ action: "key.created", account_id, details: { key_prefix: apiKey.key_prefix } }),
        (further) => updateKeyRing(accounts, account_id, (current) => withKey(current, apiKey), further),
      );
      return issuedKey({ key, apiKey: lastKey(ring) });
    },
  },
  "keys list": {
    usage: "--account <id>",
    run: async (args, { tables, now }) => {
      const accountId = parseIdArgument(args, "account");
      const { accounts, usage } = await tables();
      const { account, keys } = await readKeyRing(accounts, accountId);
      const use = await readKeyUse(usage, account, now);
      return keys.map((key) => keyResource(key, use, now));
    },
  },
  "keys update": {
    usage: `--account <id> --key <id> [--label <text>] ${keyUsage}`,
    run: async (args, context) => {
      const { tables, now } = context;
      const [accountId, keyId] = [parseIdArgument(args, "account"), parseIdArgument(args, "key")];
      const changes = withUsageErrors(parseKeyChanges, toKeyOptions(args), now);
      if (Object.keys(changes).length === 0)
        throw new CommandUsageError("Nothing to change. Add --label, --scopes, --expires-at or --monthly-limit.");
      const { accounts, usage } = await tables();
      const { account } = await readKeyRing(accounts, accountId);
      const earlier = await readEarlierUse(usage, { account, keyId }, now);
      const change = (ring: KeyRing) => withKeyChanges(ring, keyId, { changes, earlier });
      const ring = await auditedChange(
        await auditContext(context),
        () => ({ action: "key.changed", account_id: accountId, details: { key: keyId } }),
        (further) => updateKeyRing(accounts, accountId, change, further),
      );
      return keyResource(findKey(ring, keyId), await readKeyUse(usage, account, now), now);
    },
  },
  "keys revoke": {
    usage: "--account <id> --key <id>",
    run: async (args, context) => {
      const { tables, now } = context;
      const [accountId, keyId] = [parseIdArgument(args, "account"), parseIdArgument(args, "key")];
      const { accounts, usage } = await tables();
      const revokedAt = new Date(now).toISOString();
      const change = (current: KeyRing) => withRevokedKey(current, keyId, revokedAt);
      const ring = await auditedChange(
        await auditContext(context),
        () => ({ action: "key.revoked", account_id: accountId, details: { key: keyId } }),
        (further) => updateKeyRing(accounts, accountId, change, further),
      );
      return keyResource(findKey(ring, keyId), await readKeyUse(usage, ring.account, now), now);
    },
  },
  "keys rotate": {
    usage: "--account <id> --key <id> [--overlap <seconds>] [--link-grace-period <seconds>]",
    run: async (args, context) => {
      const { tables, now } = context;
      const [accountId, keyId] = [parseIdArgument(args, "account"), parseIdArgument(args, "key")];
      const { overlap, "link-grace-period": grace } = args;
      const options = {
        ...(overlap !== undefined && { overlap }),
        ...(grace !== undefined && { link_grace_period: grace }),
      };
      const { overlap: overlapSeconds, link_grace_period: linkGraceSeconds } = withUsageErrors(
        parseRotation,
        options,
        now,
      );
      const { accounts } = await tables();
      const ids = { account_id: accountId, id: keyId };
      const issued = await auditedChange(
        await auditContext(context),
        () => ({ action: "key.rotated", account_id: accountId, details: { key: keyId } }),
        (further) => rotateKey(accounts, ids, { now, overlapSeconds, linkGraceSeconds }, { further }),
      );
      return issuedKey(issued);
    },
  },
  "rotate-link-secret": {
    usage: "[--overlap <seconds>]",
    run: async ({ overlap = String(DEFAULT_LINK_OVERLAP_S) }, context) => {
      if (!/^\d{1,8}$/.test(overlap)) {
        throw new CommandUsageError(`--overlap must be a whole number of seconds, not '${overlap}'.`);
      }
      const { accounts } = await context.tables();
      const rotation = { now: context.now, overlapSeconds: Number(overlap) };
      const action = { action: "link_secret.rotated", details: { overlap_seconds: Number(overlap) } } as const;
      const secrets = await rotateLinkSecret(accounts, rotation, auditWrites(await auditContext(context), action));
      return secrets.map(({ signs_from, verifies_until }) => ({
        signs_from: signs_from === 0 ? null : new Date(signs_from).toISOString(), // the first secret has signed since ever
        verifies_until: verifies_until === undefined ? null : new Date(verifies_until).toISOString(),
      }));
    },
  },
  "trials pause": {
    usage: "[--until <timestamp>]",
    run: async ({ until: text }, context) => {
      const { tables, now } = context;
      const until = text === undefined ? endOfMonth(now) : Date.parse(parseFutureTime(text, "until", now));
      const paused_until = new Date(until).toISOString();
      const action = { action: "trials.paused", details: { until: paused_until } } as const;
      await pauseTrials((await tables()).usage, until, auditWrites(await auditContext(context), action));
      return { paused_until };
    },
  },
  "trials resume": {
    usage: "",
    run: async (_, context) => {
      const { usage } = await context.tables();
      await resumeTrials(usage, auditWrites(await auditContext(context), { action: "trials.resumed" }));
      return { paused_until: null };
    },
  },
  "trials show": {
    usage: "",
    run: async (_, { tables, now }) => {
      const until = await readTrialPause((await tables()).usage, now);
      return { paused_until: until === undefined ? null : new Date(until).toISOString() };
    },
  },
};

/** The commands of `npm run accounts`. */
export const accountCommands: CommandSet<CommandContext> = { script: "accounts", commands };

/** Parses why something is changed, for the audit log. */
function parseReasonArgument({ reason }: CommandArguments, now: number): ReasonOptions {
  return withUsageErrors(parseReason, reason === undefined ? {} : { reason }, now);
}

/** Where the entries of a command's changes go. */
async function auditContext({ tables, actor, now }: CommandContext): Promise<AuditContext> {
  return { activityTable: (await tables()).activity, actor, now };
}

function accountSummary({ id, plan, label, email, created_at, billed_from, requested_plan, suspension }: Account) {
  return { id, plan, label, email, created_at, billed_from, requested_plan, suspension: suspension ?? null };
}

function suspensionResources({ accounts, usage, webhooks }: AccountResources): SuspensionResources {
  return { ACCOUNTS_TABLE: accounts, USAGE_TABLE: usage, WEBHOOK_QUEUE_URL: webhooks };
}

function issuedKey({ apiKey, key }: IssuedKey) {
  return { api_key_id: apiKey.id, key, signing_secret: apiKey.signing_secret };
}
