// How many captures a second one cell takes, by the AWS quota that limits it, and what a capture costs. A cell is a stage in an AWS
// account of its own. A test compares docs/scale.md with these formulas.
import { CALLER_MEMORY_MB } from "../../infra/functions/rendering-props.ts";
import { type StageConfig, stageConfig } from "../../infra/stages.ts";
import { type BilledInvocation, costOf, total } from "./cost-model.ts";
import { prices } from "./prices.ts";

/** What one capture uses of each AWS service. */
export interface CaptureUse {
  /** Requests to API Gateway: the capture, and the link of a result that is not in the response. */
  readonly requests: number;
  readonly writeUnits: Readonly<Record<"Accounts" | "Usage" | "Activity", number>>;
  readonly readUnits: number;
  readonly s3Puts: number;
  readonly s3Gets: number;
  /** Messages that are sent to queues. Each takes three requests, because it is also received and deleted. */
  readonly messages: number;
  /** Executions of functions, with those of the renderer. */
  readonly invocations: number;
  /** Executions of the renderer, which has a function of its own in `prod`. */
  readonly renderings: number;
}

/** The use of each kind of capture. docs/scale.md has the date, the revision, and the method of the counts. */
export const captureUse = {
  synchronous: {
    requests: 1,
    writeUnits: { Accounts: 0, Usage: 9, Activity: 2 },
    readUnits: 3,
    s3Puts: 1,
    s3Gets: 0,
    messages: 0,
    invocations: 2,
    renderings: 1,
  },
  asynchronous: {
    requests: 2,
    writeUnits: { Accounts: 0, Usage: 11, Activity: 14 },
    readUnits: 8,
    s3Puts: 2,
    s3Gets: 1,
    messages: 2,
    invocations: 5,
    renderings: 1,
  },
  cached: {
    requests: 1,
    writeUnits: { Accounts: 0, Usage: 5, Activity: 2 },
    readUnits: 4,
    s3Puts: 0,
    s3Gets: 1,
    messages: 0,
    invocations: 1,
    renderings: 0,
  },
} satisfies Record<string, CaptureUse>;

/** Quotas of an AWS account in a region, each of something a second or at the same time. */
export interface AwsQuotas {
  readonly lambdaConcurrency: number;
  readonly apiRequests: number;
  /** Write units a second of a table on demand. */
  readonly tableWriteUnits: number;
  /** PUTs a second below one prefix of a bucket. */
  readonly s3PrefixPuts: number;
  /** Messages of a queue that are received and not deleted. */
  readonly messagesInFlight: number;
  /** Executions that one event source starts at the same time. */
  readonly eventSourceConcurrency: number;
}

/**
 * Those that an account has by default, once it is not new. Lambda's and API Gateway's are of the region, that of DynamoDB is of
 * each table.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
export const defaultQuotas: AwsQuotas = {
  lambdaConcurrency: 1_000,
  apiRequests: 10_000,
  tableWriteUnits: 40_000,
  s3PrefixPuts: 3_500,
  messagesInFlight: 120_000,
  eventSourceConcurrency: 1_000,
};

/** What a cell gets by asking, and by `jobConcurrency` above 1,000, whose pollers start ten executions each. */
export const raisedQuotas: AwsQuotas = { ...defaultQuotas, lambdaConcurrency: 5_000, eventSourceConcurrency: 5_000 };

/** A real page takes this long, in seconds. */
export const PAGE_SECONDS = 3;
/** Of an execution that renders nothing, in seconds: that of a capture from the cache in docs/benchmarks.md. */
const OTHER_SECONDS = 0.07;
const OTHER_MEMORY_MEGABYTES = 512;
/** What a caller of a separate renderer takes longer than it, in seconds: two thirds of what was measured here, in docs/decisions/0052. */
const HANDOVER_SECONDS = 0.012;
const { browserMemoryMb, renderMemoryMb, renderer } = stageConfig("prod");
/** Part of the executions that a cell keeps for bursts, retries, and what else its functions do. */
export const HEADROOM = 0.3;

/** How captures are made. */
export interface Making {
  /** As in the settings of a stage. */
  readonly renderer: StageConfig["renderer"];
  /** How long a page takes. */
  readonly pageSeconds: number;
}

const IN_PROD: Making = { renderer, pageSeconds: PAGE_SECONDS };

/** One engine, and the captures a second at which it ends. */
export interface Ceiling {
  readonly engine: string;
  readonly perSecond: number;
}

/** The ceiling of each engine for captures of a kind, the lowest first. */
export function ceilings(use: CaptureUse, quotas: AwsQuotas): Ceiling[] {
  const busiest = Math.max(...Object.values(use.writeUnits));
  const found: Ceiling[] = [
    {
      engine: "Lambda, concurrent executions",
      perSecond: ((1 - HEADROOM) * quotas.lambdaConcurrency) / executionSeconds(use),
    },
    { engine: "API Gateway, requests", perSecond: quotas.apiRequests / use.requests },
    { engine: "DynamoDB, write units of a table", perSecond: quotas.tableWriteUnits / busiest },
    ...(isRendered(use) ? [{ engine: "S3, PUTs below a prefix", perSecond: quotas.s3PrefixPuts }] : []),
    ...(isQueued(use)
      ? [
          { engine: "Lambda, executions of an event source", perSecond: quotas.eventSourceConcurrency / PAGE_SECONDS },
          { engine: "SQS, messages in flight", perSecond: quotas.messagesInFlight / PAGE_SECONDS },
        ]
      : []),
  ];
  return found.toSorted((one, other) => one.perSecond - other.perSecond);
}

/** Executions of functions for a capture: one renders the page, unless the result is in the cache, and one answers the caller. */
function executionsOf(use: CaptureUse, making: Making): BilledInvocation[] {
  const main = making.renderer === "separate" ? separateExecutions(use, making) : embeddedExecutions(use, making);
  const count = making.renderer === "separate" ? use.invocations : use.invocations - use.renderings;
  const others = Array.from({ length: count - main.length }, () => execution(OTHER_SECONDS, OTHER_MEMORY_MEGABYTES));
  return [...main, ...others];
}

/** The function that captures runs Chromium. */
function embeddedExecutions(use: CaptureUse, { pageSeconds }: Making): BilledInvocation[] {
  if (!isRendered(use)) return [execution(OTHER_SECONDS, browserMemoryMb)];
  if (!isQueued(use)) return [execution(pageSeconds, browserMemoryMb)];
  return [execution(pageSeconds, renderMemoryMb), execution(OTHER_SECONDS, browserMemoryMb)];
}

/** The function that captures waits for the renderer. */
function separateExecutions(use: CaptureUse, { pageSeconds }: Making): BilledInvocation[] {
  const waiting = execution(pageSeconds + HANDOVER_SECONDS, CALLER_MEMORY_MB);
  return isRendered(use) ? [execution(pageSeconds, browserMemoryMb), waiting] : [];
}

function execution(seconds: number, memoryMegabytes: number): BilledInvocation {
  const hasBrowser = memoryMegabytes > OTHER_MEMORY_MEGABYTES;
  return { milliseconds: 1_000 * seconds, memoryMegabytes, storageMegabytes: hasBrowser ? 2_048 : 512 };
}

const isRendered = ({ s3Puts }: CaptureUse) => s3Puts > 0;
const isQueued = ({ messages }: CaptureUse) => messages > 0;

/** Seconds of executions for each capture. */
export function executionSeconds(use: CaptureUse, making = IN_PROD): number {
  return executionsOf(use, making).reduce((sum, { milliseconds }) => sum + milliseconds / 1_000, 0);
}

/** US dollars of a capture without transfer, logs, and what is stored, at the list prices, with AWS WAF in front of the API. */
export function dollarsOf(use: CaptureUse, making = IN_PROD): number {
  return use.requests * prices.wafRequest + total(costsOf(use, making));
}

/** US dollars of Lambda and API Gateway alone. */
export function computeDollarsOf(use: CaptureUse, making = IN_PROD): number {
  const { Lambda, "API Gateway": gateway } = costsOf(use, making);
  return Lambda + gateway;
}

const costsOf = (use: CaptureUse, making: Making) =>
  costOf({
    invocations: executionsOf(use, making),
    answers: Array.from({ length: use.requests }, () => 1), // bytes
    readUnits: use.readUnits,
    writeUnits: Object.values(use.writeUnits).reduce((sum, each) => sum + each, 0),
    s3Puts: use.s3Puts,
    s3Gets: use.s3Gets,
    sqsRequests: 3 * use.messages,
    logBytes: 0,
    storedByteMonths: 0,
    keptByteMonths: 0,
    furtherBytesOut: 0,
  });

/**
 * Minutes for which an idle execution environment is assumed to stay. AWS states no time; measurements that others have published lie
 * between 5 and 45 minutes. A shorter time makes tenant isolation dearer.
 */
const IDLE_MINUTES = 10;

/**
 * Seconds that the start of the renderer is assumed to take, which Lambda bills, as it bills the caller that waits. Nothing was measured on
 * AWS: on a machine with two cores it takes 2 to 4.
 */
const START_SECONDS = 3;

/**
 * Part of an account's captures that find no idle environment of the account under Lambda's tenant isolation. The captures arrive
 * independently of one another (a Poisson process), `perHour` on average, and none overlaps with another one.
 */
export function coldShare(perHour: number): number {
  return Math.exp((-perHour * IDLE_MINUTES) / 60);
}

/** US dollars that tenant isolation adds to a capture, when a part of the captures starts an environment: the fee, and the seconds of the start. */
export function isolationDollars(share: number): number {
  const fee = (browserMemoryMb / 1024) * prices.tenantEnvironmentGigabyte;
  const start = ((browserMemoryMb + CALLER_MEMORY_MB) / 1024) * START_SECONDS * prices.lambdaGigabyteSecond;
  return share * (fee + start);
}
