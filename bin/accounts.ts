// The operator's command: accounts and API keys, of the service on this machine or of a deployed stage.
import { parseArgs } from "node:util";
import { readKeyRing, updateKeyRing } from "../lib/accounts/account-store.ts";
import { type IssuedKey, issueKey } from "../lib/accounts/issue-key.ts";
import { keyResource } from "../lib/accounts/key-resource.ts";
import { keyOf, lastKey, withKey, withRevokedKey } from "../lib/accounts/key-ring.ts";
import { openAccount } from "../lib/accounts/open-account.ts";
import { queryLastUses } from "../lib/accounts/rate-limit-store.ts";
import { planNames } from "../lib/contract/plans.ts";
import { scopes } from "../lib/contract/scopes.ts";
import { findTables } from "../lib/local/find-service.ts";

const USAGE = `Usage:
  npm run accounts -- create --plan <${planNames.join("|")}> --label <text>
  npm run accounts -- keys create --account <id> --label <text>
  npm run accounts -- keys list --account <id>
  npm run accounts -- keys revoke --account <id> --key <id>

Works on the service that \`npm start\` runs (DATA_DIR, default .local), or on a deployed stage with --stage <name>.`;

/** A mistake of the person at the keyboard: one sentence, no stack. */
class UsageError extends Error {}

try {
  console.log(JSON.stringify(await run(process.argv.slice(2))));
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : (error as Error).message);
  process.exitCode = 1;
}

async function run(args: string[]): Promise<unknown> {
  const { command, options } = read(args);
  const tables = () => findTables({ stage: options.stage, dataDir: process.env.DATA_DIR ?? ".local" });
  const now = Date.now();
  switch (command) {
    case "create": {
      const plan = planNames.find((name) => name === options.plan);
      if (!plan) throw new UsageError(`--plan must be one of ${planNames.join(", ")}.`);
      const label = required(options.label, "--label");
      const { ring, ...issued } = await openAccount((await tables()).accounts, { plan, label, now });
      return { account_id: ring.account.id, plan, ...shownOnce(issued) };
    }
    case "keys create": {
      const accountId = numeric(options.account, "--account");
      const label = required(options.label, "--label");
      const { key, apiKey } = issueKey({ account_id: accountId, label, scopes: [...scopes], expires_at: null }, now);
      const ring = await updateKeyRing((await tables()).accounts, accountId, (current) => withKey(current, apiKey));
      return shownOnce({ key, apiKey: lastKey(ring) });
    }
    case "keys list": {
      const accountId = numeric(options.account, "--account");
      const { accounts, usage } = await tables();
      const lastUses = await queryLastUses(usage, accountId);
      return (await readKeyRing(accounts, accountId)).keys.map((key) => keyResource(key, lastUses));
    }
    case "keys revoke": {
      const [accountId, keyId] = [numeric(options.account, "--account"), numeric(options.key, "--key")];
      const { accounts, usage } = await tables();
      const revokedAt = new Date(now).toISOString();
      const ring = await updateKeyRing(accounts, accountId, (current) => withRevokedKey(current, keyId, revokedAt));
      return keyResource(keyOf(ring, keyId), await queryLastUses(usage, accountId));
    }
    default:
      throw new UsageError(command === "" ? "A command is missing." : `There is no command '${command}'.`);
  }
}

function read(args: string[]) {
  const text = { type: "string" } as const;
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { plan: text, label: text, account: text, key: text, stage: text },
    });
    return { command: positionals.join(" "), options: values };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function shownOnce({ apiKey, key }: IssuedKey) {
  return { api_key_id: apiKey.id, key, signing_secret: apiKey.signing_secret };
}

function required(value: string | undefined, name: string): string {
  if (value?.trim()) return value;
  throw new UsageError(`${name} is missing.`);
}

function numeric(value: string | undefined, name: string): number {
  const number = Number(required(value, name));
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new UsageError(`${name} must be the number of an ${name.slice(2)}, not '${value}'.`);
}
