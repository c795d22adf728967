// Options of a bulk request: shared ones and those of each capture.
import { describe, expect, test } from "vitest";
import { parseBulk } from "../../../lib/service/bulk/parse-bulk.ts";
import { apiErrorOf } from "../../support/builders.ts";

const url = "https://example.com/";

test("bulk options: the options of a capture take precedence over shared ones", () => {
  const { requests, execute } = parseBulk({
    options: { format: "pdf", delay: 1 },
    requests: [{ url }, { url, format: "png", delay: "2" }],
  });
  expect(execute).toBe(true);
  expect(
    requests.map(
      ({
        outputs: [
          {
            options: { format, delay, async },
          },
        ],
      }) => ({ format, delay, async }),
    ),
  ).toEqual([
    { format: "pdf", delay: 1, async: true },
    { format: "png", delay: 2, async: true },
  ]);
  expect(requests[1]?.rawOptions).toEqual({ url, format: "png", delay: "2", async: true });
});

test("bulk options: an empty list overrides a shared list", () => {
  const { requests } = parseBulk({ options: { url, hide_selectors: ["nav"] }, requests: [{}, { hide_selectors: [] }] });
  expect(requests.map(({ outputs: [{ options }] }) => options.hide_selectors)).toEqual([["nav"], undefined]);
});

test("bulk options: a webhook can be set for all captures or for one", () => {
  const webhook_url = "https://example.com/hook";
  expect(parseBulk({ options: { url, webhook_url }, requests: [{}, { url, webhook_url }] }).requests).toHaveLength(2);
});

describe("bulk options: problems", () => {
  test.each<[string, unknown, Record<string, string>]>([
    ["an empty list of requests", { requests: [] }, { requests: "must be a list of 1 to 20 objects with options" }],
    [
      "an empty list for what is no list",
      { requests: [{ url, async: [] }], options: [], execute: [] },
      { options: "must be an object with options", execute: "must be true or false, not []" },
    ],
    [
      "an empty list for what is no list in a request",
      {
        requests: [
          { url, async: [] },
          { url, full_page: [] },
        ],
      },
      { "requests.0.async": "must be true or false, not []", "requests.1.full_page": "must be true or false, not []" },
    ],
    ["no requests", {}, { requests: "must be sent" }],
    ["too many", { requests: Array(21).fill({ url }) }, { requests: "must be a list of 1 to 20 objects with options" }],
    ["requests that are no list", { requests: { url } }, { requests: "must be a list" }],
    ["shared options that are no object", { options: [1], requests: [{ url }] }, { options: "must be an object" }],
    [
      "an unknown name",
      { request: [], requests: [{ url }], excute: true },
      { request: "did you mean", excute: "did you mean 'execute'?" },
    ],
    ["a request that is no object", { requests: [{ url }, "x", null] }, { "requests.1": "must be an object" }],
    [
      "a request that is to answer itself",
      { requests: [{ url, async: false }] },
      { "requests.0.async": "must be true" },
    ],
    [
      "problems of several requests",
      { options: { format: "bmp" }, requests: [{ url, delay: -1 }, { url, format: "png" }, {}] },
      { "requests.0.delay": "from 0 to 30", "requests.0.format": "must be one of", "requests.2.url": "" },
    ],
  ])("%s is reported", (_what, sent, expected) => {
    const error = apiErrorOf(() => parseBulk(sent));
    expect(error.code).toBe("VALIDATION_ERROR");
    for (const [field, message] of Object.entries(expected)) {
      expect(error.details?.[field]?.join(), JSON.stringify(error.details)).toContain(message);
    }
  });
});

test("bulk options: a problem of an output names its request and its place", () => {
  const outputs = [{ name: "shot" }, { name: "text", format: "text", wait_until: "load" }];
  const { details } = apiErrorOf(() => parseBulk({ requests: [{ url, outputs }] }));
  expect(Object.keys(details ?? {})).toEqual(["requests.0.outputs[1].wait_until"]);
});
