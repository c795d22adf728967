// `capture jobs`: lists asynchronous captures, and shows, waits for, and downloads one of them.
import { ScreenCapture } from "../client.ts";
import { errorFromBody } from "../error-from.ts";
import type { CaptureState } from "../generated/types.ts";
import { captureText, clientSettings } from "./capture-command.ts";
import { download } from "./download.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import type { Flag, FlagValues } from "./flags.ts";
import { createWriter } from "./output.ts";
import { printFindings } from "./problems.ts";
import { readSettings } from "./settings.ts";
import { type StatusLine, withStatusLine } from "./status-line.ts";
import { printJson, printLine, table } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const DEFAULT_LIMIT = 25;

const statuses = ["queued", "processing", "success", "failed"] as const;

export const jobsFlags: readonly Flag[] = [
  { name: "wait", kind: "boolean", description: "Wait until the capture with this id has ended." },
  { name: "cancel", kind: "boolean", description: "Cancel the capture with this id, and wait until it has ended." },
  { name: "output", short: "o", kind: "text", value: "FILE", description: "Save the result with this id in a file." },
  { name: "status", kind: "text", values: statuses, description: "List only captures with this status." },
  {
    name: "limit",
    kind: "text",
    value: "NUMBER",
    description: `How many captures to list. Default: ${DEFAULT_LIMIT}.`,
  },
  { name: "quiet", short: "q", kind: "boolean", description: "Print no progress." },
  { name: "json", kind: "boolean", description: "Print JSON; of a list, one object on each line." },
];

export async function runJobs(
  [id, ...rest]: readonly string[],
  values: FlagValues,
  signal: AbortSignal,
): Promise<ExitCode> {
  if (rest.length > 0) throw new UsageError(`Unexpected argument ${rest[0]}.`);
  const client = new ScreenCapture(clientSettings(readSettings(captureText(values["api-url"]))));
  if (id === undefined) await list(client, values, signal);
  else if (values["cancel"] === true) await cancel(client, parseId(id), values, signal);
  else await show(client, parseId(id), values, signal);
  return exitCodes.success;
}

async function list(client: ScreenCapture, values: FlagValues, signal: AbortSignal): Promise<void> {
  if (values["wait"] === true || values["cancel"] === true || values["output"] !== undefined) {
    throw new UsageError("Pass the id of a capture. 'capture jobs' lists them.");
  }
  const limit = Number(values["limit"] ?? DEFAULT_LIMIT);
  if (!(Number.isSafeInteger(limit) && limit >= 1)) throw new UsageError("--limit must be a whole number from 1.");
  const status = captureText(values["status"]) as CaptureState["status"] | undefined;
  const found: CaptureState[] = [];
  for await (const job of client.jobs(status === undefined ? {} : { status }, { signal })) {
    found.push(job);
    if (found.length === limit) break;
  }
  if (values["json"] === true) for (const job of found) printJson(job);
  else printLine(table([["Id", "Status", "Requested", "Result"], ...found.map(row)]));
}

function row({ request_id, status, created_at, url, unavailable_reason, error }: CaptureState): string[] {
  return [String(request_id), status, created_at.slice(0, 19), error?.error ?? url ?? unavailable_reason ?? ""];
}

/** What the phases of a capture are called on the line of the progress. */
const phaseTexts: Readonly<Record<NonNullable<CaptureState["phase"]>, string>> = {
  browser: "Starting the browser",
  navigate: "Loading the page",
  settle: "Waiting for the page",
  capture: "Capturing",
  encode: "Encoding",
  store: "Storing",
};

/** What a capture does, as far as its status says. */
function statusText({ status, phase }: CaptureState): string {
  if (status === "queued") return "Waiting for its turn";
  return phase === undefined ? "Capturing" : phaseTexts[phase];
}

/** Says how the capture ended: a success that came before is billed. */
async function cancel(client: ScreenCapture, id: number, values: FlagValues, signal: AbortSignal): Promise<void> {
  const job = await withStatusLine("Cancelling", () => client.cancel(id, { signal }), isQuiet(values));
  if (values["json"] === true) return printJson(job);
  printLine(job.error?.error ?? "The capture had finished already, so it was billed. Its stored result was deleted.");
}

/** Throws the error of a capture that failed, so that it decides the exit code. */
async function show(client: ScreenCapture, id: number, values: FlagValues, signal: AbortSignal): Promise<void> {
  const output = captureText(values["output"]);
  const wait = (line: StatusLine) => client.wait(id, { signal, onStatus: (state) => line.enter(statusText(state)) });
  const job =
    values["wait"] === true
      ? await withStatusLine("Capturing", wait, isQuiet(values))
      : await client.get(id, { signal });
  if (values["json"] === true) printJson(job);
  if (job.error) throw errorFromBody(job.error);
  printFindings(job);
  if (output === undefined) {
    if (values["json"] !== true) printLine(job.url ?? job.unavailable_reason ?? job.status);
    return;
  }
  if (typeof job.url !== "string") {
    throw new UsageError(
      job.status === "success"
        ? `The result is ${job.unavailable_reason}.`
        : `The capture is ${job.status}. Add --wait.`,
    );
  }
  const { url } = job;
  const bytes = await withStatusLine("Downloading", () => download(url, signal), isQuiet(values));
  const file = createWriter(output, 1)({ bytes, mimeType: job.mime_type ?? "" }, String(id));
  if (file !== undefined && values["json"] !== true) printLine(file);
}

const isQuiet = (values: FlagValues) => ({ isQuiet: values["quiet"] === true });

function parseId(argument: string): number {
  if (/^\d+$/.test(argument) && Number.isSafeInteger(Number(argument))) return Number(argument);
  throw new UsageError(`${argument} isn't the id of a capture. 'capture jobs' lists them.`);
}
