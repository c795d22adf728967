// A proxy in front of a local engine that injects faults: errors, throttling, closed connections, lost responses.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type EngineProxy, startEngineProxy } from "../../local/engines/engine-proxy.ts";

/**
 * - `error`, `throttled`: refused without an effect
 * - `unreachable`: the connection ends before the database has seen the call
 * - `lost`: the call has its effect, and its answer never arrives
 */
export type InjectedFault = "error" | "throttled" | "unreachable" | "lost";
const faults: readonly InjectedFault[] = ["error", "throttled", "unreachable", "lost"];

export interface FaultyEngine extends Pick<EngineProxy, "endpoint" | "close"> {
  /** How often each fault has happened. */
  readonly counts: Readonly<Record<InjectedFault, number>>;
  readonly calls: number;
  /** From now on calls go to `endpoint`; `share` of them, from 0 to 1, fail. */
  failCalls(endpoint: string, share: number): void;
  /** From now on every call is answered. */
  calm(): void;
}

export interface FaultyEngineOptions {
  readonly kind: "dynamodb" | "s3";
  /** A number from 0 up to 1. */
  random(): number;
}

export async function startFaultyEngine({ kind, random }: FaultyEngineOptions): Promise<FaultyEngine> {
  const counts: Record<InjectedFault, number> = { error: 0, throttled: 0, unreachable: 0, lost: 0 };
  let calls = 0;
  let share = 0;
  const { endpoint, leadTo, close } = await startEngineProxy((call, answer, forward) => {
    calls++;
    const fault = random() < share ? faults[Math.floor(random() * faults.length)] : undefined;
    if (fault) counts[fault]++;
    if (fault === "unreachable") return void call.socket.destroy();
    if (fault === "error" || fault === "throttled") return refuse(call, answer, refusals[kind][fault]);
    const disconnect = () => void call.socket.destroy();
    const onward = forward(call).once("error", disconnect);
    onward.once("response", (answered) => {
      if (fault === "lost") return void answered.resume().once("end", disconnect);
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    call.pipe(onward);
  });
  return {
    endpoint,
    counts,
    get calls() {
      return calls;
    },
    failCalls(upstream, newShare) {
      leadTo(upstream);
      share = newShare;
    },
    calm() {
      share = 0;
    },
    close,
  };
}

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const amazonJson = (status: number, name: string): Refusal => ({
  status,
  type: "application/x-amz-json-1.0",
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: "It was made to fail." }),
});
const amazonXml = (status: number, code: string): Refusal => ({
  status,
  type: "application/xml",
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>It was made to fail.</Message></Error>`,
});

const refusals = {
  dynamodb: {
    error: amazonJson(500, "InternalServerError"),
    throttled: amazonJson(400, "ProvisionedThroughputExceededException"),
  },
  s3: { error: amazonXml(500, "InternalError"), throttled: amazonXml(503, "SlowDown") },
} as const;

/** The call is read to its end, or the caller would still be sending when the answer comes. */
function refuse(call: IncomingMessage, answer: ServerResponse, { status, type, body }: Refusal): void {
  call.resume().once("end", () => answer.writeHead(status, { "content-type": type }).end(body));
}
