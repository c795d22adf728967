import { expect, test } from "vitest";
import { isHeaderValue, isSettableHeader } from "../../../../lib/contract/options/values/header-names.ts";

test.each([["X-Caller"], ["accept-language"], ["User-Agent"], ["Authorization"], ["DNT"], ["x_y.z~1"], ["Second"]])(
  "%s may be set",
  (name) => {
    expect(isSettableHeader(name)).toBe(true);
  },
);

test.each([
  ["Host"],
  ["content-length"],
  ["Connection"],
  ["Keep-Alive"],
  ["TE"],
  ["Trailer"],
  ["TRANSFER-ENCODING"],
  ["Upgrade"],
  ["Expect"],
  ["Cookie"],
  ["Cookie2"],
  ["Set-Cookie"],
  ["Origin"],
  ["Referer"],
  ["Via"],
  ["HTTP2-Settings"],
  ["Access-Control-Request-Method"],
  ["Proxy-Authorization"],
  ["Proxy-Anything"],
  ["Sec-Fetch-Site"],
  ["sec-ch-ua"],
])("header names: only the browser sets %s", (name) => {
  expect(isSettableHeader(name)).toBe(false);
});

test.each([[""], [":authority"], ["X Caller"], ["X-Caller:"], ["X\r\nHost"], ["X-Ü"], ["X(y)"]])(
  "'%s' is no header's name",
  (name) => {
    expect(isSettableHeader(name)).toBe(false);
  },
);

test.each([
  ["", true],
  ['plain, with "quotes"; and = signs', true],
  ["a\tb", true],
  ["Grüße 日本", true],
  ["a\r\nHost: b", false],
  ["a\nb", false],
  ["a\u0000b", false],
  ["a\u007fb", false],
])("header values: %j is valid: %s", (value, expected) => {
  expect(isHeaderValue(value)).toBe(expected);
});
