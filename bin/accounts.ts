// The operator's command: accounts and API keys, of the service on this machine or of a deployed stage.
import { parseArgs } from "node:util";
import { planNames, publicApiKey } from "../lib/accounts/account.ts";
import { getAccount, listApiKeys, revokeApiKey } from "../lib/accounts/account-store.ts";
import { addApiKey, type IssuedKey, openAccount } from "../lib/accounts/open-account.ts";
import { findAccountsTable } from "../lib/local/find-service.ts";

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
  const table = () => findAccountsTable({ stage: options.stage, dataDir: process.env.DATA_DIR ?? ".local" });
  const now = Date.now();
  switch (command) {
    case "create": {
      const plan = planNames.find((name) => name === options.plan);
      if (!plan) throw new UsageError(`--plan must be one of ${planNames.join(", ")}.`);
      const label = required(options.label, "--label");
      const { account, ...issued } = await openAccount(await table(), { plan, label, now });
      return { account_id: account.id, plan, ...shownOnce(issued) };
    }
    case "keys create": {
      const accountId = numeric(options.account, "--account");
      const label = required(options.label, "--label");
      const accounts = await table();
      await existing(accounts, accountId);
      return shownOnce(await addApiKey(accounts, { accountId, label, now }));
    }
    case "keys list": {
      const accountId = numeric(options.account, "--account");
      const accounts = await table();
      await existing(accounts, accountId);
      return (await listApiKeys(accounts, accountId)).map(publicApiKey);
    }
    case "keys revoke": {
      const [accountId, keyId] = [numeric(options.account, "--account"), numeric(options.key, "--key")];
      const revoked = await revokeApiKey(await table(), { accountId, keyId, revokedAt: new Date(now).toISOString() });
      if (!revoked) throw new Error(`Account ${accountId} has no key ${keyId}.`);
      return publicApiKey(revoked);
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

async function existing(table: string, accountId: number): Promise<void> {
  if (!(await getAccount(table, accountId))) throw new Error(`There is no account ${accountId}.`);
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
