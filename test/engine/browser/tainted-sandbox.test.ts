// Tainted sandbox: its process exits once its response is sent and its message is handled.
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aContext, anEvent } from "../../support/builders.ts";
import { provideStreams, type StreamingHandler } from "../../support/lambda-streams.ts";

let steps: string[];
beforeEach(() => {
  steps = [];
  vi.resetModules();
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(process, "exit").mockImplementation(((code: number) => void steps.push(`exit ${code}`)) as never);
  provideStreams();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function answer(closing: () => void): Promise<string> {
  const { apiHandler } = await import("../../../lib/service/http/api-handler.ts");
  const stream = new PassThrough();
  const handler = apiHandler((request) => {
    request.afterResponse(() => {
      closing();
      steps.push("cleared away");
    });
    return { status: 200, body: "picture" };
  }) as StreamingHandler;
  await handler(anEvent(), stream, aContext());
  return Buffer.concat(await stream.toArray()).toString();
}

async function handle(closing: () => void): Promise<void> {
  const { queueHandler } = await import("../../../lib/service/aws/queue-handler.ts");
  const record = { messageId: "1", receiptHandle: "1", body: "", attributes: { ApproximateReceiveCount: "1" } };
  const handler = queueHandler("https://queue.test/", async () => {
    closing();
    steps.push("recorded");
    return undefined;
  });
  await handler({ Records: [record as never] }, aContext());
}

const condemning = async () => {
  const { markSandboxTainted: condemnSandbox } = await import("../../../lib/engine/browser/tainted-sandbox.ts");
  return () => condemnSandbox("browser left something behind", new Error("processes 4711"));
};

test("tainted sandbox: the caller has the response before the process exits", async () => {
  expect(await answer(await condemning())).toBe("picture");
  expect(steps).toEqual(["cleared away", "exit 1"]);
});

test("tainted sandbox: the outcome of a job is recorded before the process exits", async () => {
  await handle(await condemning());
  expect(steps).toEqual(["recorded", "exit 1"]);
});

test("tainted sandbox: any other process goes on", async () => {
  await answer(() => undefined);
  await handle(() => undefined);
  expect(steps).toEqual(["cleared away", "recorded"]);
});
