// The OpenAPI document: complete, valid, and true to the routes, options, and responses.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ApiError, errorBody } from "../../../lib/contract/errors/api-error.ts";
import { type ErrorCode, errorKinds } from "../../../lib/contract/errors/error-kinds.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { formats, mimeTypes } from "../../../lib/contract/options/formats.ts";
import { captureOptionNames } from "../../../lib/contract/options/groups/all.ts";
import { planNames, plans } from "../../../lib/contract/plans.ts";
import { accountState } from "../../../lib/service/account/account-state.ts";
import { effectiveLimits } from "../../../lib/service/account/limits.ts";
import { rateLimitError, rateLimitHeaders } from "../../../lib/service/account/rate-limit.ts";
import { linkParameters } from "../../../lib/service/account/signed-link.ts";
import { type BillingPeriod, periodAt } from "../../../lib/service/billing/billing-period.ts";
import { billingTerms, invoice } from "../../../lib/service/billing/invoice.ts";
import { allowanceFor, quotaExceeded } from "../../../lib/service/billing/quota.ts";
import { captureHeaders, captureResult } from "../../../lib/service/captures/capture-result.ts";
import { allowedMethods } from "../../../lib/service/http/path-templates.ts";
import { billingEventTable } from "../../../lib/service/openapi/billing-event-table.ts";
import { generatedFiles } from "../../../lib/service/openapi/clients/generated-files.ts";
import { openapiDocument } from "../../../lib/service/openapi/document.ts";
import { referenceTables, replaceTable } from "../../../lib/service/openapi/reference-tables.ts";
import { storedDataTables } from "../../../lib/service/openapi/stored-data-tables.ts";
import { apiRoutes, knownPaths } from "../../../lib/service/routes.ts";
import { createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { captureRow } from "../../../lib/service/usage/capture-row.ts";
import { statistics } from "../../../lib/service/usage/statistics.ts";
import { parseListOptions, parseStatisticsOptions } from "../../../lib/service/usage/usage-options.ts";
import { usagePage } from "../../../lib/service/usage/usage-page.ts";
import { anAccount } from "../../support/builders.ts";
import {
  type Answer,
  type OpenapiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  problemFinder,
  schemaCheck,
} from "../../support/openapi.ts";

const document = openapiDocument("https://api.example") as unknown as OpenapiDocument;
const operations = operationsOf(document);
const problemsOf = problemFinder(document);
const named = (id: string) => operations.find(({ operationId }) => operationId === id) as Operation;
const defaultsOf = ({ parameters = [] }: Operation) =>
  Object.fromEntries(
    parameters.flatMap(({ name, schema }) => (schema["default"] === undefined ? [] : [[name, schema["default"]]])),
  );

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");

describe("generated documentation is up to date (run `npm run docs`)", () => {
  test("docs/openapi.json", () => {
    expect(JSON.parse(read("docs/openapi.json"))).toEqual(openapiDocument("http://127.0.0.1:3000"));
  });

  test.each(Object.entries(referenceTables))("docs/reference/%s.md", (name, table) => {
    const page = read(`docs/reference/${name}.md`);
    expect(page).toBe(replaceTable(page, name, table()));
  });

  test.each(Object.entries(storedDataTables))("docs/%s.md", (name, table) => {
    const page = read(`docs/${name}.md`);
    expect(page).toBe(replaceTable(page, "stored-data", table()));
  });

  test("docs/payments.md", () => {
    const page = read("docs/payments.md");
    expect(page).toBe(replaceTable(page, "billing-events", billingEventTable()));
  });
});

describe.each(Object.entries(generatedFiles))("the generated files in %s (run `npm run docs`)", (folder, generate) => {
  const files = generate();

  test("are up to date", () => {
    for (const [name, text] of Object.entries(files)) expect(read(`${folder}/${name}`), name).toBe(text);
  });

  test("are all files that say so", () => {
    const names = globSync("**/*.{ts,py,php,rb,rbs,go,java}", { cwd: new URL(`../../../${folder}/`, import.meta.url) });
    const generated = names.filter((name) => read(`${folder}/${name}`).includes("enerated by `npm run docs`"));
    expect(generated.toSorted()).toEqual(Object.keys(files).toSorted());
  });
});

describe("OpenAPI document", () => {
  test("has version 3.1 and the URL of its server", () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d$/),
      servers: [{ url: "https://api.example" }],
    });
  });

  test("has exactly the paths and methods of the routes, without HEAD, which is answered as GET is", () => {
    const reported = operations.map(({ path, method }) => [method, path.replaceAll(/\{\w+\}/g, "x")] as const);
    expect(
      reported.filter(([method, path]) => !allowedMethods(path, knownPaths)?.some((known) => known === method)),
    ).toEqual([]);
    expect(reported.map(([method]) => method).toSorted()).toEqual(apiRoutes.map(({ method }) => method).toSorted());
  });

  test("contains only JSON values", () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test("has no dangling references", () => {
    const text = JSON.stringify(document);
    const refs = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref = ""]) => ref));
    const missing = [...refs].filter((ref) => at(document, ref.split("/")) === undefined);
    expect({ missing, some: refs.size > 5 }).toEqual({ missing: [], some: true });
  });

  test("refers to every component", () => {
    const text = JSON.stringify(document);
    const { securitySchemes: _, ...components } = document.components;
    const refs = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect(refs.filter((ref) => !text.includes(`"${ref}"`))).toEqual([]);
  });

  test("says each response and parameter once", () => {
    const { responses, parameters } = document.components;
    const inline = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((part) => {
        const { parameters: own = [], responses: answers = {} } = part as Partial<Operation>;
        return [...(Array.isArray(part) ? part : own), ...Object.values(answers)].filter((each) => !("$ref" in each));
      }),
    );
    const all = [...inline, ...Object.values(responses), ...Object.values(parameters)].map((each) =>
      JSON.stringify(each),
    );
    expect({
      repeated: all.filter((each, index) => all.indexOf(each) !== index),
      shared: Object.keys(responses),
    }).toEqual({
      repeated: [],
      shared: expect.arrayContaining(["Unauthorized", "NotFound", "CapturesForbidden"]),
    });
  });

  test("has valid examples in its schemas", () => {
    const examples = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      ("examples" in schema ? (schema.examples as unknown[]) : []).map((example) => [name, example] as const),
    );
    expect(examples.map(([name, example]) => [name, problemsOf(name, example)])).toEqual(
      examples.map(([name]) => [name, []]),
    );
    expect(examples.map(([name]) => name)).toEqual(expect.arrayContaining(["Account", "Invoice", "QuotaExceeded"]));
  });
});

describe.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "OpenAPI operation %s",
  (_, operation) => {
    test("has a unique id, a tag and a summary that generated clients can use", () => {
      const sameName = operations.filter(({ operationId }) => operationId === operation.operationId);
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(sameName).toHaveLength(1);
      expect(operation.tags.map((tag) => document.tags.some(({ name }) => name === tag))).toEqual([true]);
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    });

    test("has unique parameters, including each path parameter", () => {
      const parameters = operation.parameters ?? [];
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
      expect(parameters.filter((each) => each.in === "path").map(({ name }) => name)).toEqual(inPath);
      for (const parameter of parameters.filter((each) => each.in === "path")) expect(parameter.required).toBe(true);
    });

    test("has valid JSON Schemas with valid defaults and examples", () => {
      const bodies = [operation.requestBody, ...Object.values(operation.responses)];
      const schemas = [
        ...(operation.parameters ?? []).map(({ schema }) => schema),
        ...bodies.flatMap((body) => Object.values(body?.content ?? {}).map(({ schema }) => schema)),
      ];
      for (const schema of schemas) {
        const check = schemaCheck(document, schema);
        const { default: fallback, examples = [] } = schema as { default?: unknown; examples?: unknown[] };
        for (const value of fallback === undefined ? examples : [fallback, ...examples]) {
          expect({ value, valid: check(value) }).toEqual({ value, valid: true });
        }
      }
    });

    test("has a success response, and error responses with the error schema", () => {
      const { responses } = operation;
      const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      expect(failures.length).toBeGreaterThan(0);
      expect(Object.keys(responses).length).toBeGreaterThan(failures.length);
      for (const [status, { content }] of failures) {
        const name = status === "402" ? "QuotaExceeded" : "Error";
        expect(content).toEqual({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } });
      }
    });

    test("has rate limit headers in exactly the responses to requests that count", () => {
      const names = Object.keys(rateLimitHeaders({ cost: 1, limit: 1, remaining: 1, reset: 1 }));
      const isOpen = operation.security?.length === 0;
      for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
        const reported = Object.keys(headers).filter((name) => names.includes(name));
        expect({ status, reported }).toEqual({
          status,
          reported: isOpen || ["400", "401", "413", "502"].includes(status) ? [] : names,
        });
      }
    });

    test("documents unreadable queries, unknown parameters, and gateway errors", () => {
      const isOpen = operation.security?.length === 0;
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(["400", "429", "500", "502", ...(isOpen ? [] : ["401", "403", "422"])]),
      );
    });

    test("documents status 429 with Retry-After", () => {
      const { headers, description } = operation.responses["429"] as Answer;
      expect(headers).toHaveProperty("Retry-After");
      expect(description.includes(errorKinds.RATE_LIMITED.meaning)).toBe(operation.security?.length !== 0);
    });
  },
);

describe("OpenAPI security", () => {
  test("requires an API key for everything except health, results, and this document", () => {
    const open = operations.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId);
    expect(open.toSorted()).toEqual(["getHealth", "getOpenapiDocument", "getResult"]);
  });

  test("has the API key in the header as the only scheme", () => {
    expect(document.security).toEqual([{ bearer: [] }]);
    expect(document.components.securitySchemes).toEqual({
      bearer: { type: "http", scheme: "bearer", description: expect.stringContaining("`access_key`") },
    });
  });

  test("is optional for signed links, whose parameters are ordinary ones", () => {
    const isOfLink = ({ name }: Parameter) => linkParameters.some((each) => each === name) || name === "access_key";
    const byLink = operations.filter(({ parameters = [] }) => parameters.some(isOfLink));
    expect(byLink.map(({ operationId }) => operationId)).toEqual(["captureByQuery"]);
    expect(
      byLink[0]?.parameters
        ?.filter(isOfLink)
        .map(({ required, ...reported }) => [reported.name, reported.in, required]),
    ).toEqual([
      ["key_id", "query", undefined],
      ["expires", "query", undefined],
      ["signature", "query", undefined],
      ["access_key", "query", undefined],
    ]);
    expect(operations.filter(({ security }) => security?.some((way) => Object.keys(way).length === 0))).toEqual(byLink);
  });
});

describe("OpenAPI responses with bytes", () => {
  const binary = { type: "string", format: "binary" };
  const withBytes = operations.filter(({ responses }) => "image/png" in (responses["200"]?.content ?? {}));

  test.each(withBytes.map((operation) => [operation.operationId, operation] as const))(
    "are typed for generated clients in %s",
    (_, operation) => {
      const contents = Object.entries(operation.responses["200"]?.content ?? {});
      const types = contents.filter(([type]) => /^(image|video)\/|pdf$/.test(type)).map(([, { schema }]) => schema);
      expect(types).toEqual(types.map(() => binary));
      // Where a generator takes the JSON alone for the type of the answer, the bytes are in it.
      const json = operation.responses["200"]?.content?.["application/json"]?.schema as { anyOf: object[] };
      expect(json.anyOf).toEqual(expect.arrayContaining([binary, { type: "string" }]));
    },
  );

  test("are those of captures and stored results", () => {
    const names = withBytes.map(({ operationId }) => operationId);
    expect(names.toSorted()).toEqual(["capture", "captureByQuery", "getResult"]);
  });
});

test("OpenAPI timestamps have milliseconds, except in capture logs, which have microseconds", () => {
  const { NewKey, KeyChanges, ...answers } = document.components.schemas as Record<string, object>;
  const times: { pattern: string; description?: string }[] = [];
  JSON.stringify([answers, operations.map(({ responses }) => responses)], (_, value) => {
    if (value?.format === "date-time") times.push(value);
    return value;
  });
  const form = (digits: number) => `^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{${digits}}Z$`;
  expect(new Set(times.map(({ pattern }) => pattern))).toEqual(new Set([form(3), form(6)]));
  const microseconds = times.filter(({ pattern }) => pattern === form(6));
  expect(microseconds.map(({ description }) => description)).toEqual([
    "When the capture was requested, with microseconds.", // in the list
    "When the capture was requested, with microseconds.", // in the details
  ]);
});

test("OpenAPI POST operations document Idempotency-Key, Idempotent-Replayed, and status 409", () => {
  const posts = operationsOf(document).filter(({ method }) => method === "POST");
  expect(posts.map(({ path }) => path).sort()).toEqual(
    apiRoutes.flatMap(({ path, method }) => (method === "POST" ? [path] : [])).sort(),
  );
  for (const { operationId, parameters = [], responses } of posts) {
    const names = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name);
    expect(names, operationId).toContain("Idempotency-Key");
    const successes = Object.entries(responses).filter(([status]) => /^20[0-2]$/.test(status));
    for (const [, { headers = {} }] of successes) expect(Object.keys(headers)).toContain("Idempotent-Replayed");
    expect(Object.keys(responses)).toContain("409");
  }
});

describe("OpenAPI capture options", () => {
  const { properties } = document.components.schemas["CaptureOptions"] as {
    properties: Record<string, { description: string }>;
  };

  test("come with header parameters", () => {
    const headersOf = (id: string) =>
      (named(id).parameters ?? []).filter((parameter) => parameter.in === "header").map(({ name }) => name);
    expect([headersOf("captureByQuery"), headersOf("capture")]).toEqual([
      ["If-None-Match"],
      ["Idempotency-Key", "If-None-Match"],
    ]);
  });

  test("are complete in the query and in the body", () => {
    const inQuery = named("captureByQuery").parameters?.filter((parameter) => parameter.in === "query");
    expect(inQuery?.map(({ name }) => name)).toEqual([
      ...captureOptionNames,
      "outputs",
      ...linkParameters,
      "access_key",
    ]);
    expect(Object.keys(properties)).toEqual([...captureOptionNames, "outputs"]);
  });

  test("have no objects in the query", () => {
    const parameters = JSON.stringify(named("captureByQuery").parameters);
    expect(parameters).not.toContain('"type":"object"');
    expect(parameters).not.toContain('"oneOf"');
  });

  test("have no default keyword in the body, which generated clients would require", () => {
    expect(Object.entries(properties).filter(([, schema]) => "default" in schema)).toEqual([]);
    expect(properties["timeout"]?.description).toContain("Default: 60; 90 for a video.");
  });

  test("are described in sentences", () => {
    const wrong = Object.entries(properties).filter(([, { description }]) => !/^[A-Z`].*[.]$/.test(description));
    expect(wrong).toEqual([]);
  });

  test.each(formats)("can be sent with all their defaults for format %s", (format) => {
    const sent = { ...defaultsOf(named("captureByQuery")), format, html: "<p>Hello</p>" };
    expect(() => parseCaptureOptions(sent)).not.toThrow();
    expect(problemsOf("CaptureOptions", sent)).toEqual([]);
  });

  test("have the defaults of the parser", () => {
    const parsed = parseCaptureOptions({ html: "<p>Hello</p>" });
    const reported = defaultsOf(named("captureByQuery"));
    expect(Object.keys(reported).length).toBeGreaterThan(10);
    // What must not be sent alone, or follows from other options, is reported in words.
    const inWords = captureOptionNames.filter((name) => properties[name]?.description.includes("Default: "));
    expect(parsed).toEqual({
      ...Object.fromEntries(inWords.map((name) => [name, parsed[name]])),
      ...reported,
      html: "<p>Hello</p>",
    });
    expect(parsed.timeout).toBe(60);
  });

  test.each<Record<string, unknown>>([
    { url: "https://example.com/a?b=1", viewport_device: "iphone_15_pro", full_page: true },
    { url: "https://example.com", headers: { "X-A": "1" }, cookies: [{ name: "a", value: "1" }, "b=2; Path=/"] },
    { url: "https://example.com", headers: ["X-A: 1"], wait_until: ["load", "networkidle"], delay: 0.5 },
    { html: "<p>Hello</p>", format: "pdf", pdf_margin: "1cm 2cm", pdf_page_ranges: "1-2" },
    { markdown: "# Hello", markdown_theme: "dark", format: "jpg", image_quality: 60 },
    { url: "https://example.com", clip_x: 0, clip_y: 0, clip_width: 10, clip_height: 10 },
    { url: "https://example.com", format: "mp4", video_duration: 7.5, video_width: 640, video_scenario: "scroll" },
    { url: "https://example.com", format: "webp", video_aspect_ratio: "9:16", video_fps: 20 },
  ])("schema and parser accept %j", (sent) => {
    expect(problemsOf("CaptureOptions", sent)).toEqual([]);
    expect(() => parseCaptureOptions(sent)).not.toThrow();
  });

  test.each<Record<string, unknown>>([
    {},
    { format: "png" },
    { url: "https://example.com", html: "<p>Hello</p>" },
    { url: "https://example.com", viewport_widht: 100 },
    { url: "https://example.com", viewport_width: 63 },
    { url: "https://example.com", viewport_width: 100.5 },
    { url: "https://example.com", format: "bmp" },
    { url: "https://example.com", format: "mp4", video_width: 641 },
    { url: "https://example.com", format: "mp4", video_duration: 31 },
    { url: "https://example.com", wait_until: ["never"] },
    { url: "https://example.com", cookies: [{ name: "a" }] },
    { url: "no address" },
    { html: "" },
  ])("schema and parser reject %j", (sent) => {
    expect(problemsOf("CaptureOptions", sent)).not.toEqual([]);
    expect(() => parseCaptureOptions(sent)).toThrow(ApiError);
  });

  test.each(["captureByQuery", "capture"])("%s documents every format", (id) => {
    const types = Object.keys(named(id).responses["200"]?.content ?? {});
    // A still and a moving webp have one.
    expect(types).toEqual([
      ...new Set(formats.map((format) => mimeTypes[format].replace(/;.*/, ""))),
      "application/zip",
    ]);
  });
});

describe.each([
  ["listCaptures", parseListOptions],
  ["getUsageStatistics", parseStatisticsOptions],
] as const)("OpenAPI options of %s", (id, parse) => {
  test("have the defaults of the parser", () => {
    expect(parse({})).toEqual(defaultsOf(named(id)));
  });

  test("are known to the parser", () => {
    const valid: Record<string, string> = { status: "failed", from: "2026-01-01", to: "2026-01-31" };
    const names = named(id).parameters?.map(({ name }) => name) ?? [];
    expect(() => parse(Object.fromEntries(names.map((name) => [name, valid[name] ?? "1"])))).not.toThrow();
    expect(names.length).toBeGreaterThan(4);
  });
});

describe("OpenAPI errors", () => {
  const codes = Object.keys(errorKinds) as ErrorCode[];

  test.each(codes)("%s has a body as documented, and a meaning", (code) => {
    const target = { http_status_code: null, net_error: "net::ERR_FAILED", final_url: "https://example.com/" };
    const error = new ApiError(code, "It failed.", { details: { url: ["is wrong"] }, target });
    expect(problemsOf("Error", errorBody(error, 1))).toEqual([]);
    expect(errorKinds[code].meaning).toMatch(/^[A-Z`].*\.$/);
  });

  const capture = { accountId: 3, attempt: "1", credit: "screenshots" } as const;
  const now = Date.UTC(2026, 0, 5);
  const cap = (period: BillingPeriod) =>
    quotaExceeded(allowanceFor({ ...capture, period }, plans.free), { taken: 300, now });
  test.each([
    ["a trial that is used up", cap(periodAt(anAccount({ billed_from: null }), now))],
    ["a month that is used up", cap(periodAt(anAccount(), now))],
  ])("describe %s with its figures", (_, error) => {
    const body = errorBody(error, 1);
    expect(problemsOf("QuotaExceeded", body)).toEqual([]);
    expect(Object.keys(body["details"] as object)).toEqual(
      Object.keys(propertiesOf("QuotaExceeded")["details"]?.properties ?? {}),
    );
    expect(problemsOf("QuotaExceeded", { ...body, code: "RATE_LIMITED" })).not.toEqual([]);
  });

  test("describe too many requests", () => {
    const error = rateLimitError({ cost: 1, limit: 10, remaining: 0, possibleAt: 100 }, 60_000);
    expect(problemsOf("Error", errorBody(error, 1))).toEqual([]);
    expect(Object.keys(named("capture").responses["429"]?.headers ?? {})).toEqual(
      expect.arrayContaining(Object.keys(error.headers)),
    );
  });

  test("allow only the documented codes", () => {
    const body = { ...errorBody(new ApiError("GONE", "It is gone."), 1), code: "OTHER" };
    expect(problemsOf("Error", body)).toEqual(["/code must be equal to one of the allowed values"]);
  });

  test("are documented with their status in the operations that can fail with them", () => {
    const text = JSON.stringify(operations.map(({ responses }) => responses));
    const untold = codes.filter((code) => !text.includes(errorKinds[code].meaning));
    // The first can't be met by a client that keeps to the document; the other is that of a job, and no response.
    expect(untold.toSorted()).toEqual(["CANCELLED", "METHOD_NOT_ALLOWED"]);
  });
});

/** Properties of a schema of the document. */
function propertiesOf(name: string): Record<string, { properties?: Record<string, unknown> }> {
  return (document.components.schemas[name] as { properties: Record<string, object> }).properties;
}

describe("OpenAPI account and invoices", () => {
  const [trial, paid] = [anAccount({ plan: "free", billed_from: null }), anAccount()];
  const now = Date.UTC(2026, 4, 5);
  const states = [trial, ...planNames.filter((plan) => plan !== "free").map((plan) => ({ ...paid, plan }))].flatMap(
    (account) =>
      [0, 1_000_000].map((used) => {
        const period = periodAt(account, now);
        const counts = { screenshots: used, videos: used };
        return [account.plan, used, { account, period, counts }] as const;
      }),
  );

  test.each(states)("match the schemas on plan %s with %d captures", (_, __, { account, period, counts }) => {
    const limits = effectiveLimits(account, now, 100);
    const state = accountState(account, { period, counts, usedFailures: 1, limits, now });
    expect(problemsOf("Account", state)).toEqual([]);
    expect(Object.keys(state).toSorted()).toEqual(Object.keys(propertiesOf("Account")).toSorted());

    const billed = invoice(period, { terms: billingTerms(account, period), counts, now });
    expect(problemsOf("Invoices", { data: [billed] })).toEqual([]);
    expect(Object.keys(billed).toSorted()).toEqual(Object.keys(propertiesOf("Invoice")).toSorted());
    expect(Object.keys(billed.overage)).toEqual(Object.keys(propertiesOf("Overage")));
    for (const quota of Object.values(billed.quotas))
      expect(Object.keys(quota)).toEqual(Object.keys(propertiesOf("Quota")));
  });

  test("have either separate quotas or one pool, never both", () => {
    const quota = { limit: 1, used: 0, remaining: 1 };
    expect(problemsOf("Quotas", { screenshots: quota, videos: quota })).toEqual([]);
    expect(problemsOf("Quotas", { captures: quota })).toEqual([]);
    expect(problemsOf("Quotas", { screenshots: quota })).not.toEqual([]);
    expect(problemsOf("Quotas", { screenshots: quota, videos: quota, captures: quota })).not.toEqual([]);
  });

  test.each(["1", "1.5", ".50", "1.23456", 1.5])(
    "reject the amount %j: amounts are text with two to four decimals",
    (amount) => {
      const [example] = (document.components.schemas["Invoice"] as { examples: object[] }).examples;
      expect(problemsOf("Invoice", { ...example, total: amount })).not.toEqual([]);
    },
  );
});

describe("OpenAPI response schemas", () => {
  const facts = {
    requestId: 1,
    mimeType: "image/png",
    sizeBytes: 2,
    responseTimeMs: 3,
    fromCache: false,
    isStale: false,
    usesCache: false,
    isTest: true,
    finalUrl: "https://example.com/",
    warnings: ["The page is longer."],
    problems: [],
    quality: 100,
    statesQuality: false,
    metadata: {
      page_title: "Title",
      image_size: { width: 1, height: 1 },
      http_response: { status_code: 200, final_url: "https://example.com/", redirects: [] },
    },
    statusCode: 200,
  };

  test("match the JSON of a capture", () => {
    const slices = [{ url: "https://api.example/storage/1-day/b.png", top: 0, height: 1, sizeBytes: 2 }];
    const link = { url: "https://api.example/storage/1-day/a.png", expiresAt: Date.UTC(2026, 0, 31) };
    const metadata = {
      page_title: null,
      open_graph: { title: "A", image: ["b", "c"] },
      icon: null,
      http_response: null,
    };
    const result = captureResult({ ...facts, metadata }, link, slices);
    expect(problemsOf("CaptureResult", result)).toEqual([]);
  });

  test("document every header of a capture", () => {
    const reported = Object.keys(named("capture").responses["200"]?.headers ?? {});
    expect(reported).toEqual(expect.arrayContaining(Object.keys(captureHeaders(facts, "browser;dur=1"))));
    expect(Object.keys(captureHeaders(facts, "")).length).toBe(10);
  });

  test("match the usage reports", () => {
    const log = createCaptureLog(1, {
      user_id: 1,
      api_key_id: 2,
      url: "https://example.com",
      options: { url: "https://example.com" },
      format: "png",
      status: "failed",
      http_status_code: 404,
      error_message: "TARGET_HTTP_ERROR: It was not there.",
      response_time_ms: 12,
      file_size_bytes: 0,
      cached: false,
      asynchronous: true,
      group_id: null,
      output_name: null,
      webhook_target: "https://you.example",
      thumbnail: { key: "thumbnails/a.webp", expires_at: 2 },
      ip_address: "192.0.2.1",
      api_key: { id: 2, label: "Website", key_prefix: "cap_0123" },
    });
    const options = parseListOptions({});
    const baseUrl = "https://api.example";
    const page = (logs: (typeof log)[]) => {
      const rows = logs.map((each) => captureRow(each, { baseUrl, now: 1 }));
      return usagePage(rows, { total: logs.length, options, baseUrl });
    };
    expect(problemsOf("UsagePage", page([log]))).toEqual([]);
    expect(problemsOf("UsagePage", page([]))).toEqual([]);
    const counts = [{ date: "2026-01-31", success: 1, failed: 2, milliseconds: 100 }];
    const sums = statistics(counts, { from: "2026-01-30", to: "2026-01-31" });
    expect(problemsOf("UsageStatistics", sums)).toEqual([]);
  });
});

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);
}
