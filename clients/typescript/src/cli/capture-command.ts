// `capture URL…`: captures pages, files, and standard input.
import { readFileSync } from "node:fs";
import { ScreenCapture } from "../client.ts";
import { RateLimitedError } from "../generated/error-classes.ts";
import type { CaptureOptions, OutputsOptions } from "../options.ts";
import { sleep } from "../retry-delay.ts";
import type { CallOptions } from "../transport.ts";
import { curlCommand } from "./curl-command.ts";
import { download } from "./download.ts";
import { combinedExitCode, type ExitCode, exitCode, exitCodes } from "./exit-code.ts";
import { withUniqueStems } from "./file-stems.ts";
import { type FlagOptions, type FlagValue, type FlagValues, flagName, toCaptureOptions } from "./flags.ts";
import { createInputs, type Input } from "./inputs.ts";
import { createWriter, formatOfOutput, requireNoSource, requireShowable, type Writer } from "./output.ts";
import { type OutputFile, type OutputRequest, splitOptions } from "./output-files.ts";
import { describeProblems, printFindings } from "./problems.ts";
import { type ProgressDisplay, startProgress } from "./progress.ts";
import { readSettings } from "./settings.ts";
import { storeFiles } from "./store-files.ts";
import { printFailure, printJson, printLine, printRetry, printWarning } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";
import { watchFiles } from "./watch.ts";

const MAX_CONCURRENCY = 50;
const DEFAULT_CONCURRENCY = 4;
/** A long list needs more windows of the rate limit than the retries of the client wait for. */
const MAX_RATE_LIMITED = 10;

interface Job {
  /** True if a result that looks wrong is a failure. */
  readonly failsOnProblem: boolean;
  readonly client: ScreenCapture;
  readonly options: Readonly<Record<string, FlagValue>>;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Paths of the files that the command has read, which it doesn't overwrite. */
  readonly sources: Set<string>;
  /** Several results of each page with their files; undefined for one result. */
  readonly outputs: readonly OutputFile[] | undefined;
  readonly write: Writer | undefined;
  readonly progress: ProgressDisplay;
  /** True if other captures follow or run at the same time. */
  readonly isList: boolean;
  readonly signal: AbortSignal;
}

/** Runs the command until `signal` aborts, and returns its exit code. */
export async function runCapture(
  positionals: readonly string[],
  values: FlagValues,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { url, html, markdown, response_type: responseType, ...given } = toCaptureOptions(values);
  const targets = (values["output"] ?? []) as readonly string[];
  const [output] = targets;
  const readStdin = () => readFileSync(0, "utf8");
  const lists = (values["input-file"] ?? []) as readonly string[];
  const urls = typeof url === "string" ? [...positionals, url] : positionals;
  const page = { root: captureText(values["root"]), isInlined: given["base_url"] === undefined };
  const inputs = withUniqueStems([
    ...createInputs(urls, { lists, source: given["source"], readStdin, page }),
    ...inlineInputs({ html, markdown }),
  ]);
  if (inputs.length === 0) throw new UsageError("Nothing to capture. Pass a URL or a file. See 'capture --help'.");

  if (given["async"] === true && output !== undefined) {
    throw new UsageError(
      "An asynchronous capture writes no file. Use 'capture jobs ID --wait --output FILE' for its result.",
    );
  }
  const isJson = values["json"] === true || responseType === "json";
  const sent = { ...given, ...(responseType !== undefined && !isJson && { response_type: responseType }) };
  if (targets.length > 1) requireSingle(inputs, sent);
  const { options, outputs } = targets.length > 1 ? splitOptions(targets, sent) : withFormat(sent, output);
  const settings = readSettings(captureText(values["api-url"]));
  if (values["curl"] === true) {
    const asked = outputs ? { ...options, outputs: JSON.stringify(outputs.map((each) => each.output)) } : options;
    const curl = { ...settings, output: outputs ? undefined : output };
    for (const input of inputs)
      printLine(formatCurl(input, { ...asked, ...(isJson && { response_type: "json" }) }, curl));
    return exitCodes.success;
  }

  const sources = new Set([...lists, ...inputs.flatMap(({ file }) => file ?? [])]);
  for (const { file, format } of outputs ?? [{ file: output, format: captureText(options["format"]) }]) {
    requireNoSource(file, { inputs, sources, format });
    if (responseType === undefined) requireShowable(file, format);
  }
  const concurrency = parseConcurrency(captureText(values["concurrency"]));
  const isQuiet = values["quiet"] === true;
  const job = (): Job => ({
    client: new ScreenCapture(clientSettings(settings)),
    failsOnProblem: values["fail-on-problem"] === true,
    options,
    outputs,
    isJson,
    isQuiet,
    sources,
    write: outputs || (isJson && output === undefined) ? undefined : createWriter(output, inputs.length, sources),
    progress: startProgress(inputs.length, { isQuiet }),
    isList: inputs.length > 1,
    signal,
  });
  if (values["watch"] !== true) return captureAll(inputs, job(), concurrency);
  const files = inputs.flatMap(({ file }) => file ?? []);
  if (files.length < inputs.length) throw new UsageError("--watch needs local files.");
  const used = new Map(inputs.map((input) => [input, [input.file ?? "", ...(input.read().files ?? [])]]));
  const watched = [...new Set([...used.values()].flat())];
  const { changes, close } = watchFiles(watched, signal); // before the first capture, so that no change is missed
  try {
    await captureAll(inputs, job(), concurrency);
    for await (const changed of changes) {
      const again = inputs.filter((input) => used.get(input)?.includes(changed));
      await captureAll(again, job(), concurrency);
    }
  } finally {
    close();
  }
  return exitCodes.interrupted;
}

export function clientSettings({ key, baseUrl }: { key: string | undefined; baseUrl: string }) {
  if (key === undefined) {
    throw new UsageError(`There is no API key for ${baseUrl}. Set SCREEN_CAPTURE_KEY, or run 'capture login'.`);
  }
  return { key, baseUrl };
}

/** Throws a `UsageError` for what a command with several `--output` can't do. */
function requireSingle(inputs: readonly Input[], sent: Readonly<Record<string, FlagValue | undefined>>): void {
  if (inputs.length > 1)
    throw new UsageError(
      "Several --output take one page. Run the command for each page, or pass one folder to --output.",
    );
  for (const option of ["validate", "response_type"]) {
    if (sent[option] === undefined) continue;
    throw new UsageError(`--${flagName(option)} is for a single result. Remove it, or pass one --output.`);
  }
}

/** The options with the format that the extension of the output stands for, unless they have one. */
function withFormat(given: FlagOptions, output: string | undefined): OutputRequest {
  const format = given["format"] ?? formatOfOutput(output);
  return { options: format === undefined ? given : { ...given, format } };
}

export function captureText(value: FlagValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function inlineInputs(sources: Readonly<Record<string, FlagValue | undefined>>): Input[] {
  return Object.entries(sources).flatMap(([option, value]) =>
    typeof value === "string"
      ? [{ name: `--${option}`, stem: "capture", read: () => ({ options: { [option]: value } }) }]
      : [],
  );
}

function parseConcurrency(value: string | undefined): number {
  if (value === undefined) return DEFAULT_CONCURRENCY;
  if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_CONCURRENCY) return Number(value);
  throw new UsageError(`--concurrency must be from 1 to ${MAX_CONCURRENCY}.`);
}

function formatCurl(
  input: Input,
  options: Readonly<Record<string, FlagValue>>,
  { baseUrl, output }: { baseUrl: string; output: string | undefined },
): string {
  const { options: source, files = [] } = input.read();
  if (files.length > 0) {
    printWarning(`${input.name}: the printed command doesn't send the files of the page: ${files.join(", ")}.`);
  }
  return curlCommand({ baseUrl, options: { ...source, ...options }, file: input.file, output });
}

/** Captures inputs, at most `concurrency` at the same time. */
async function captureAll(inputs: readonly Input[], job: Job, concurrency: number): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  const queue = inputs.values();
  const work = async () => {
    for (const input of queue) {
      codes.push(await captureInput(input, job));
      job.progress.advance(input.name);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, inputs.length) }, work));
  } finally {
    job.progress.end();
  }
  return combinedExitCode(codes);
}

/** Captures one input and reports its outcome. Throws only if the command was interrupted. */
async function captureInput(input: Input, job: Job): Promise<ExitCode> {
  try {
    const {
      print,
      hasProblems,
      code = exitCodes.success,
    } = await retryWhileRateLimited(() => captureAndWrite(input, job), job);
    job.progress.interrupt(print);
    if (code !== exitCodes.success) return code;
    return hasProblems && job.failsOnProblem ? exitCodes.problem : exitCodes.success;
  } catch (error) {
    job.signal.throwIfAborted();
    job.progress.interrupt(() => reportFailure(input, error as Error, job));
    return exitCode(error);
  }
}

/** Waits for the rate limit as often as a list needs it. That isn't part of the `timeout` of a capture, which hasn't started. */
async function retryWhileRateLimited<T>(work: () => Promise<T>, { isList, signal }: Job): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RateLimitedError) || !isList || attempt === MAX_RATE_LIMITED) throw error;
      await sleep((error.retryAfterS ?? 1) * 1000, signal);
    }
  }
}

/** The settings of the requests for an input: each retry is announced. */
function callOptions({ name }: Input, { progress, isQuiet, signal }: Job): CallOptions {
  return {
    signal,
    onRetry(retry) {
      if (!isQuiet) progress.interrupt(() => printRetry(name, retry));
      progress.enter(`Capturing (attempt ${retry.attempt} of ${retry.attempts})`);
    },
  };
}

interface Outcome {
  readonly print: () => void;
  readonly hasProblems: boolean;
  /** The exit code of the results that failed, of several. @default success */
  readonly code?: ExitCode;
}

async function captureAndWrite(input: Input, job: Job): Promise<Outcome> {
  const { options: source, files = [], warnings: lacking = [] } = input.read();
  for (const file of files) job.sources.add(file);
  for (const warning of lacking) job.progress.interrupt(() => printWarning(`${input.name}: ${warning}`));
  const sentMb = inlineMb(source);
  if (sentMb >= 1) job.progress.enter(`Sending ${Math.round(sentMb)} MB, and capturing`);
  const options = { ...job.options, ...source } as unknown as CaptureOptions & { async?: unknown; validate?: unknown };
  if (job.outputs) {
    const outputs = job.outputs.map(({ output }) => output);
    const call = callOptions(input, job);
    const stored = await storeFiles({ ...options, outputs } as unknown as OutputsOptions, job.outputs, {
      ...job,
      call,
    });
    return { ...stored, print: () => stored.print(input.name) };
  }
  const call = callOptions(input, job);
  if (options.validate === true) {
    const { validate: _, ...asked } = options;
    const validation = await job.client.validate(asked, call);
    return { print: () => printJson(validation), hasProblems: false };
  }
  if (options.async === true) {
    const accepted = await job.client.enqueue(options, call);
    return { print: () => (job.isJson ? printJson(accepted) : printLine(accepted.status_url)), hasProblems: false };
  }
  if (job.isJson) {
    const stored = await job.client.store(options, call);
    job.progress.enter("Downloading");
    const file = job.write?.({ bytes: await download(stored.url, job.signal), mimeType: stored.mime_type }, input.stem);
    const warnings = [...lacking, ...(stored.warnings ?? [])];
    const facts = { input: input.name, ...(file !== undefined && { file }), ...stored };
    const print = () => printJson(warnings.length > 0 ? { ...facts, warnings } : facts);
    return { print, hasProblems: stored.problems !== undefined };
  }
  const captured = await job.client.capture(options, call);
  const { bytes, mimeType, warnings } = captured;
  const file = job.write?.({ bytes, mimeType }, input.stem);
  const problems = await describeProblems(job.client, captured, job.signal);
  const print = () => {
    printFindings({ warnings, problems }, input.name);
    if (file !== undefined && !job.isQuiet) printLine(file);
  };
  return { print, hasProblems: problems.length > 0 };
}

/** Megabytes of a page that is sent with the request. `fetch` doesn't tell how many of them have left. */
function inlineMb({ html, markdown }: Readonly<Record<string, unknown>>): number {
  return [html, markdown].reduce<number>((sum, text) => sum + (typeof text === "string" ? text.length : 0), 0) / 1e6;
}

function reportFailure(input: Input, error: Error, { isJson }: Job): void {
  const { code, requestId } = error as { code?: unknown; requestId?: unknown };
  if (isJson)
    printJson({ input: input.name, error: error.message, code: code ?? error.name, request_id: requestId ?? null });
  printFailure(input.name, error);
}
