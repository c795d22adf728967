// A proxy in front of a local engine that records each call, its time and its billed units.
import { once } from "node:events";
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { listen, stopListening } from "../local/loopback.ts";

export type EngineName = "dynamodb" | "s3" | "sqs";

/** A call of a function to a database or queue. Times are on the monotonic clock of this process. */
export interface Call {
  readonly engine: EngineName;
  /** As AWS calls it, such as `PutItem`. */
  readonly operation: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** What DynamoDB charges for, as the engine reports it. */
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface CountingEngine {
  /** Where callers find it, without a trailing slash. */
  readonly endpoint: string;
  /** From now on calls go to `endpoint`. */
  leadTo(endpoint: string): void;
  /** From now on every answer is held for so long: as one that comes from elsewhere, and so that parallel calls overlap. */
  hold(milliseconds: number): void;
  close(): Promise<void>;
}

export async function startCountingEngine(engine: EngineName, onCall: (call: Call) => void): Promise<CountingEngine> {
  const agent = new Agent({ keepAlive: true });
  let upstream = new URL("http://127.0.0.1:9");
  let heldMs = 0;

  const server = createServer(async (incoming, answer) => {
    const startedAt = performance.now();
    const operation = operationOf(engine, incoming);
    const body = await buffer(incoming);
    const sent = engine === "dynamodb" ? askingForUnits(body) : body;
    const headers = { ...incoming.headers, "content-length": String(sent.length) };
    const { method = "GET", url: path = "/" } = incoming;
    const onward = request({ agent, hostname: upstream.hostname, port: upstream.port, method, path, headers });
    onward.end(sent);
    const [answered] = (await once(onward, "response")) as [IncomingMessage];
    const answerBody = await buffer(answered);
    if (heldMs > 0) await setTimeout(heldMs);
    const units = engine === "dynamodb" ? consumedUnits(answerBody) : 0;
    const isRead = /^(Get|Query|BatchGet|Scan|TransactGet)/.test(operation);
    const charged = { readUnits: isRead ? units : 0, writeUnits: isRead ? 0 : units };
    onCall({ engine, operation, startedAt: startedAt, endedAt: performance.now(), ...charged });
    answer.writeHead(answered.statusCode ?? 502, answered.headers).end(answerBody);
  });
  const address = await listen(server);
  return {
    endpoint: `http://${address}`,
    leadTo(endpoint) {
      upstream = new URL(endpoint);
    },
    hold(milliseconds) {
      heldMs = milliseconds;
    },
    async close() {
      await stopListening(server);
      agent.destroy();
    },
  };
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
function consumedUnits(answer: Buffer): number {
  const { ConsumedCapacity } = JSON.parse(answer.toString()) as { ConsumedCapacity?: Consumed | readonly Consumed[] };
  if (ConsumedCapacity === undefined) return 1;
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}

interface Consumed {
  readonly CapacityUnits: number;
}
