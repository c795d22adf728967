// The cost of a capture for its operator: its usage times the list prices.
import { prices } from "./prices.ts";

/** An event that a function has dealt with. */
export interface BilledInvocation {
  readonly milliseconds: number;
  readonly memoryMegabytes: number;
  readonly storageMegabytes: number;
}

/** What one capture uses. */
export interface Consumption {
  readonly invocations: readonly BilledInvocation[];
  /** Sizes of the answers that API Gateway hands on, with their headers. */
  readonly answers: readonly number[];
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly s3Puts: number;
  readonly s3Gets: number;
  /** With those by which Lambda fetches messages and deletes them. */
  readonly sqsRequests: number;
  readonly logBytes: number;
  /** Of the result, while it is stored. */
  readonly storedByteMonths: number;
  /** Of the capture's log in the table. */
  readonly keptByteMonths: number;
  /** What goes out to the internet in addition to the answers, such as results from the bucket and webhooks. */
  readonly furtherBytesOut: number;
}

const components = ["Lambda", "API Gateway", "DynamoDB", "S3", "SQS", "logs", "transfer"] as const;
type Component = (typeof components)[number];

const FREE_STORAGE_MEGABYTES = 512;
const FREE_STREAMED_BYTES = 6 * 2 ** 20;
const GATEWAY_REQUEST_BYTES = 10 * 2 ** 20;

/** US dollars by what they are paid for. */
export function costOf(used: Consumption): Record<Component, number> {
  const bytesOut = sum(used.answers) + used.furtherBytesOut;
  return {
    Lambda: sum(used.invocations.map(invocationCost)) + sum(used.answers.map(streamingCost)),
    "API Gateway": sum(used.answers.map((bytes) => Math.ceil(bytes / GATEWAY_REQUEST_BYTES))) * prices.gatewayRequest,
    DynamoDB:
      used.readUnits * prices.dynamoReadUnit +
      used.writeUnits * prices.dynamoWriteUnit +
      used.keptByteMonths * prices.dynamoByteMonth,
    S3: used.s3Puts * prices.s3Put + used.s3Gets * prices.s3Get + used.storedByteMonths * prices.s3ByteMonth,
    SQS: used.sqsRequests * prices.sqsRequest,
    logs: used.logBytes * prices.logByte,
    transfer: bytesOut * prices.byteOut,
  };
}

/** Of an event, its request included; Lambda rounds up to the next millisecond. */
export function invocationCost(invocation: BilledInvocation): number {
  return prices.lambdaRequest + durationCost({ ...invocation, milliseconds: Math.ceil(invocation.milliseconds) });
}

/** Of a share of the time alone, as of starts that come once in many captures. */
export function durationCost({ milliseconds, memoryMegabytes, storageMegabytes }: BilledInvocation): number {
  const seconds = milliseconds / 1000;
  const storage = Math.max(0, storageMegabytes - FREE_STORAGE_MEGABYTES) / 1024;
  return (
    seconds * ((memoryMegabytes / 1024) * prices.lambdaGigabyteSecond + storage * prices.lambdaStorageGigabyteSecond)
  );
}

function streamingCost(bytes: number): number {
  return Math.max(0, bytes - FREE_STREAMED_BYTES) * prices.lambdaStreamedByte;
}

export const total = (cost: Readonly<Record<Component, number>>) => sum(Object.values(cost));

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
