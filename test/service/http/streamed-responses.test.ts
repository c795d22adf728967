// When an invocation with a streamed answer is over: not before what goes on after the answer.
import { PassThrough, Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { apiHandler, type Handle } from "../../../lib/service/http/api-handler.ts";
import { aContext, anEvent } from "../../support/builders.ts";
import { provideStreams, type StreamingHandler } from "../../support/lambda-streams.ts";

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

/** An invocation that clears away until `clearing` is resolved, regardless of the response of `handle`. */
function invoke(handle: Handle, clearing: Promise<void>, stream: Writable) {
  const invocation = { isOver: false };
  const handler: Handle = (request) => {
    request.afterResponse(() => clearing);
    return handle(request);
  };
  const over = (apiHandler(handler) as StreamingHandler)(anEvent(), stream, aContext()).finally(() => {
    invocation.isOver = true;
  });
  over.catch(() => undefined);
  return { invocation, over };
}

test.each([
  ["answer", picture, /^picture$/],
  ["error", failure, /"It took too long\."/],
])("the caller has the whole %s while the function still clears away", async (_, handle, reported) => {
  const clearing = Promise.withResolvers<void>();
  const stream = new PassThrough();
  const { invocation, over } = invoke(handle, clearing.promise, stream);
  const received = await stream.toArray();
  expect(Buffer.concat(received).toString()).toMatch(reported);
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

test("a body that is a stream is sent as it is read", async () => {
  const stream = new PassThrough();
  const streamed: Handle = () => ({
    status: 200,
    body: Readable.from([Buffer.from("pic"), Buffer.from("ture")]),
  });
  const [received] = await Promise.all([stream.toArray(), invoke(streamed, Promise.resolve(), stream).over]);
  expect(Buffer.concat(received).toString()).toBe("picture");
});

test("a stream that fails half-way fails the invocation, so that what was sent does not pass for the whole", async () => {
  async function* broken() {
    yield Buffer.from("pic");
    throw new Error("The bucket broke off.");
  }
  const stream = new PassThrough();
  const { over } = invoke(() => ({ status: 200, body: Readable.from(broken()) }), Promise.resolve(), stream);
  await expect(over).rejects.toThrow("The bucket broke off.");
  expect([stream.writableEnded, stream.read()?.toString()]).toEqual([false, "pic"]);
});

test("a caller who has gone ends the reading of a body that is a stream", async () => {
  const body = Readable.from([Buffer.from("pic"), Buffer.from("ture")]);
  const stream = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => done(new Error("gone")) });
  await expect(invoke(() => ({ status: 200, body }), Promise.resolve(), stream).over).rejects.toThrow("gone");
  expect(body.destroyed).toBe(true);
});
