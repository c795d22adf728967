// Why a deterministic capture fails, from what the page's clock or its frames failed with.
import { expect, test } from "vitest";
import { determinismError } from "../../../lib/engine/pipeline/determinism-error.ts";
import { BeginFrameUnavailable } from "../../../lib/engine/rendering/begin-frame.ts";
import { RequestStalled } from "../../../lib/engine/rendering/virtual-clock.ts";
import { VirtualTimeUnavailable } from "../../../lib/engine/rendering/virtual-time.ts";

const URL = "https://example.com/poll";
const COMPUTES = "it computes for more than 15 s, or waits for its clock in a loop";

test.each([
  ["a clock that does not advance", new VirtualTimeUnavailable("the page's clock does not advance"), [], COMPUTES],
  [
    "the same, while a request is open",
    new VirtualTimeUnavailable("the page's clock does not advance"),
    [URL],
    COMPUTES,
  ],
  ["a clock that waits for requests, of which none is open", new RequestStalled(), [], COMPUTES],
  ["a clock that waits for an open request", new RequestStalled(), [URL], "a request stays open for more than 15 s"],
  ["a frame that does not end", new BeginFrameUnavailable("a frame does not end"), [], "a frame does not end"],
])("a deterministic capture fails because of %s", (_, error, pending, why) => {
  const failure = determinismError(error, pending);
  expect([failure?.code, failure?.status]).toEqual(["NOT_DETERMINISTIC", 422]);
  expect(failure?.message).toContain(`because ${why}.`);
  expect(failure?.details?.["pending"]).toEqual(why === COMPUTES || pending.length === 0 ? undefined : pending);
});

test("other errors say nothing about determinism", () => {
  expect(determinismError(new Error("The browser crashed."), [URL])).toBeUndefined();
});
