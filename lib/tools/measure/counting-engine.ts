// A proxy in front of a local engine that records each call, its time and its billed units.
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { type EngineProxy, startEngineProxy } from "../local/engines/engine-proxy.ts";

export type EngineName = "dynamodb" | "s3" | "sqs";

/** A call of a function to a database or queue. Times are on the monotonic clock of this process. */
export interface Call {
  readonly engine: EngineName;
  /** As AWS calls it, such as `PutItem`. */
  readonly operation: string;
  /** The path of the request, and the bytes of its body. */
  readonly path: string;
  readonly sentBytes: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** What DynamoDB charges for, as the engine reports it. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The tables that the units are of, with their shares. A transaction can have several. */
  readonly unitsByTable: Readonly<Record<string, number>>;
}

export interface CountingEngine extends EngineProxy {
  /** From now on every answer is held for so long: as one that comes from elsewhere, and so that parallel calls overlap. */
  hold(milliseconds: number): void;
}

export async function startCountingEngine(engine: EngineName, onCall: (call: Call) => void): Promise<CountingEngine> {
  let heldMs = 0;
  const proxy = await startEngineProxy(async (incoming, answer, forward) => {
    const startedAt = performance.now();
    const operation = operationOf(engine, incoming);
    const body = await buffer(incoming);
    const sent = engine === "dynamodb" ? askingForUnits(body) : body;
    const onward = forward({
      method: incoming.method,
      url: incoming.url,
      headers: { ...incoming.headers, "content-length": String(sent.length) },
    });
    onward.end(sent);
    const [answered] = (await once(onward, "response")) as [IncomingMessage];
    const answerBody = await buffer(answered);
    if (heldMs > 0) await setTimeout(heldMs);
    const unitsByTable = engine === "dynamodb" ? consumedUnits(answerBody) : {};
    const units = Object.values(unitsByTable).reduce((sum, each) => sum + each, 0);
    const isRead = /^(Get|Query|BatchGet|Scan|TransactGet)/.test(operation);
    const charged = { readUnits: isRead ? units : 0, writeUnits: isRead ? 0 : units, unitsByTable };
    const { pathname: path } = new URL(incoming.url ?? "/", "http://engine");
    onCall({ engine, operation, path, sentBytes: body.length, startedAt, endedAt: performance.now(), ...charged });
    answer.writeHead(answered.statusCode ?? 502, answered.headers).end(answerBody);
  });
  const hold = (milliseconds: number) => {
    heldMs = milliseconds;
  };
  return { ...proxy, hold };
}

/** The name of a request's operation: DynamoDB and SQS say it in a header, S3 by method and query. */
export function operationOf(
  engine: EngineName,
  { method = "GET", url = "/", headers }: Pick<IncomingMessage, "method" | "url"> & { headers: IncomingHttpHeaders },
): string {
  if (engine !== "s3") return String(headers["x-amz-target"] ?? method).replace(/^.*\./, "");
  const { searchParams } = new URL(url, "http://s3");
  if (searchParams.has("uploads")) return "CreateMultipartUpload";
  if (searchParams.has("uploadId")) return multipart[method] ?? method;
  return objects[method] ?? method;
}

const objects: Readonly<Record<string, string>> = {
  DELETE: "DeleteObject",
  GET: "GetObject",
  HEAD: "HeadObject",
  PUT: "PutObject",
};

const multipart: Readonly<Record<string, string>> = {
  DELETE: "AbortMultipartUpload",
  POST: "CompleteMultipartUpload",
  PUT: "UploadPart",
};

function askingForUnits(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: "TOTAL" }));
}

/** A transaction has one figure for each table. What is refused has none, though AWS charges for it: at least one. */
function consumedUnits(answer: Buffer): Record<string, number> {
  const { ConsumedCapacity } = JSON.parse(answer.toString()) as { ConsumedCapacity?: Consumed | readonly Consumed[] };
  const units: Record<string, number> = {};
  for (const { TableName = UNKNOWN_TABLE, CapacityUnits } of [ConsumedCapacity ?? { CapacityUnits: 1 }].flat()) {
    units[TableName] = (units[TableName] ?? 0) + CapacityUnits;
  }
  return units;
}

const UNKNOWN_TABLE = "unknown";

interface Consumed {
  readonly TableName?: string;
  readonly CapacityUnits: number;
}
