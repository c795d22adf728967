// Samples with the typed client: those of the documentation are programs that compile, and that send what the curl command sends.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { WHEEL_PATH } from "../../lib/site/client-packages/client-paths.ts";
import { clientCall } from "../../lib/site/samples/client-call.ts";
import { codeSamples } from "../../lib/site/samples/code-samples.ts";
import { parseCurl, type SampleRequest } from "../../lib/site/samples/http-request.ts";
import type { SampleLanguage } from "../../lib/site/samples/sample-languages.ts";
import { codeBlocks, documentationPages } from "../support/documentation.ts";

const project = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "client-samples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sampleIn = (language: SampleLanguage, request: SampleRequest) =>
  codeSamples(request).find((each) => each.language === language)?.code;

const headers = [["Authorization", "Bearer $SCREEN_CAPTURE_KEY"]] as const;
const url = "https://captures.example/api/v1/screenshot";

test("client sample: options of a query have the types of the contract", () => {
  const query = "url=https://a.example/%3Fb&full_page=true&viewport_width=400&hide_selectors=.a&hide_selectors=.b";
  expect(sampleIn("typescript", { method: "GET", url: `${url}?${query}`, headers, output: "page.png" })).toBe(`\
import { writeFile } from "node:fs/promises";
import { ScreenCapture } from "screen-capture-client";

const client = new ScreenCapture({ key: process.env.SCREEN_CAPTURE_KEY, baseUrl: "https://captures.example" });
const { bytes } = await client.capture({
  url: "https://a.example/?b",
  full_page: true,
  viewport_width: 400,
  hide_selectors: [
    ".a",
    ".b"
  ],
});
await writeFile("page.png", bytes);`);
});

test("client sample: several results are stored, whether outputs are JSON or its text", () => {
  const outputs = [{ name: "shot" }, { name: "print", format: "pdf" }];
  const sent = { url: "https://a.example/", outputs };
  const body = { kind: "json", text: JSON.stringify(sent) } as const;
  const query = new URLSearchParams({ ...sent, outputs: JSON.stringify(outputs) });
  const samples = [
    { method: "POST", url, headers, body },
    { method: "GET", url: `${url}?${query}`, headers },
  ].map((request) => [sampleIn("typescript", request), sampleIn("python", request)]);
  expect(samples[0]).toEqual(samples[1]);
  expect(samples[0]?.[0]).toMatch(/const results = await client\.storeOutputs\(\{[\s\S]*"name": "shot"/);
  expect(samples[0]?.[1]).toMatch(/results = client\.store_outputs\(\{[\s\S]*"name": "shot"/);
  const zipped = { ...body, text: JSON.stringify({ ...sent, response_type: "zip" }) };
  expect(clientCall({ method: "POST", url, headers, body: zipped, output: "page.zip" })).toBeUndefined();
});

test("client sample: in Python, options have the types of the contract", () => {
  const query = "url=https://a.example/%3Fb&full_page=true&viewport_width=400&hide_selectors=.a&hide_selectors=.b";
  expect(sampleIn("python", { method: "GET", url: `${url}?${query}`, headers, output: "page.png" })).toBe(`\
import os

from screen_capture_client import ScreenCapture

client = ScreenCapture(key=os.environ["SCREEN_CAPTURE_KEY"], base_url="https://captures.example")
capture = client.capture({
    "url": "https://a.example/?b",
    "full_page": True,
    "viewport_width": 400,
    "hide_selectors": [
        ".a",
        ".b",
    ],
})
capture.save("page.png")`);
});

const get = (query: string, output?: string) => ({
  method: "GET",
  url: `${url}?${query}`,
  headers,
  ...(output !== undefined && { output }),
});
const query = "url=https://a.example/%3Fb&full_page=true&viewport_width=400&hide_selectors=%23a&hide_selectors=.'b";

test("client sample: in PHP, options are an array", () => {
  expect(sampleIn("php", get(query, "page.png"))).toBe(`\
<?php

require 'vendor/autoload.php';

$client = new ScreenCapture\\Client(key: getenv('SCREEN_CAPTURE_KEY'), baseUrl: 'https://captures.example');
$capture = $client->capture([
    'url' => 'https://a.example/?b',
    'full_page' => true,
    'viewport_width' => 400,
    'hide_selectors' => [
        '#a',
        '.\\'b',
    ],
]);
$capture->save('page.png');`);
});

test("client sample: in Ruby, options are keyword arguments", () => {
  expect(sampleIn("ruby", get(query, "page.png"))).toBe(`\
require "screen_capture_client"

client = ScreenCapture::Client.new(key: ENV.fetch("SCREEN_CAPTURE_KEY"), base_url: "https://captures.example")
capture = client.capture(
  url: "https://a.example/?b",
  full_page: true,
  viewport_width: 400,
  hide_selectors: [
    "\\#a",
    ".'b"
  ]
)
capture.save("page.png")`);
});

test("client sample: in Ruby, the option timeout is in a hash, because the keyword is that of the call", () => {
  expect(sampleIn("ruby", get("url=u&timeout=9&async=true"))).toContain(
    'client.enqueue({\n  url: "u",\n  timeout: 9\n})\nputs accepted[:status_url]',
  );
});

test("client sample: names of headers and outputs are those of the request", () => {
  const sent = { url: "u", headers: { "X-A": "1" }, outputs: [{ name: "a" }] };
  const request = { method: "POST", url, headers, body: { kind: "json", text: JSON.stringify(sent) } } as const;
  expect(sampleIn("php", request)).toMatch(/storeOutputs\(\[[\s\S]*'X-A' => '1'[\s\S]*'name' => 'a'/);
  expect(sampleIn("ruby", request)).toMatch(/store_outputs\([\s\S]*"X-A" => "1"[\s\S]*name: "a"/);
});

test("samples: those with a package say how to install it, those without one don't", () => {
  const installs = (path: string, output?: string) =>
    Object.fromEntries(
      codeSamples({ method: "GET", url: `https://captures.example/live${path}`, headers, ...(output && { output }) })
        .filter(({ install }) => install !== undefined)
        .map(({ language, install }) => [language, install]),
    );
  expect(installs("/api/v1/screenshot?url=u", "page.png")).toEqual({
    typescript: "npm install https://captures.example/live/client.tgz",
    python: `pip install https://captures.example/live${WHEEL_PATH}`,
    php: "composer config repositories.screen-capture composer https://captures.example/live/php && composer require screen-capture/client",
    go: "GOPROXY=https://captures.example/live/go,direct GONOSUMDB=screencapture.internal/client go get screencapture.internal/client@latest",
    java: "curl https://captures.example/live/screen-capture-client-java.tgz | tar xz && mvn -f screen-capture-client install",
    ruby: "gem install screen_capture_client --source https://captures.example/live/ruby/",
  });
  expect(installs("/api/v1/usage")).toEqual({ python: "pip install requests" });
});

test.each([
  ["stores a result whose JSON is requested", "response_type=json&url=u", "client.store({"],
  ["queues an asynchronous capture", "async=true&url=u", "client.enqueue({"],
  ["prints a document", "format=markdown&url=u", "page.text()"],
])("client sample: %s", (_title, query, call) => {
  expect(sampleIn("typescript", { method: "GET", url: `${url}?${query}`, headers })).toContain(call);
});

test.each<[string, SampleRequest]>([
  ["another route", { method: "GET", url: "https://captures.example/api/v1/usage", headers }],
  ["a request without a key", { method: "GET", url: `${url}?url=u`, headers: [], output: "page.png" }],
  ["a key in the URL", { method: "GET", url: `${url}?url=u&access_key=x`, headers, output: "page.png" }],
  [
    "other headers",
    { method: "GET", url: `${url}?url=u`, headers: [...headers, ["Idempotency-Key", "a"]], output: "a" },
  ],
  ["values from variables", { method: "GET", url: `${url}?url=$PAGE`, headers, output: "page.png" }],
  ["an image without a file", { method: "GET", url: `${url}?url=u`, headers }],
])("client sample: there is none for %s", (_title, request) => {
  expect(clientCall(request)).toBeUndefined();
});

const documented = documentationPages()
  .flatMap(codeBlocks)
  .flatMap(({ language, code }) => {
    if (language === "ts" && code.includes('"screen-capture-client"')) return [code];
    if (language !== "sh") return [];
    const request = parseCurl(code);
    return request?.url.startsWith("http://127.0.0.1:3000") ? [sampleIn("typescript", request) ?? []].flat() : [];
  });

test("client sample: every one of the documentation compiles", async () => {
  expect(documented.length).toBeGreaterThan(20);
  const client = JSON.stringify(join(project, "clients/typescript/src/index.ts"));
  for (const [index, code] of documented.entries()) {
    writeFileSync(join(folder, `sample-${index}.mts`), code.replace('"screen-capture-client"', client));
  }
  const typeRoots = [join(project, "node_modules/@types")];
  const program = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  const compilerOptions = { ...program, allowImportingTsExtensions: true, types: ["node"], typeRoots };
  const config = { compilerOptions, include: ["*.mts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiled = promisify(execFile)(join(project, "node_modules/.bin/tsc"), ["-p", folder]);
  expect(await compiled.catch(({ stdout }) => ({ stdout }))).toMatchObject({ stdout: "" });
});
