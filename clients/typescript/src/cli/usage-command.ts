// `capture usage`: the plan, the quotas, and the captures of the last days.
import { ScreenCapture } from "../client.ts";
import { blames } from "../generated/command-line.ts";
import type { Account, ErrorCode, Quota } from "../generated/types.ts";
import { captureText, clientSettings } from "./capture-command.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import type { Flag, FlagValues } from "./flags.ts";
import { readSettings } from "./settings.ts";
import { printJson, printLine, table } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

export const usageFlags: readonly Flag[] = [
  { name: "days", kind: "text", value: "NUMBER", description: "Number of days up to today. Default: 7." },
  { name: "captures", kind: "boolean", description: "List the captures of these days, newest first." },
  { name: "status", kind: "text", values: ["success", "failed"], description: "Only captures with this status." },
  {
    name: "error-code",
    kind: "text",
    values: Object.keys(blames),
    description: "With --captures: only captures that failed with this error code.",
  },
  { name: "json", kind: "boolean", description: "Print JSON; with --captures, one object on each line." },
];

export async function runUsage(values: FlagValues, signal: AbortSignal): Promise<ExitCode> {
  const days = Number(values["days"] ?? 7);
  if (!(Number.isInteger(days) && days >= 1)) throw new UsageError("--days must be a whole number from 1.");
  const client = new ScreenCapture(clientSettings(readSettings(captureText(values["api-url"]))));
  const isJson = values["json"] === true;
  const status = values["status"] as "success" | "failed" | undefined;
  const filter = status === undefined ? {} : { status };
  const error_code = values["error-code"] as ErrorCode | undefined;
  if (error_code !== undefined && values["captures"] !== true) throw new UsageError("--error-code needs --captures.");
  if (values["captures"] === true) {
    const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
    const captures =
      error_code === undefined
        ? client.captures({ ...filter, from }, { signal })
        : client.search({ ...filter, from, error_code }, { signal });
    for await (const log of captures) {
      const { created_at, response_time_ms, url, error_message } = log;
      const line = `${created_at.slice(0, 19)}  ${log.status.padEnd(7)}  ${response_time_ms} ms  ${log.format}  ${url}`;
      if (isJson) printJson(log);
      else printLine(error_message === null ? line : `${line}  ${error_message}`);
    }
    return exitCodes.success;
  }
  const account = await client.account({ signal });
  const series = [];
  for await (const day of client.usage({ ...filter, days }, { signal })) series.push(day);
  if (isJson) {
    printJson({ account, days: series });
    return exitCodes.success;
  }
  printLine(accountLines(account));
  const rows = series.map(({ date, success, failed, avg_ms }) => [date, success, failed, avg_ms]);
  printLine(`\n${table([["Day       ", "Success", "Failed", "Average ms"], ...rows])}`);
  return exitCodes.success;
}

function accountLines({ plan, trial, billing_period: { start, end }, quotas, currency, total }: Account): string {
  const used = Object.entries(quotas as Readonly<Record<string, Quota>>).map(
    ([name, quota]) => `${name}: ${quota.used} of ${quota.limit} used`,
  );
  const period =
    trial === null
      ? `period ${start.slice(0, 10)} to ${end.slice(0, 10)}`
      : `trial until ${trial.ends_at.slice(0, 10)}`;
  return [`Plan ${plan}, ${period}, ${total} ${currency.toUpperCase()}`, ...used].join("\n");
}
