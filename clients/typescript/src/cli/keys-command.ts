// `capture keys`: lists, creates, limits, rotates, and revokes API keys.
import { ScreenCapture } from "../client.ts";
import type { IssuedKey, Key, KeyRotation, NewKey } from "../generated/types.ts";
import { captureText, clientSettings } from "./capture-command.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import type { Flag, FlagValues } from "./flags.ts";
import { readSettings } from "./settings.ts";
import { printJson, printLine, printWarning, table } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

export const keysFlags: readonly Flag[] = [
  {
    name: "scope",
    kind: "list",
    values: ["capture", "usage", "keys"],
    description: "Scope of a new key. Repeat it for several. Default: capture and usage.",
  },
  {
    name: "expires-at",
    kind: "text",
    value: "TEXT",
    description: "When a new key expires, such as 2027-01-31T12:00:00Z.",
  },
  {
    name: "test",
    kind: "boolean",
    description: "Create a key for tests: its captures are free, carry a mark, and are few a day.",
  },
  {
    name: "overlap",
    kind: "text",
    value: "TEXT",
    description:
      "How long the old text of a rotated key keeps working, such as 90s, 1h, or 3d, at most 7d. Default: 0.",
  },
  {
    name: "monthly-limit",
    kind: "text",
    value: "NUMBER",
    description: "How many captures a month a new key can make, or a key with `limit`; `none` for no limit.",
  },
  { name: "json", kind: "boolean", description: "Print JSON." },
];

export const keysActions = ["list", "create", "limit", "rotate", "end-old", "revoke"] as const;

export async function runKeys(
  [action = "list", argument, ...rest]: readonly string[],
  values: FlagValues,
  signal: AbortSignal,
): Promise<ExitCode> {
  if (rest.length > 0) throw new UsageError(`Unexpected argument ${rest[0]}.`);
  const { keys } = new ScreenCapture(clientSettings(readSettings(captureText(values["api-url"]))));
  const call = { signal };
  const print = values["json"] === true ? printJson : printKeys;
  switch (action) {
    case "list":
      print(await keys.list(call));
      break;
    case "create":
      print(await keys.create(newKey(argument, values), call));
      break;
    case "limit":
      print(await keys.change(parseId(argument), { monthly_limit: requiredLimit(values) }, call));
      break;
    case "rotate":
      print(await keys.rotate(parseId(argument), { ...call, ...rotation(values) }));
      break;
    case "end-old":
      print(await keys.endPreviousTexts(parseId(argument), call));
      break;
    case "revoke":
      print(await keys.revoke(parseId(argument), call));
      break;
    default:
      throw new UsageError(`'capture keys ${action}' isn't a command. Use one of ${keysActions.join(", ")}.`);
  }
  return exitCodes.success;
}

function newKey(label: string | undefined, values: FlagValues): NewKey {
  if (label === undefined) throw new UsageError("Pass a label: capture keys create Website");
  const { scope, "expires-at": expiresAt } = values;
  const monthly_limit = parseLimit(values);
  return {
    label,
    ...(scope !== undefined && { scopes: scope as NonNullable<NewKey["scopes"]> }),
    ...(typeof expiresAt === "string" && { expires_at: expiresAt }),
    ...(monthly_limit !== undefined && { monthly_limit }),
    ...(values["test"] === true && { test: true }),
  };
}

function requiredLimit(values: FlagValues): number | null {
  const limit = parseLimit(values);
  if (limit === undefined) throw new UsageError("Pass the limit: capture keys limit ID --monthly-limit 1000");
  return limit;
}

/** The limit of the flag; null for no limit, undefined without the flag. */
function parseLimit({ "monthly-limit": text }: FlagValues): number | null | undefined {
  if (typeof text !== "string") return undefined;
  if (text === "none") return null;
  if (!/^\d{1,10}$/.test(text))
    throw new UsageError(`--monthly-limit must be a number of captures or none, not ${text}.`);
  return Number(text);
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

function rotation({ overlap }: FlagValues): KeyRotation {
  if (typeof overlap !== "string") return {};
  const [, count, unit = ""] = /^(\d{1,6})([smhd]?)$/.exec(overlap) ?? [];
  if (count === undefined) throw new UsageError(`--overlap must be a duration such as 90s, 1h, or 3d, not ${overlap}.`);
  return { overlap: Number(count) * (UNIT_SECONDS[unit] ?? 1) };
}

function parseId(argument: string | undefined): number {
  const id = Number(argument);
  if (!Number.isSafeInteger(id)) throw new UsageError("Pass the id of a key. 'capture keys' lists them.");
  return id;
}

function printKeys(keys: readonly Key[] | Key | IssuedKey): void {
  const all = "id" in keys ? [keys] : keys;
  const rows = all.map(({ id, label, key_prefix, scopes, monthly_limit, monthly_used, last_used_at, revoked_at }) => {
    const state = revoked_at ? `revoked ${revoked_at.slice(0, 10)}` : (last_used_at?.slice(0, 10) ?? "never");
    const use = monthly_limit === null ? String(monthly_used) : `${monthly_used} of ${monthly_limit}`;
    return [String(id), label, `${key_prefix}…`, scopes.join(","), use, state];
  });
  printLine(table([["Id", "Label", "Key", "Scopes", "This month", "Last used"], ...rows]));
  for (const { label, previous_texts } of all) {
    for (const { key_prefix, ends_at } of previous_texts) {
      printLine(`The old text ${key_prefix}… of ${label} works until ${ends_at}.`);
    }
  }
  if (!("key" in keys)) return;
  printLine(`\nAPI key:        ${keys.key}\nSigning secret: ${keys.signing_secret}`);
  printWarning("They are shown only now.");
}
