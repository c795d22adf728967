// When an invocation with a streamed answer is over: not before what goes on after the answer.
import { PassThrough, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer } from "../../lib/runtime/answer.ts";
import { streamingApiHandler } from "../../lib/runtime/api-handler.ts";
import { aContext, anEvent } from "../support/builders.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  // As Lambda's runtime provides it.
  vi.stubGlobal("awslambda", {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: { from: (stream: Writable) => stream },
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

type Invoke = (event: object, stream: Writable, context: object) => Promise<void>;

function invoke(answer: Answer, stream: Writable) {
  const invocation = { isOver: false };
  const over = (streamingApiHandler(() => answer) as Invoke)(anEvent(), stream, aContext()).finally(() => {
    invocation.isOver = true;
  });
  over.catch(() => undefined);
  return { invocation, over };
}

test("the caller has the whole answer while the function still clears away", async () => {
  const clearing = Promise.withResolvers<void>();
  const stream = new PassThrough();
  const { invocation, over } = invoke({ status: 200, body: "picture", afterwards: clearing.promise }, stream);
  const received = await stream.toArray();
  expect(Buffer.concat(received).toString()).toBe("picture");
  await setImmediate(); // what is due by now has happened
  expect(invocation.isOver).toBe(false);
  clearing.resolve();
  await over;
});

test("a caller who has gone does not keep the function from clearing away", async () => {
  const clearing = Promise.withResolvers<void>();
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error("gone")) });
  const { invocation, over } = invoke({ status: 200, body: "picture", afterwards: clearing.promise }, stream);
  await new Promise((resolve) => stream.once("close", resolve));
  await setImmediate(); // what is due by now has happened
  expect(invocation.isOver).toBe(false);
  clearing.resolve();
  await expect(over).rejects.toThrow("gone");
});
