// Samples of the documentation: curl commands parsed, and the same request in other languages, run where the language is here.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientCall } from "../../lib/site/samples/client-call.ts";
import { codeSamples } from "../../lib/site/samples/code-samples.ts";
import { parseCurl, type SampleRequest } from "../../lib/site/samples/http-request.ts";
import type { SampleLanguage } from "../../lib/site/samples/sample-languages.ts";
import { codeBlocks, documentationPages } from "../support/documentation.ts";
import {
  clientEnvironment,
  goModule,
  installedLanguages,
  javaClient,
  withClientSources,
  writePackages,
} from "../support/sample-programs.ts";

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

/** What the server of the samples answers: the clients parse it. */
const ANSWER = '{"status_url":"here"}';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

interface Runner {
  readonly name: string;
  /** The sample number `index` as part of one program. */
  readonly adapt?: (code: string, index: number, folder: string) => string;
  /** The command that runs the sample of each folder, in the folder above: all of them in one process: a start takes longer than a sample. */
  readonly command: (folders: readonly string[]) => readonly string[];
}

/** Languages whose samples of captures use our client. */
const clientLanguages: readonly SampleLanguage[] = ["typescript", "python", "php", "ruby", "go", "java"];

const inEach = (program: readonly string[]) => (folders: readonly string[]) => [...program, ...folders];

const runners = {
  javascript: {
    name: "sample.mjs",
    command: inEach([
      process.execPath,
      "--input-type=module",
      "--eval",
      `for (const folder of process.argv.slice(1)) { process.chdir(folder); await import(folder + "/sample.mjs"); }`,
    ]),
  },
  typescript: {
    name: "sample.mts",
    adapt: withClientSources,
    command: inEach([
      process.execPath,
      "--input-type=module",
      "--eval",
      `for (const folder of process.argv.slice(1)) { process.chdir(folder); await import(folder + "/sample.mts"); }`,
    ]),
  },
  python: {
    name: "sample.py",
    command: inEach([
      "python3",
      "-c",
      "import os, runpy, sys\nfor folder in sys.argv[1:]:\n os.chdir(folder); runpy.run_path('sample.py')",
    ]),
  },
  php: {
    name: "sample.php",
    command: inEach([
      "php",
      "-r",
      "foreach (array_slice($argv, 1) as $folder) { chdir($folder); require $folder . '/sample.php'; }",
    ]),
  },
  ruby: {
    name: "sample.rb",
    command: inEach(["ruby", "-e", "ARGV.each { |folder| Dir.chdir(folder) { load folder + '/sample.rb' } }"]),
  },
  go: {
    name: "sample.go",
    // The function `main` of a package that can be imported.
    adapt: (code, index) => code.replace("package main", `package go${index}`).replace("func main()", "func Main()"),
    command: (folders) => {
      const [parent, names] = [dirname(folders[0] ?? ""), folders.map((folder) => basename(folder))];
      const imports = names.map((name) => `\t"samples/${name}"`);
      const calls = folders.map((folder) => `\tos.Chdir(${JSON.stringify(folder)})\n\t${basename(folder)}.Main()`);
      const source = [
        "package main",
        "",
        "import (",
        '\t"os"',
        ...imports,
        ")",
        "",
        "func main() {",
        ...calls,
        "}",
        "",
      ];
      mkdirSync(join(parent, "all"));
      writeFileSync(join(parent, "all/main.go"), source.join("\n"));
      writeFileSync(join(parent, "go.mod"), goModule("samples"));
      return ["go", "run", "./all"];
    },
  },
  java: {
    name: "Sample.java",
    // A class for each sample. Java has one working directory, so that the file of a result gets its folder.
    adapt: (code, index, folder) =>
      code
        .replace("class Sample {", `class Sample${index} {`)
        .replaceAll(/Path\.of\("/g, `Path.of(${JSON.stringify(folder)}, "`),
    command: (folders) => {
      const calls = folders.map((folder) => `Sample${basename(folder).replace("java", "")}.main(args);`);
      const all = `class All { public static void main(String[] args) throws Exception { ${calls.join(" ")} } }`;
      const sources = folders.map((folder) => readFileSync(join(folder, "Sample.java"), "utf8"));
      // One file for one start of the compiler: the first class is the program, behind all imports.
      const imports = [...new Set(sources.flatMap((source) => source.match(/^import .*;$/gm) ?? []))];
      const classes = sources.map((source) => source.replaceAll(/^import .*;$/gm, ""));
      const file = join(dirname(folders[0] ?? ""), "All.java");
      writeFileSync(file, [...imports, all, ...classes].join("\n"));
      return ["java", "-cp", javaClient(), file];
    },
  },
} as const satisfies Partial<Record<SampleLanguage, Runner>>;
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
    response.end(ANSWER);
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
    ...clientEnvironment,
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
      const { name, adapt = (code: string) => code, command }: Runner = runners[language];
      const folders = requests.map(({ request, index }) => {
        const url = request.url.replace("http://127.0.0.1:3000", `${origin}/${language}${index}`);
        const sample = codeSamples({ ...request, url }).find((each) => each.language === language);
        const folder = sampleFolder(language, index);
        mkdirSync(folder);
        writeFileSync(join(folder, name), adapt(sample?.code ?? "", index, folder));
        writePackages(folder);
        return folder;
      });
      const [program = "", ...args] = command(folders);
      await promisify(execFile)(program, args, { cwd: folder, env: environment });
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
        expect(readFileSync(file, "utf8")).toBe(ANSWER);
      }
      const isClientCall = clientLanguages.includes(language) && clientCall(request) !== undefined;
      for (const each of sent) {
        expect(each.authorization).toBe(hasKey ? "Bearer cap_x" : undefined);
        if (isClientCall) {
          expect([each.method, each.url]).toEqual(["POST", "/api/v1/screenshot"]);
          expectOptions(JSON.parse(each.body), request);
          continue;
        }
        expect({ ...each, url: decodeURIComponent(each.url ?? "") }).toMatchObject({ method: request.method, url });
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
  expect([...new URLSearchParams(sent)].toSorted()).toEqual(fields.toSorted()); // Go sorts them
}

/** A client sends all options as JSON: the same as the query, the form, or the JSON of the command. */
function expectOptions(sent: Record<string, unknown>, { url, body }: SampleRequest): void {
  if (body?.kind === "json") {
    expect(sent).toEqual(JSON.parse(body.text));
    return;
  }
  const pairs = Object.entries(sent).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]));
  expect(pairs.toSorted()).toEqual([...(body?.fields ?? new URL(url).searchParams)].toSorted());
}
