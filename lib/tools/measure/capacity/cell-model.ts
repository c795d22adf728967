// How many captures a second one cell takes, by the engine that ends it, and what a rate needs and costs. A cell is a stage in an
// AWS account of its own.
import { stageConfig } from "../../../infra/stages.ts";
import { type BilledInvocation, costOf, total } from "../cost-model.ts";
import { prices } from "../prices.ts";
import type { CaptureUse } from "./capture-use.ts";

/** Quotas of an AWS account in a region, each of something a second or at the same time. */
export interface Quotas {
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
export const defaultQuotas: Quotas = {
  lambdaConcurrency: 1_000,
  apiRequests: 10_000,
  tableWriteUnits: 40_000,
  s3PrefixPuts: 3_500,
  messagesInFlight: 120_000,
  eventSourceConcurrency: 1_000,
};

/** What a cell gets by asking, and by `jobConcurrency` above 1,000, whose pollers start ten executions each. */
export const raisedQuotas: Quotas = { ...defaultQuotas, lambdaConcurrency: 5_000, eventSourceConcurrency: 5_000 };

/** A real page takes this long, in seconds. */
export const PAGE_SECONDS = 3;
/** Of an execution that renders nothing, in seconds: that of a capture from the cache in docs/benchmarks.md. */
const OTHER_SECONDS = 0.07;
const OTHER_MEMORY_MEGABYTES = 512;
const { browserMemoryMb, renderMemoryMb } = stageConfig("prod");
/** Part of the executions that a cell keeps for bursts, retries, and what else its functions do. */
export const HEADROOM = 0.3;

/** One engine, and the captures a second at which it ends. */
export interface Ceiling {
  readonly engine: string;
  readonly perSecond: number;
}

/** The ceiling of each engine for captures of a kind, the lowest first. */
export function ceilings(use: CaptureUse, quotas: Quotas): Ceiling[] {
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
function executionsOf(use: CaptureUse): BilledInvocation[] {
  const execution = (seconds: number, memoryMegabytes: number) => ({
    milliseconds: 1_000 * seconds,
    memoryMegabytes,
    storageMegabytes: memoryMegabytes === OTHER_MEMORY_MEGABYTES ? 512 : 2_048,
  });
  const main = [
    ...(isRendered(use) ? [execution(PAGE_SECONDS, isQueued(use) ? renderMemoryMb : browserMemoryMb)] : []),
    ...(isRendered(use) && !isQueued(use) ? [] : [execution(OTHER_SECONDS, browserMemoryMb)]),
  ];
  const others = Array.from({ length: use.invocations - main.length }, () =>
    execution(OTHER_SECONDS, OTHER_MEMORY_MEGABYTES),
  );
  return [...main, ...others];
}

const isRendered = ({ s3Puts }: CaptureUse) => s3Puts > 0;
const isQueued = ({ messages }: CaptureUse) => messages > 0;

/** Seconds of executions for each capture. */
export function executionSeconds(use: CaptureUse): number {
  return executionsOf(use).reduce((sum, { milliseconds }) => sum + milliseconds / 1_000, 0);
}

/** US dollars of a capture without transfer, logs, and what is stored, at the list prices, with AWS WAF in front of the API. */
export function dollarsOf(use: CaptureUse): number {
  const firewall = use.requests * prices.wafRequest;
  return (
    firewall +
    total(
      costOf({
        invocations: executionsOf(use),
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
      }),
    )
  );
}
