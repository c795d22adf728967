// Which bodies the shell reads and which it refuses.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { rawOptions } from "../../../lib/service/http/api-request.ts";
import { json } from "../../../lib/service/http/response.ts";
import { aContext, anEvent } from "../../support/builders.ts";
import { receivingApiHandler } from "../../support/lambda-streams.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

const FORM = "application/x-www-form-urlencoded";

const echo = receivingApiHandler((request) => json(200, rawOptions(request)));

async function post(type: string | undefined, body: string, header = "Content-Type") {
  const event = anEvent({ httpMethod: "POST", headers: type === undefined ? {} : { [header]: type }, body });
  const answer = await echo(event, aContext());
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
}

describe("a body", () => {
  test.each(["{", "", '{"a":1,}', "{'a':1}", "undefined", '{"a":1}{"b":2}', "<a>"])(
    "that says it is JSON and is %j is refused with 400",
    async (body) => {
      const answer = await post("application/json", body);
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 400,
        body: {
          error: "The body is not valid JSON. Check quotes, commas and brackets.",
          code: "BAD_REQUEST",
          request_id: expect.any(Number),
          retryable: false,
        },
      });
    },
  );

  test.each([
    ["__proto__", '{"__proto__":{"url":"https://example.com/"}}'],
    ["constructor", '{"constructor":{"prototype":{"a":1}}}'],
    ["__proto__", '{"a":[{"\\u005f_proto__":1}]}'],
  ])(
    "whose option is called %s is reported that there is no such option, and changes no prototype",
    async (name, body) => {
      const parse = receivingApiHandler((request) => json(200, parseCaptureOptions(rawOptions(request))));
      const headers = { "Content-Type": "application/json" };
      const answer = await parse(anEvent({ httpMethod: "POST", headers, body }), aContext());
      const { code, details } = JSON.parse(answer.body);
      expect([answer.statusCode, code, Object.keys(details)]).toEqual([422, "VALIDATION_ERROR", [name]]);
      expect(details[name][0]).toMatch(/^is not an option/);
      expect(["url", "a"].filter((each) => each in {})).toEqual([]);
    },
  );

  test.each(["null", "[]", '"text"', "5"])("that is the JSON %s is never taken for options", async (body) => {
    const answer = await post("application/json", body);
    expect(answer).toMatchObject(
      body === "null" ? { status: 200, body: {} } : { status: 400, body: { code: "BAD_REQUEST" } },
    );
  });

  test("nested 100,000 deep is refused with 400", async () => {
    const { status } = await post("application/json", "[".repeat(100_000) + "]".repeat(100_000));
    expect(status).toBe(400);
  });

  test.each<[what: string, type: string, sent: Buffer, headers: Record<string, string>]>([
    ["JSON with é in ISO-8859-1", "application/json", Buffer.from('{"html":"caf\xe9"}', "latin1"), {}],
    ["a form with é in ISO-8859-1", FORM, Buffer.from("html=caf\xe9", "latin1"), {}],
    ["a form with é percent-encoded in ISO-8859-1", FORM, Buffer.from("html=caf%E9"), {}],
    ["a form with an overlong encoding", FORM, Buffer.from("html=%C0%AF"), {}],
    ["a form with %zz", FORM, Buffer.from("html=%zz"), {}],
    ["a form with a percent sign at its end", FORM, Buffer.from("html=100%"), {}],
    ["bytes that are no UTF-8", "application/json", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), {}],
    ["NUL", "application/json", Buffer.alloc(1_000), {}],
    ["a form with a name that is no UTF-8", FORM, Buffer.from("%FF%C0%AF=1"), {}],
    ["JSON in UTF-16", "application/json", Buffer.from('\ufeff{"html":"a"}', "utf16le"), {}],
  ])("that is %s is refused with 400, as text and as base64", async (_, type, sent, more) => {
    const headers = { "Content-Type": type, "Content-Length": String(sent.length), ...more };
    for (const isBase64Encoded of [false, true]) {
      const body = sent.toString(isBase64Encoded ? "base64" : "utf8");
      const answer = await echo(anEvent({ httpMethod: "POST", headers, body, isBase64Encoded }), aContext());
      expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([
        400,
        expect.objectContaining({ code: "BAD_REQUEST", error: expect.stringMatching(/UTF-8|not valid JSON|'%'/) }),
      ]);
    }
  });

  test("with the character U+FFFD itself is read where its length shows that it was sent", async () => {
    const body = '{"html":"\ufffd"}';
    const sentLength = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
    const answers = await Promise.all([
      echo(anEvent({ httpMethod: "POST", headers: sentLength, body }), aContext()),
      echo(anEvent({ httpMethod: "POST", headers: { "Content-Type": "application/json" }, body }), aContext()),
      post("application/json", '{"html":"\\ufffd"}'),
    ]);
    expect(answers.map((each) => ("status" in each ? each.status : each.statusCode))).toEqual([200, 400, 200]);
  });

  test.each([
    ["iso-8859-1", "application/json; charset=iso-8859-1"],
    ["windows-1252", `${FORM};charset="Windows-1252"`],
    ["utf-16", "application/json; a=b; Charset=utf-16"],
  ])("whose charset is %s is refused with 415", async (charset, type) => {
    const { status, body } = await post(type, "html=a");
    expect([status, body.code, body.error]).toEqual([
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      `The charset '${charset}' is not supported. Send the body as UTF-8.`,
    ]);
  });

  test.each(["gzip", "br", "deflate, gzip"])("whose Content-Encoding is %s is refused with 415", async (coding) => {
    const headers = { "Content-Type": "application/json", "Content-Encoding": coding };
    const answer = await echo(anEvent({ httpMethod: "POST", headers, body: "\ufffd" }), aContext());
    expect([answer.statusCode, JSON.parse(answer.body).error]).toEqual([
      415,
      `The Content-Encoding '${coding}' is not supported. Send the body uncompressed.`,
    ]);
  });

  test.each(["application/json; charset=UTF-8", 'application/json; charset="utf-8"', "application/json; charset=utf8"])(
    "of the type %s is read with a byte-order mark and without",
    async (type) => {
      const read = { status: 200, body: { a: "é" } };
      expect([await post(type, '\ufeff{"a":"é"}'), await post(type, '{"a":"é"}')]).toEqual([read, read]);
    },
  );

  test.each(["text/plain", "multipart/form-data; boundary=x", "application/xml", undefined])(
    "of the type %s is refused with 415",
    async (type) => {
      const { status, body } = await post(type, '{"url":"https://example.com/"}');
      expect({ status, code: body.code }).toEqual({ status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
    },
  );

  test.each(["content-type", "Content-Type", "CONTENT-TYPE"])("is read however its %s is written", async (name) => {
    expect(await post("application/json", '{"a":1}', name)).toEqual({ status: 200, body: { a: 1 } });
  });
});

test("a query with bytes that are not UTF-8 is refused with 400, wherever it goes", async () => {
  const multiValueQueryStringParameters = { html: ["caf\ufffd"] };
  const answer = await receivingApiHandler(() => json(200, {}))(
    anEvent({ multiValueQueryStringParameters }),
    aContext(),
  );
  expect([answer.statusCode, JSON.parse(answer.body).code]).toEqual([400, "BAD_REQUEST"]);
});
