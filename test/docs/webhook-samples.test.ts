// The samples that verify webhooks, run in the languages that this machine has, with signatures of our own code.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { signatureHeaders } from "../../lib/service/webhooks/signature.ts";
import { sampleLanguages } from "../../lib/site/samples/sample-languages.ts";
import { codeBlocks, documentationPages } from "../support/documentation.ts";
import { canRun, majorVersion, skipWithout } from "../support/runtimes.ts";

const client = JSON.stringify(join(import.meta.dirname, "../../clients/typescript/src/index.ts"));
const blocks = documentationPages()
  .filter(({ path }) => path === "docs/guide/async.md")
  .flatMap(codeBlocks);
const folder = mkdtempSync(join(tmpdir(), "webhook-samples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Webhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Runner {
  /** The name of the language in the page. */
  readonly language: string;
  readonly program: string;
  readonly isHere: () => boolean;
  readonly file: string;
  readonly args?: readonly string[];
  /** The program: the sample with calls of it. */
  readonly complete: (sample: string) => string;
  /** The cases as the program reads them; JSON unless the language has a format of its own. */
  readonly encode?: (cases: readonly Webhook[]) => string;
}

/** Of JavaScript and TypeScript. */
const scriptCall = `
import { readFileSync } from "node:fs";
const outcomes = [];
for (const { headers, body } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  try { outcomes.push(Boolean(await verifyWebhook(headers, body))); } catch { outcomes.push(false); }
}
console.log(JSON.stringify(outcomes));`;

/** Calls the sample for each case of the file that the first argument names, and prints the outcomes as JSON. */
const runners: Readonly<Record<Exclude<keyof typeof sampleLanguages, "sh">, Runner>> = {
  javascript: {
    language: "js",
    program: process.execPath,
    isHere: () => true,
    file: "sample.mjs",
    complete: (sample) => `${sample}\n${scriptCall}`,
  },
  typescript: {
    language: "ts",
    program: process.execPath,
    isHere: () => true,
    file: "sample.mts",
    complete: (sample) => `${sample.replace('"screen-capture-client"', client)}\n${scriptCall}`,
  },
  python: {
    language: "python",
    program: "python3",
    isHere: () => canRun("python3", ["--version"]),
    file: "sample.py",
    complete: (sample) => `${sample}

import sys
def is_valid(case):
    try: return bool(verify_webhook(case["headers"], case["body"].encode()))
    except ValueError: return False
print(json.dumps([is_valid(case) for case in json.load(open(sys.argv[1]))]))`,
  },
  php: {
    language: "php",
    program: "php",
    isHere: () => canRun("php", ["--version"]),
    file: "sample.php",
    complete: (sample) => `${sample}
$outcomes = [];
foreach (json_decode(file_get_contents($argv[1]), true) as $case) {
    try { $outcomes[] = (bool) verify_webhook($case['headers'], $case['body']); }
    catch (RuntimeException) { $outcomes[] = false; }
}
echo json_encode($outcomes);`,
  },
  go: {
    language: "go",
    program: "go",
    isHere: () => canRun("go", ["version"]),
    file: "sample.go",
    args: ["run"],
    complete: (
      sample,
    ) => `${sample.replace("package webhooks", "package main").replace("import (", 'import (\n\t"encoding/json"')}
func main() {
	content, _ := os.ReadFile(os.Args[1])
	var cases []struct { Headers map[string]string; Body string }
	json.Unmarshal(content, &cases)
	outcomes := []bool{}
	for _, each := range cases {
		headers := http.Header{}
		for name, value := range each.Headers { headers.Set(name, value) }
		outcomes = append(outcomes, VerifyWebhook(headers, []byte(each.Body)) == nil)
	}
	json.NewEncoder(os.Stdout).Encode(outcomes)
}`,
  },
  java: {
    language: "java",
    program: "java",
    isHere: () => canRun("javac", ["--version"]),
    file: "Sample.java",
    // The class of the program is the first one of its file. Java has no parser of JSON: a line of texts in base64 for each case.
    complete: (sample) =>
      sample.replace(
        "class Webhooks",
        `class Sample {
    public static void main(String[] args) throws Exception {
        StringBuilder outcomes = new StringBuilder();
        for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of(args[0]))) {
            String[] parts = line.split(" ");
            for (int i = 0; i < parts.length; i++) parts[i] = new String(Base64.getDecoder().decode(parts[i]), "UTF-8");
            Map<String, String> headers = Map.of(
                "webhook-id", parts[0], "webhook-timestamp", parts[1], "webhook-signature", parts[2]);
            outcomes.append(outcomes.isEmpty() ? "[" : ",").append(Webhooks.isValid(headers, parts[3]));
        }
        System.out.println(outcomes + "]");
    }
}

class Webhooks`,
      ),
    encode: (each) =>
      each
        .map(({ headers, body: sent }) => [
          headers["webhook-id"],
          headers["webhook-timestamp"],
          headers["webhook-signature"],
          sent,
        ])
        .map((texts) => texts.map((text) => Buffer.from(text ?? "").toString("base64")).join(" "))
        .join("\n"),
  },
  ruby: {
    language: "ruby",
    program: "ruby",
    isHere: () => canRun("ruby", ["--version"]),
    file: "sample.rb",
    complete: (sample) => `${sample}
outcomes = JSON.parse(File.read(ARGV[0])).map do |each|
  !!verify_webhook(each["headers"], each["body"])
rescue RuntimeError
  false
end
puts JSON.generate(outcomes)`,
  },
  csharp: {
    language: "csharp",
    program: "dotnet",
    isHere: () => majorVersion("dotnet") >= 10, // runs a file without a project
    file: "sample.cs",
    args: ["run"],
    complete: (sample) => `using System.Text.Json;
${sample.replace(
  "static class",
  `var outcomes = JsonDocument.Parse(File.ReadAllText(args[0])).RootElement.EnumerateArray().Select(each => Webhooks.IsValid(
    each.GetProperty("headers").EnumerateObject().ToDictionary(header => header.Name, header => header.Value.GetString()!),
    each.GetProperty("body").GetString()!));
Console.WriteLine("[" + string.Join(",", outcomes.Select(isValid => isValid ? "true" : "false")) + "]");

static class`,
)}`,
  },
};

const secret = `whsec_${randomBytes(24).toString("base64")}`;
const previous = `whsec_${randomBytes(24).toString("base64")}`;
const body = JSON.stringify({ type: "capture.succeeded", data: { request_id: 7, external_identifier: "Größe 日本" } });

function webhook({ ageS = 0, secrets = [secret] as readonly string[], sent = body, id = "capture_7" } = {}): Webhook {
  const timestamp = Math.floor(Date.now() / 1000) - ageS;
  const headers = signatureHeaders({ id, timestamp, body }, secrets);
  return {
    headers: { "webhook-id": "capture_7", "webhook-timestamp": String(timestamp), ...headers },
    body: sent,
  };
}

const cases: readonly (readonly [title: string, isValid: boolean, webhook: Webhook])[] = [
  ["a signed webhook", true, webhook()],
  ["one that two secrets signed, as after a rotation", true, webhook({ secrets: [previous, secret] })],
  ["one that is four minutes old", true, webhook({ ageS: 240 })],
  ["a changed body", false, webhook({ sent: body.replace("7", "8") })],
  ["the JSON of the body, written again", false, webhook({ sent: JSON.stringify(JSON.parse(body), undefined, 1) })],
  ["another id", false, webhook({ id: "capture_8" })],
  ["an old time", false, webhook({ ageS: 400 })],
  ["a time in the future", false, webhook({ ageS: -400 })],
  ["another secret", false, webhook({ secrets: [previous] })],
  [
    "a new time with the signature of an old one",
    false,
    {
      ...webhook({ ageS: 400 }),
      headers: { ...webhook({ ageS: 400 }).headers, "webhook-timestamp": webhook().headers["webhook-timestamp"] ?? "" },
    },
  ],
];

test("webhook samples: there is one for each language of the samples but curl", () => {
  const languages = ["js", "ts", "python", "php", "go", "java", "ruby", "csharp"];
  expect(blocks.filter(({ language }) => languages.includes(language)).map(({ language }) => language)).toEqual(
    languages,
  );
});

describe.each(Object.entries(runners))("webhook samples: %s", (language, runner) => {
  test.concurrent("accepts what is signed and recent, and refuses all else", async (context) => {
    const name = sampleLanguages[language as keyof typeof sampleLanguages];
    skipWithout(runner.isHere(), context, `the verification of webhooks in ${name}`, runner.program);
    const sample = blocks.find((block) => block.language === runner.language)?.code ?? "";
    const file = join(folder, runner.file);
    const input = join(folder, `${language}.json`);
    writeFileSync(file, runner.complete(sample));
    const { encode = JSON.stringify } = runner;
    writeFileSync(input, encode(cases.map(([, , each]) => each)));
    const env = { ...process.env, SIGNING_SECRET: secret, SCREEN_CAPTURE_URL: "http://127.0.0.1:9" };
    const { stdout } = await promisify(execFile)(runner.program, [...(runner.args ?? []), file, input], { env });
    const outcomes = JSON.parse(stdout) as boolean[];
    context
      .expect(cases.map(([title], index) => [title, outcomes[index]]))
      .toEqual(cases.map(([title, isValid]) => [title, isValid]));
  });
});
