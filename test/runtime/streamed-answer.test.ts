// When an invocation with a streamed answer is over: not before what goes on after the answer.
import { PassThrough, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../lib/contract/errors.ts";
import { type Handle, streamingApiHandler } from "../../lib/runtime/api-handler.ts";
import { aContext, anEvent } from "../support/builders.ts";
import { provideStreams, type StreamingHandler } from "../support/lambda-streams.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  provideStreams();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const picture: Handle = () => ({ status: 200, body: "picture" });
const failure: Handle = () => {
  throw new ApiError("CAPTURE_TIMEOUT", "It took too long.");
};

/** An invocation that clears away until `clearing` is resolved, whatever `handle` answers. */
function invoke(handle: Handle, clearing: Promise<void>, stream: Writable) {
  const invocation = { isOver: false };
  const handler: Handle = (request) => {
    request.afterwards.push(clearing);
    return handle(request);
  };
  const over = (streamingApiHandler(handler) as StreamingHandler)(anEvent(), stream, aContext()).finally(() => {
    invocation.isOver = true;
  });
  over.catch(() => undefined);
  return { invocation, over };
}

test.each([
  ["answer", picture, /^picture$/],
  ["error", failure, /"It took too long\."/],
])("the caller has the whole %s while the function still clears away", async (_, handle, told) => {
  const clearing = Promise.withResolvers<void>();
  const stream = new PassThrough();
  const { invocation, over } = invoke(handle, clearing.promise, stream);
  const received = await stream.toArray();
  expect(Buffer.concat(received).toString()).toMatch(told);
  await setImmediate(); // what is due by now has happened
  expect(invocation.isOver).toBe(false);
  clearing.resolve();
  await over;
});

test("a caller who has gone does not keep the function from clearing away", async () => {
  const clearing = Promise.withResolvers<void>();
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error("gone")) });
  const { invocation, over } = invoke(picture, clearing.promise, stream);
  await new Promise((resolve) => stream.once("close", resolve));
  await setImmediate(); // what is due by now has happened
  expect(invocation.isOver).toBe(false);
  clearing.resolve();
  await expect(over).rejects.toThrow("gone");
});
