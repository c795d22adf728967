// Which errors mean that the page navigated during a call.
import { describe, expect, test } from "vitest";
import { isContextLost } from "../../../lib/engine/page/context-lost.ts";

describe("the error of a call into a page that navigated", () => {
  test.each([
    ["Execution context was destroyed, most likely because of a navigation."],
    ["Protocol error (Runtime.callFunctionOn): Cannot find context with specified id"],
    ["Attempted to use detached Frame 'ABC'."],
    ["Protocol error (Runtime.callFunctionOn): Inspected target navigated or closed"],
    ["Protocol error (Runtime.evaluate): uniqueContextId not found"],
    ["Protocol error (Runtime.callFunctionOn): Argument should belong to the same JavaScript world as target object"],
  ])("is recognized: %s", (message) => {
    expect(isContextLost(new Error(message))).toBe(true);
  });

  test.each([["Target closed"], ["SyntaxError: Unexpected token"], ["Navigation timeout of 30000 ms exceeded"]])(
    "is not any other error: %s",
    (message) => {
      expect(isContextLost(new Error(message))).toBe(false);
    },
  );
});
