// Which content coding a client gets by its `Accept-Encoding`.
import { expect, test } from "vitest";
import { preferredEncoding, refusesIdentity } from "../../../lib/service/http/content-coding.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["deflate, zstd", undefined],
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.5, gzip", "gzip"],
  ["br;q=0.5, gzip;q=0.5", "br"],
  ["gzip;q=0.001", "gzip"],
  ["gzip;q=wrong", undefined],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["*;q=0", undefined],
  ["identity, *;q=0", undefined],
  ["identity, gzip;q=0.5", undefined],
  ["identity;q=0.5, gzip", "gzip"],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["BR ; q=1.0", "br"],
] as const)("content coding: Accept-Encoding %j gives %j", (header, coding) => {
  expect(preferredEncoding(header, ["br", "gzip"])).toBe(coding);
});

test.each([
  [undefined, false],
  ["gzip", false],
  ["identity;q=0, gzip", true],
  ["*;q=0, gzip", true],
  ["identity, *;q=0", false],
])("content coding: Accept-Encoding %j refuses a response without a coding: %j", (header, isRefused) => {
  expect(refusesIdentity(header)).toBe(isRefused);
});
