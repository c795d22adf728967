// Samples of the documentation: curl commands parsed, and the same request in other languages, run where the language is here.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeSamples } from "../../lib/site/samples/code-samples.ts";
import { parseCurl, type SampleRequest } from "../../lib/site/samples/http-request.ts";
import { codeBlocks, documentationPages } from "../support/documentation.ts";
import { installedLanguages, requestsModule } from "../support/sample-programs.ts";

describe("parseCurl", () => {
  test("reads a GET request with an output file", () => {
    expect(
      parseCurl('curl -H "Authorization: Bearer $SCREEN_CAPTURE_KEY" \\\n  "http://h/x?a=b&c=d" -o page.png'),
    ).toEqual({
      method: "GET",
      url: "http://h/x?a=b&c=d",
      headers: [["Authorization", "Bearer $SCREEN_CAPTURE_KEY"]],
      output: "page.png",
    });
  });

  test("reads a form with quotation marks in a value", () => {
    expect(parseCurl(`curl -d url=u --data-urlencode 'html=<p class="a">1=2</p>' http://h/x`)).toEqual({
      method: "POST",
      url: "http://h/x",
      headers: [],
      body: {
        kind: "form",
        fields: [
          ["url", "u"],
          ["html", '<p class="a">1=2</p>'],
        ],
      },
    });
  });

  test.each(["curl -D - http://h/x", "curl -L http://h/x", "curl --data-urlencode a@b http://h", "npm start"])(
    "leaves out %s, which other languages would not show the same",
    (command) => {
      expect(parseCurl(command)).toBeUndefined();
    },
  );
});

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** Runs the sample of each folder in one process, because the start of a process takes longer than a sample. */
const runners = {
  javascript: {
    name: "sample.mjs",
    command: [process.execPath, "--input-type=module", "--eval"],
    script: `for (const folder of process.argv.slice(1)) { process.chdir(folder); await import(folder + "/sample.mjs"); }`,
  },
  python: {
    name: "sample.py",
    command: ["python3", "-c"],
    script: "import os, runpy, sys\nfor folder in sys.argv[1:]:\n os.chdir(folder); runpy.run_path('sample.py')",
  },
  php: {
    name: "sample.php",
    command: ["php", "-r"],
    script: "foreach (array_slice($argv, 1) as $folder) { chdir($folder); require $folder . '/sample.php'; }",
  },
  ruby: {
    name: "sample.rb",
    command: ["ruby", "-e"],
    script: "ARGV.each { |folder| Dir.chdir(folder) { load folder + '/sample.rb' } }",
  },
} as const;
type RunnableLanguage = keyof typeof runners;

describe("every sample of the documentation sends the same request as its curl command:", () => {
  /** The requests of each sample, which sends them to a path of its own. */
  const received = new Map<string, Received[]>();
  const server = createServer(async (request, response) => {
    const { method, url = "", headers } = request;
    const [, sample = "", path] = /^\/(\w+)(\/.*)$/.exec(url) ?? [];
    const body = await text(request);
    const { authorization, "content-type": type } = headers;
    received.set(sample, [...(received.get(sample) ?? []), { method, url: path, authorization, type, body }]);
    response.end("content");
  });

  const requests = documentationPages()
    .flatMap(codeBlocks)
    .filter(({ language }) => language === "sh")
    .flatMap(({ page, code }) => {
      const request = parseCurl(code);
      return request?.url.startsWith("http://127.0.0.1:3000") ? [{ page, code, request }] : [];
    })
    .map((each, index) => ({ ...each, index }));
  const environment = {
    ...process.env,
    SCREEN_CAPTURE_KEY: "cap_x",
    ID: "7",
    KEY_ID: "8",
    STORAGE_KEY_ID: "a",
    STORAGE_SECRET: "b",
  };
  const languages = (Object.keys(runners) as RunnableLanguage[]).filter((each) => installedLanguages.includes(each));
  const folder = mkdtempSync(join(tmpdir(), "samples-"));
  const sampleFolder = (language: RunnableLanguage, index: number) => join(folder, `${language}${index}`);

  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const language of languages) {
      const { name, command, script } = runners[language];
      const [program, ...args] = command;
      const folders = requests.map(({ request, index }) => {
        const url = request.url.replace("http://127.0.0.1:3000", `${origin}/${language}${index}`);
        const sample = codeSamples({ ...request, url }).find((each) => each.language === language);
        mkdirSync(sampleFolder(language, index));
        writeFileSync(join(sampleFolder(language, index), name), sample?.code ?? "");
        writeFileSync(join(sampleFolder(language, index), "requests.py"), requestsModule);
        return sampleFolder(language, index);
      });
      await promisify(execFile)(program, [...args, script, ...folders], { env: environment });
    }
  });
  afterAll(() => server.close());

  test("there are samples", () => {
    expect(requests.length).toBeGreaterThan(20);
  });

  test.each(requests)("$page: $code", ({ request, index }) => {
    const path = request.url.slice("http://127.0.0.1:3000".length);
    const url = decodeURIComponent(path.replaceAll("$KEY_ID", "8").replaceAll("$ID", "7"));
    const hasKey = request.headers.some(([name]) => name === "Authorization");
    for (const language of languages) {
      const sent = received.get(`${language}${index}`) ?? [];
      expect(sent).toHaveLength(1);
      if (request.output !== undefined) {
        const file = join(sampleFolder(language, index), request.output);
        expect(readFileSync(file, "utf8")).toBe("content");
      }
      for (const each of sent) {
        expect({ ...each, url: decodeURIComponent(each.url ?? "") }).toMatchObject({ method: request.method, url });
        expect(each.authorization).toBe(hasKey ? "Bearer cap_x" : undefined);
        expectBody(each, request);
      }
    }
  });
});

function expectBody({ body: sent }: Received, { body }: SampleRequest): void {
  if (body?.kind === "json") expect(JSON.parse(sent)).toEqual(JSON.parse(body.text));
  if (body?.kind !== "form") return;
  const fields = body.fields.map(([name, value]) => [
    name,
    value.replace("$STORAGE_KEY_ID", "a").replace("$STORAGE_SECRET", "b"),
  ]);
  expect([...new URLSearchParams(sent)]).toEqual(fields);
}
