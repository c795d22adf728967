// Which bodies the shell reads and which it refuses.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { json } from "../../lib/runtime/answer.ts";
import { apiHandler } from "../../lib/runtime/api-handler.ts";
import { sentOptions } from "../../lib/runtime/api-request.ts";
import { aContext, anEvent } from "../support/builders.ts";

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

const echo = apiHandler((request) => json(200, sentOptions(request)));

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
    '{"__proto__":{"url":"https://example.com/"}}',
    '{"a":[{"\\u005f_proto__":1}]}',
    '{"constructor":{"prototype":{"a":1}}}',
  ])("that would change the prototype of objects is refused with 400: %s", async (body) => {
    const { status, body: told } = await post("application/json", body);
    expect({ status, code: told.code }).toEqual({ status: 400, code: "BAD_REQUEST" });
  });

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
