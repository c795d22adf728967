// What the website says of options and errors: samples that the contract accepts, fixes that name options, pictures, examples.
import { describe, expect, test } from "vitest";
import { errorFixes } from "../../lib/contract/errors/error-fixes.ts";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { captureOptionNames } from "../../lib/contract/options/groups/all.ts";
import { optionSamples } from "../../lib/contract/options/option-samples.ts";
import { openapiDocument } from "../../lib/service/openapi/document.ts";
import { apiOperations } from "../../lib/site/docs/api-operations.ts";
import { docPages } from "../../lib/site/docs/doc-pages.ts";
import { effects } from "../../lib/site/effect-pictures.ts";
import { playgroundLink, requestedOptions } from "../../lib/site/playground-link.ts";
import { postmanExamples } from "../../lib/site/postman.ts";
import { parseCurl } from "../../lib/site/samples/http-request.ts";
import { readShareFragment } from "../../lib/site/web/shared/share-link.ts";
import { documentationPages } from "../support/documentation.ts";

describe("API reference", () => {
  test("has every operation of the OpenAPI document, with a command that samples in other languages are made from", () => {
    const { paths } = openapiDocument("http://127.0.0.1:3000") as { paths: Record<string, Record<string, unknown>> };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ["get", "post", "patch", "delete", "put"].includes(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(apiOperations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(documented.toSorted());
    for (const { command, method } of apiOperations) expect(parseCurl(command)).toMatchObject({ method });
  });

  test("names the codes that each operation can fail with", () => {
    const codes = Object.fromEntries(apiOperations.map(({ id, errors }) => [id, errors]));
    expect(codes["capture"]).toEqual(expect.arrayContaining(["TARGET_BLOCKED", "QUOTA_EXCEEDED", "RATE_LIMITED"]));
    expect(codes["getHealth"]).not.toContain("TARGET_BLOCKED");
  });
});

describe("links to the playground", () => {
  test("hold the options of a request", async () => {
    const request = parseCurl("curl -d url=u -d hide_selectors=.a -d hide_selectors=.b http://h/api/v1/screenshot");
    const options = request && requestedOptions(request);
    expect(options).toEqual({ url: "u", hide_selectors: [".a", ".b"] });
    const { hash } = new URL(playgroundLink(options ?? {}), "http://h");
    expect(await readShareFragment(hash)).toEqual(options);
  });

  test.each([
    "curl http://h/api/v1/usage?page=2",
    'curl "http://h/api/v1/screenshot?url=$URL"',
    "curl http://h/api/v1/screenshot/7",
  ])("are not made of %s", (command) => {
    const request = parseCurl(command);
    expect(request && requestedOptions(request)).toBeUndefined();
  });
});

test("navigation: every page of the documentation is in it", () => {
  const explaining = documentationPages().map(({ path }) => path);
  const listed = docPages.map(({ file }) => file);
  // The landing page and the navigation replace the first two, and visitors must not take a draft for the operator's terms.
  const elsewhere = ["README.md", "docs/README.md", "docs/terms-template.md", "docs/privacy-template.md"];
  const missing = explaining.filter((path) => !listed.includes(path) && !elsewhere.includes(path));
  const forDevelopers = /^(\.github|docs\/decisions)\/|^CODE_OF_CONDUCT\.md$/; // on GitHub alone
  expect(missing.filter((path) => !forDevelopers.test(path))).toEqual([]);
});

test("options: every option has a sample that the contract accepts", () => {
  expect(Object.keys(optionSamples).toSorted()).toEqual([...captureOptionNames].toSorted());
  for (const sample of Object.values(optionSamples)) {
    const hasInput = ["url", "html", "markdown"].some((name) => name in sample);
    expect(() => parseCaptureOptions({ ...(!hasInput && { url: "https://example.com" }), ...sample })).not.toThrow();
  }
});

test("errors: fixes name options that exist", () => {
  const known: readonly string[] = captureOptionNames;
  const named = Object.values(errorFixes).flatMap((fix) =>
    [...fix.matchAll(/`([a-z_]+)(?:=\w+)?`/g)].map(([, name = ""]) => name),
  );
  const others = ["details", "support", "request_id", "key", "monthly_limit", "captures_per_day"];
  expect(named.filter((name) => !known.includes(name) && !others.includes(name))).toEqual([]);
});

describe("pictures", () => {
  test("are of options, with values that the contract accepts", () => {
    for (const [name, { both = {}, effect }] of Object.entries(effects)) {
      expect(captureOptionNames).toContain(name);
      expect(() => parseCaptureOptions({ html: "x", ...withoutHtml(both), ...effect })).not.toThrow();
    }
  });
});

function withoutHtml({ html: _, markdown, ...others }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return markdown === undefined ? others : { html: undefined, markdown, ...others };
}

test("Postman collection: its captures are accepted by the contract", () => {
  const captures = postmanExamples.filter(({ path }) => path === "/api/v1/screenshot");
  expect(postmanExamples.length).toBeGreaterThanOrEqual(15);
  for (const { query, json } of captures)
    expect(() => parseCaptureOptions({ ...query, ...(json as object) })).not.toThrow();
});
