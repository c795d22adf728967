// `If-None-Match`: who has the result already is not sent it again.
import { describe, expect, test } from "vitest";
import { notModifiedIfMatches } from "../../../lib/service/http/conditional-response.ts";
import type { ApiResponse } from "../../../lib/service/http/response.ts";

const answer = {
  status: 200,
  headers: {
    "Content-Type": "image/png",
    "Content-Length": "3",
    "Content-Disposition": "inline",
    ETag: '"abc"',
    "X-Cache": "HIT",
    "X-Request-Id": "5",
  },
  body: Buffer.from("png"),
};

describe("a caller who has the result", () => {
  test.each(['"abc"', 'W/"abc"', '"x", "abc"', '"x",W/"abc","y"', "*", " * ", '"a,b", "abc"'])(
    "and says so by %s, gets the headers alone",
    (ifNoneMatch) => {
      expect(notModifiedIfMatches(answer, ifNoneMatch)).toStrictEqual({
        status: 304,
        headers: { ETag: '"abc"', "Content-Type": "image/png", "X-Cache": "HIT", "X-Request-Id": "5" },
      });
    },
  );
});

describe("a caller", () => {
  test.each([undefined, "", '"ab"', '"abcd"', '"ABC"', "abc", 'W/"x"', '"x, abc"', '"*"', ", ,"])(
    "who says %j gets the result",
    (ifNoneMatch) => {
      expect(notModifiedIfMatches(answer, ifNoneMatch)).toBe(answer);
    },
  );

  test.each<ApiResponse>([
    { status: 200, headers: { "Content-Type": "application/json" }, body: "{}" },
    { status: 204, headers: { "X-Cache": "HIT" } },
    { status: 422, headers: { ETag: '"abc"' }, body: "{}" },
  ])("cannot have $status without an ETag, nor what is no result", (other) => {
    expect(notModifiedIfMatches(other, "*")).toBe(other);
    expect(notModifiedIfMatches(other, '"abc"')).toBe(other);
  });
});
