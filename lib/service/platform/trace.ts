// X-Ray subsegments: what a traced function spends its time on, sent to Lambda's X-Ray daemon as a datagram. AWS's own SDK is in
// maintenance, and its 123 KB would be loaded by each cold start for this one document.
// https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html
// https://docs.aws.amazon.com/xray/latest/devguide/xray-api-sendingdata.html
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { optionalVariable } from "./environment.ts";

/** A piece of work, in milliseconds of `performance.now()`. */
export interface Interval {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface TracedWork extends Interval {
  /** By these, traces are searched. */
  readonly annotations: Readonly<Record<string, string | number | boolean>>;
  /** `error` for what a caller or a page has done wrong, `fault` for the service. */
  readonly failure: "error" | "fault" | undefined;
  readonly parts: readonly Interval[];
}

const HEADER = '{"format": "json", "version": 1}\n';

/** Sends the work as a subsegment of the invocation's trace. Does nothing for an invocation that X-Ray doesn't sample. */
export function traceWork({ annotations, failure, parts, ...work }: TracedWork): void {
  const trace = readTrace(optionalVariable("_X_AMZN_TRACE_ID"));
  const [host, port] = optionalVariable("AWS_XRAY_DAEMON_ADDRESS")?.split(":") ?? [];
  if (!trace || !host || !port) return;
  const document = {
    ...toSubsegment(work),
    type: "subsegment",
    trace_id: trace.root,
    parent_id: trace.parent,
    annotations,
    ...(failure && { [failure]: true }),
    subsegments: parts.map(toSubsegment),
  };
  const socket = createSocket("udp4");
  socket.on("error", () => undefined); // a trace that is lost must not end a capture
  socket.send(HEADER + JSON.stringify(document), Number(port), host, () => socket.close());
}

function toSubsegment({ name, startedAt, endedAt }: Interval) {
  return { id: randomBytes(8).toString("hex"), name, start_time: toEpoch(startedAt), end_time: toEpoch(endedAt) };
}

/** Seconds since 1970. */
function toEpoch(milliseconds: number): number {
  return (performance.timeOrigin + milliseconds) / 1000;
}

/** The trace of a header such as `Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1`. */
function readTrace(header = ""): { readonly root: string; readonly parent: string } | undefined {
  const {
    Root: root,
    Parent: parent,
    Sampled,
  } = Object.fromEntries(header.split(";").map((field) => field.split("=")));
  return root && parent && Sampled === "1" ? { root, parent } : undefined;
}
