// An instrumented service: records each call to an engine, each invocation and the log lines of its functions.
import { EventEmitter, once } from "node:events";
import { startWebhookReceiver, type WebhookReceiver } from "../../../test/fixtures/webhook-receiver.ts";
import { loadServiceDefinition } from "../local/assembly/service-definition.ts";
import { ACCOUNT_ID, REGION } from "../local/engines/client-options.ts";
import type { FunctionInvocation } from "../local/lambda/functions.ts";
import { type Captures, startCaptures, toConstructId } from "./captures.ts";
import { type Call, type EngineName, startCountingEngine } from "./counting-engine.ts";
import { type BenchSite, startBenchSite } from "./pages.ts";

export interface InstrumentedService {
  readonly captures: Captures;
  readonly site: BenchSite;
  readonly receiver: WebhookReceiver;
  /** How long the answers of the databases are held from now on, in milliseconds. */
  hold(held: Readonly<Record<EngineName, number>>): void;
  /** Does `work`, and waits until each of these functions, by the name of its construct, is done with an event. */
  measure<T>(functions: readonly string[], work: () => Promise<T>): Promise<Measured<T>>;
  close(): Promise<void>;
}

/** A function that has crashed is never done. */
const LONGEST_WATCH_MS = 120_000;

/** What happened while something was done. */
export interface Measured<T> {
  readonly outcome: T;
  readonly calls: readonly Call[];
  readonly invocations: readonly InstrumentedInvocation[];
  /** When the site was first requested a page, on the monotonic clock; undefined where it was not. */
  readonly visitedAt: number | undefined;
  readonly logLines: readonly string[];
}

export interface InstrumentedInvocation {
  /** Name of the function's construct. */
  readonly name: string;
  readonly milliseconds: number;
}

export interface WatchedServiceOptions {
  readonly project: string;
  readonly assembly: string;
  readonly dataDir: string;
  /** Laid over the variables of every function. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startInstrumentedService(options: WatchedServiceOptions): Promise<InstrumentedService> {
  await using started = new AsyncDisposableStack();
  const events = new EventEmitter<{ invocation: [] }>();
  let seen = nothingYet();

  const site = await startBenchSite(() => {
    seen.visitedAt ??= performance.now();
  });
  started.defer(() => site.close());
  const receiver = started.adopt(await startWebhookReceiver(), (each) => each.close());
  const counting = async (name: EngineName) =>
    started.adopt(await startCountingEngine(name, (call) => seen.calls.push(call)), (each) => each.close());
  const [dynamodb, s3, sqs] = [await counting("dynamodb"), await counting("s3"), await counting("sqs")];

  const queueUrls = await queueUrlsAt(sqs.endpoint, options.assembly);
  const captures = await startCaptures({
    ...options,
    allow: [new URL(site.origin).host, receiver.hostPort],
    environment: () => ({
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      ...queueUrls,
      ...options.environment,
    }),
    onLog: (source, line) => {
      if (source.startsWith("screen-capture-")) seen.logLines.push(line);
    },
    onInvocation: ({ logicalId, milliseconds }: FunctionInvocation) => {
      seen.invocations.push({ name: toConstructId(logicalId), milliseconds });
      events.emit("invocation");
    },
  });
  started.defer(() => captures.close());
  // To the engines themselves: a call that asks for its units no longer has the signature of its function.
  const { endpoints } = captures.service;
  dynamodb.leadTo(endpoints.dynamodb);
  s3.leadTo(endpoints.s3);
  sqs.leadTo(endpoints.sqs);
  const running = started.move();

  return {
    captures,
    site,
    receiver,
    hold(held) {
      dynamodb.hold(held.dynamodb);
      s3.hold(held.s3);
      sqs.hold(held.sqs);
    },
    async measure(functions, work) {
      seen = nothingYet();
      const outcome = await work();
      const isOver = () => functions.every((name) => seen.invocations.some((each) => each.name === name));
      const signal = AbortSignal.timeout(LONGEST_WATCH_MS);
      while (!isOver()) await once(events, "invocation", { signal });
      return { outcome, ...seen };
    },
    close: () => running.disposeAsync(),
  };
}

/** The variables that name queues: calls go to the address of their queue, regardless of SQS's endpoint. */
async function queueUrlsAt(sqsEndpoint: string, assembly: string): Promise<Record<string, string>> {
  const cloud = { region: REGION, accountId: ACCOUNT_ID, sqsEndpoint };
  const { functions } = await loadServiceDefinition({ assembly, cloud, baseUrl: "" });
  const variables = functions.flatMap(({ environment }) => Object.entries(environment));
  return Object.fromEntries(variables.filter(([name]) => name.endsWith("_QUEUE_URL")));
}

function nothingYet() {
  return {
    calls: [] as Call[],
    invocations: [] as InstrumentedInvocation[],
    visitedAt: undefined as number | undefined,
    logLines: [] as string[],
  };
}
