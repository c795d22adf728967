// The measured usage of a capture, plus the usage on AWS that cannot be measured here.
import { DEFAULT_LIFETIME_S, internalPrefixes } from "../../service/results/lifetime-class.ts";
import type { BilledInvocation, Consumption } from "./cost-model.ts";
import type { Call } from "./counting-engine.ts";
import type { FunctionSettings } from "./function-settings.ts";
import type { InstrumentedInvocation, Measured } from "./instrumented-service.ts";
import {
  headerBytes,
  type Kind,
  type MeasureContext,
  measureKind,
  type ReceivedResponse,
  receivedWebhooks,
} from "./kinds.ts";

/** Start and report of an event, in the JSON of Lambda's own lines. */
const LAMBDA_LOG_BYTES = 700;
/** Of API Gateway, for each request. */
const ACCESS_LOG_BYTES = 400;
/** CloudWatch counts this much more for each line. */
const LOG_LINE_BYTES = 26;

/** S3 sweeps at the midnight after the day is over. */
const SWEEPING_DAYS = 0.5;
const DAY_S = 24 * 60 * 60;
const MONTH_DAYS = 365 / 12;

/** The log of a small capture in its table (a test knows its size), and DynamoDB's index of it; counters are shared by many. */
const CAPTURE_LOG_BYTES = 300 + 100;
/** What the log says of a thumbnail. */
const THUMBNAIL_PLACE_BYTES = 85;

/** Lambda receives a message, and deletes it. */
const POLLS_OF_A_MESSAGE = 2;

export interface Observed {
  readonly consumption: Consumption;
  readonly invocations: readonly InstrumentedInvocation[];
}

export interface Accounting {
  readonly settingsOf: (construct: string) => FunctionSettings;
  /** For how long the capture's log is kept. */
  readonly retentionDays: number;
}

/** Takes a capture, fetches its result once where it is stored, and returns the resources that this used. */
export async function observe(kind: Kind, asking: MeasureContext, accounting: Accounting): Promise<Observed> {
  const capture = await measureKind(kind, asking);
  const address = await kind.storedAt?.(capture.outcome, asking);
  const webhooks = await receivedWebhooks(asking);
  const fetched = address === undefined ? undefined : await fetchResult(address, asking);
  const watched = [capture, ...(fetched ? [fetched] : [])];
  const invocations = watched.flatMap((each) => each.invocations);
  const answers = watched.map(({ outcome }) => outcome.bytes);
  const allCalls = watched.flatMap(({ calls }) => calls);
  const called = (...operations: string[]) => allCalls.filter(({ operation }) => operations.includes(operation)).length;
  const messages = called("SendMessage");
  const webhookBytes = webhooks.map(
    ({ headers, body }) => body.length + headerBytes(Object.entries(headers).map(asText)),
  );
  const resultBytes = fetched?.outcome.resultBytes ?? 0;
  const thumbnails = allCalls.filter(isThumbnailPut);
  const lines = watched.flatMap(({ logLines }) => logLines);
  return {
    invocations,
    consumption: {
      invocations: invocations.map((each): BilledInvocation => ({ ...each, ...accounting.settingsOf(each.name) })),
      answers,
      readUnits: sum(allCalls.map(({ readUnits }) => readUnits)),
      writeUnits: sum(allCalls.map(({ writeUnits }) => writeUnits)),
      s3Puts: called("PutObject", "UploadPart", "CreateMultipartUpload", "CompleteMultipartUpload"),
      s3Gets: called("GetObject", "HeadObject"),
      sqsRequests: countCalls(allCalls, "sqs") + messages * POLLS_OF_A_MESSAGE,
      logBytes:
        sum(lines.map((line) => Buffer.byteLength(line) + LOG_LINE_BYTES)) +
        invocations.length * LAMBDA_LOG_BYTES +
        answers.length * ACCESS_LOG_BYTES,
      storedByteMonths:
        byteMonths(resultBytes, DEFAULT_LIFETIME_S / DAY_S) +
        byteMonths(sum(thumbnails.map(({ sentBytes }) => sentBytes)), internalPrefixes.thumbnails.days),
      keptByteMonths:
        ((CAPTURE_LOG_BYTES + thumbnails.length * THUMBNAIL_PLACE_BYTES) * accounting.retentionDays) / MONTH_DAYS,
      furtherBytesOut: sum(webhookBytes),
    },
  };
}

/** By its link: the service answers with the bytes. */
async function fetchResult(
  address: string,
  { service }: MeasureContext,
): Promise<Measured<Pick<ReceivedResponse, "bytes"> & { readonly resultBytes: number }>> {
  return service.measure(["ApiFunction"], async () => {
    const result = await fetch(address, { redirect: "error" });
    if (!result.ok) throw new Error(`The result was answered by ${result.status}.`);
    const resultBytes = (await result.arrayBuffer()).byteLength;
    return { bytes: headerBytes(result.headers) + resultBytes, resultBytes };
  });
}

function byteMonths(bytes: number, days: number): number {
  return (bytes * (days + SWEEPING_DAYS)) / MONTH_DAYS;
}

function isThumbnailPut({ operation, path }: Call): boolean {
  return operation === "PutObject" && path.includes(`/${internalPrefixes.thumbnails.name}/`);
}

const countCalls = (calls: readonly Call[], engine: Call["engine"]) =>
  calls.filter((call) => call.engine === engine).length;

const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
