// The options of a request, in its query and in its body.
import { describe, expect, test } from "vitest";
import { queryOptions, rawOptions } from "../../../lib/service/http/api-request.ts";
import { anApiRequest, apiErrorOf, FORM_TYPE, JSON_TYPE } from "../../support/builders.ts";

const inQuery = (...query: [string, string][]) => anApiRequest({ query });
const asForm = (body: string) => anApiRequest({ method: "POST", headers: FORM_TYPE, body });
const asJson = (body: unknown) => anApiRequest({ method: "POST", headers: JSON_TYPE, body });

describe("the options in a query", () => {
  test.each<[string, [string, string][], object]>([
    [
      "are text",
      [
        ["a", "1"],
        ["b", ""],
      ],
      { a: "1", b: "" },
    ],
    [
      "make a list of a repeated name",
      [
        ["a", "1"],
        ["b", "x"],
        ["a", "2"],
        ["a", "3"],
      ],
      { a: ["1", "2", "3"], b: "x" },
    ],
    ["make a list of name[]", [["a[]", "1"]], { a: ["1"] }],
    [
      "make one list of both",
      [
        ["a", "1"],
        ["a[]", "2"],
        ["a", "3"],
      ],
      { a: ["1", "2", "3"] },
    ],
    [
      "take no other brackets",
      [
        ["a[0]", "1"],
        ["a[][]", "2"],
      ],
      { "a[0]": "1", "a[]": ["2"] },
    ],
    [
      "are without the key",
      [
        ["access_key", "secret"],
        ["a", "1"],
      ],
      { a: "1" },
    ],
  ])("%s", (_, query, options) => {
    expect(queryOptions(inQuery(...query))).toEqual(options);
  });

  test.each(["__proto__", "constructor", "toString"])("can be named %s and are options like others", (name) => {
    const options = queryOptions(inQuery([name, "1"], ["a", "2"]));
    expect(Object.entries(options)).toEqual([
      [name, "1"],
      ["a", "2"],
    ]);
  });
});

describe("the options in a body", () => {
  const withQuery = (body: object, ...query: (readonly [string, string])[]) => ({ ...asJson(body), query });

  test("are added to those in the query, where the same value may be in both", () => {
    const request = withQuery({ a: 1, c: null, d: ["x", "y"] }, ["a", "1"], ["b", "1"], ["d", "x"], ["d", "y"]);
    expect(rawOptions(request)).toEqual({ a: 1, b: "1", c: null, d: ["x", "y"] });
  });

  test("are refused together with another value in the query, for each option", () => {
    const message = "has one value in the query and another one in the body: send it once";
    const error = apiErrorOf(() =>
      rawOptions(withQuery({ format: "png", html: "x" }, ["format", "pdf"], ["html", "y"])),
    );
    expect([error.code, error.details]).toEqual(["VALIDATION_ERROR", { format: [message], html: [message] }]);
  });

  test.each([
    ["a=1+%2B+1&b=%C3%BC&a=2&c[]=x", { a: ["1 + 1", "2"], b: "ü", c: ["x"] }],
    ["a", { a: "" }],
    ["%25zz=%25&&", { "%zz": "%" }],
    ["html={}", { html: "{}" }],
  ])("are read from the form %s", (body, options) => {
    expect(rawOptions(asForm(body))).toEqual(options);
  });

  test.each(["application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json"])(
    "are read as %s",
    (type) => {
      const request = anApiRequest({ method: "POST", headers: { "content-type": type }, body: { a: 1 } });
      expect(rawOptions(request)).toEqual({ a: 1 });
    },
  );

  test.each([null, ""])("are none when it is %j, regardless of its type", (body) => {
    expect(rawOptions(anApiRequest({ method: "POST", headers: { "content-type": "text/plain" }, body }))).toEqual({});
  });

  test.each(["GET", "HEAD"])("do not count in a %s", (method) => {
    expect(rawOptions({ ...asJson({ a: 1 }), method })).toEqual({});
  });

  test("named __proto__ change nothing but themselves", () => {
    const options = rawOptions(asJson(JSON.parse('{"__proto__": {"url": "https://example.com/"}}')));
    expect([Object.keys(options), options["url"]]).toEqual([["__proto__"], undefined]);
  });
});

describe("a body is refused", () => {
  test.each([[[]], [["a"]], ["text"], [5], [true]])("that is the JSON %j", (body) => {
    expect(apiErrorOf(() => rawOptions(asJson(body)))).toMatchObject({
      code: "BAD_REQUEST",
      message: "The JSON body must be an object with options.",
    });
  });

  test.each(['{"url":"https://example.com/"}', ' \n{"a":1}'])("that is JSON but was sent as a form: %j", (body) => {
    expect(apiErrorOf(() => rawOptions(asForm(body)))).toMatchObject({
      code: "BAD_REQUEST",
      message: "The body looks like JSON but was sent as a form. Add the header Content-Type: application/json.",
    });
  });

  test.each([
    ["text/plain", "text/plain"],
    ["multipart/form-data; boundary=x", "multipart/form-data"],
    ["application/jsonp", "application/jsonp"],
    ["text/json", "text/json"],
    ["x".repeat(5_000), "x".repeat(100)],
  ])("of the type %s", (type, shown) => {
    const request = anApiRequest({ method: "POST", headers: { "content-type": type }, body: "a=1" });
    expect(apiErrorOf(() => rawOptions(request))).toMatchObject({
      code: "UNSUPPORTED_MEDIA_TYPE",
      message:
        `The Content-Type '${shown}' is not supported. ` +
        "Send application/json or application/x-www-form-urlencoded.",
    });
  });

  test("of no type", () => {
    const request = anApiRequest({ method: "POST", headers: {}, body: "a=1" });
    expect(apiErrorOf(() => rawOptions(request)).message).toBe(
      "The Content-Type is missing. Send application/json or application/x-www-form-urlencoded.",
    );
  });
});
