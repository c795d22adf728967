// A service on loopback that gives one answer after the other, for tests of what a client sends and how it repeats.
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";

export interface ReceivedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON of the body; an empty object without one. */
  readonly body: Readonly<Record<string, unknown>>;
  /** When it came, in milliseconds of the monotonic clock. */
  readonly at: number;
}

/** Status 0 closes the connection without a response; a body is JSON unless it is a text. */
export type ScriptedAnswer = readonly [
  status: number,
  body: object | string,
  headers?: Readonly<Record<string, string>>,
];

/** Starts a service for this test that gives the answers in turn, the last one for ever, and keeps what it received. */
export async function startScriptedService(...answers: readonly ScriptedAnswer[]) {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const at = performance.now();
    const body = JSON.parse((await text(request)) || "{}");
    received.push({ method, path, headers, body, at });
    const [status, answer, more = {}] = answers[Math.min(received.length, answers.length) - 1] ?? [500, ""];
    if (status === 0) return void request.socket.destroy();
    const content = typeof answer === "string" ? answer : JSON.stringify(answer);
    response.writeHead(status, more).end(content, () => {
      // A response that is shorter than it says is cut off.
      if (Number(more["Content-Length"] ?? 0) > content.length) request.socket.destroy();
    });
  });
  const hostPort = await listen(server);
  onTestFinished(() => stopListening(server));
  return { baseUrl: `http://${hostPort}`, received };
}

/** The body of an error of the service. */
export const errorBody = (code: string, more: object = {}) => ({
  error: "It failed.",
  code,
  request_id: 7,
  retryable: false,
  ...more,
});
