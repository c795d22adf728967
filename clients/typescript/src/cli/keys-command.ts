// `capture keys`: lists, creates, rotates, and revokes API keys.
import { ScreenCapture } from "../client.ts";
import type { IssuedKey, Key, NewKey } from "../generated/types.ts";
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
  { name: "json", kind: "boolean", description: "Print JSON." },
];

export const keysActions = ["list", "create", "rotate", "revoke"] as const;

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
    case "rotate":
      print(await keys.rotate(parseId(argument), call));
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
  return {
    label,
    ...(scope !== undefined && { scopes: scope as NonNullable<NewKey["scopes"]> }),
    ...(typeof expiresAt === "string" && { expires_at: expiresAt }),
    ...(values["test"] === true && { test: true }),
  };
}

function parseId(argument: string | undefined): number {
  const id = Number(argument);
  if (!Number.isSafeInteger(id)) throw new UsageError("Pass the id of a key. 'capture keys' lists them.");
  return id;
}

function printKeys(keys: readonly Key[] | Key | IssuedKey): void {
  const all = "id" in keys ? [keys] : keys;
  const rows = all.map(({ id, label, key_prefix, scopes, last_used_at, revoked_at }) => {
    const state = revoked_at ? `revoked ${revoked_at.slice(0, 10)}` : (last_used_at?.slice(0, 10) ?? "never");
    return [String(id), label, `${key_prefix}…`, scopes.join(","), state];
  });
  printLine(table([["Id", "Label", "Key", "Scopes", "Last used"], ...rows]));
  if (!("key" in keys)) return;
  printLine(`\nAPI key:        ${keys.key}\nSigning secret: ${keys.signing_secret}`);
  printWarning("They are shown only now.");
}
