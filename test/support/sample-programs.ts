// Runs code samples in the languages that this machine has.
import { execFile, execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { GO_MODULE } from "../../lib/site/client-packages/client-paths.ts";
import type { SampleLanguage } from "../../lib/site/samples/sample-languages.ts";
import { canRun } from "./runtimes.ts";

interface Program {
  readonly command: readonly string[];
  readonly file: string;
}

const programs: Partial<Record<SampleLanguage, Program>> = {
  sh: { command: ["sh"], file: "sample.sh" },
  javascript: { command: [process.execPath], file: "sample.mjs" },
  typescript: { command: [process.execPath], file: "sample.mts" },
  ...(canRun("python3", ["--version"]) && { python: { command: ["python3"], file: "sample.py" } }),
  ...(canRun("php", ["-r", "curl_version();"]) && { php: { command: ["php"], file: "sample.php" } }),
  ...(canRun("ruby", ["-v"]) && { ruby: { command: ["ruby"], file: "sample.rb" } }),
  ...(canRun("javac", ["--version"]) && { java: { command: ["java"], file: "Sample.java" } }),
  ...(canRun("go", ["version"]) && { go: { command: ["go", "run"], file: "sample.go" } }),
};

const clients = join(import.meta.dirname, "../../clients");

/** A sample in TypeScript with the sources of our client in place of its package. */
export const withClientSources = (code: string): string =>
  code.replace('"screen-capture-client"', JSON.stringify(join(clients, "typescript/src/index.ts")));

/** The environment in which Python and Ruby import our clients from their sources, and Go ignores the folder `vendor` of PHP. */
export const clientEnvironment = {
  PYTHONPATH: join(clients, "python/src"),
  RUBYLIB: join(clients, "ruby/lib"),
  GOFLAGS: "-mod=mod",
};

/** The file `go.mod` of a module that imports the sources of our client. */
export const goModule = (name: string): string =>
  `module ${name}\n\ngo 1.19\n\nrequire ${GO_MODULE} v0.0.0\n\nreplace ${GO_MODULE} => ${join(clients, "go")}\n`;

let classes: string | undefined;

/** The classes of our Java client, which are compiled once for each file of tests. */
export function javaClient(): string {
  if (classes !== undefined) return classes;
  classes = mkdtempSync(join(tmpdir(), "java-client-"));
  const sources = globSync("java/src/**/*.java", { cwd: clients });
  execFileSync("javac", ["-encoding", "UTF-8", "-d", classes, ...sources], { cwd: clients });
  return classes;
}

/** Writes into the folder of a sample what it imports and this machine may lack: our PHP client, and the package requests of Python. */
export function writePackages(folder: string): void {
  mkdirSync(join(folder, "vendor"));
  writeFileSync(
    join(folder, "vendor/autoload.php"),
    `<?php require_once '${join(clients, "php/tests/autoload.php")}';`,
  );
  writeFileSync(join(folder, "requests.py"), requestsModule);
}

/** JavaScript and the shell are on every machine; the others run where they are installed. */
export const installedLanguages = Object.keys(programs) as SampleLanguage[];

/** Runs a sample in a new folder, which it resolves to. Rejects when the program fails. */
export async function runSample(
  language: SampleLanguage,
  code: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { command: [program = "", ...words] = [], file = "" } = programs[language] ?? {};
  const folder = mkdtempSync(join(tmpdir(), "sample-"));
  writeFileSync(join(folder, file), language === "typescript" ? withClientSources(code) : code);
  writePackages(folder);
  if (language === "go") writeFileSync(join(folder, "go.mod"), goModule("sample"));
  const classPath = language === "java" ? { CLASSPATH: javaClient() } : {};
  const env = { ...process.env, ...environment, ...clientEnvironment, ...classPath };
  await promisify(execFile)(program, [...words, file], { cwd: folder, env });
  return folder;
}

/** Stands in for the Python package requests, which isn't installed everywhere: what the samples use of it. */
const requestsModule = `
import json as j, urllib.parse, urllib.request
class Response:
    ok = True
    def __init__(self, content): self.content = content; self.text = content.decode()
def send(method, url, headers, json=None, data=None):
    body = None
    if json is not None:
        body = j.dumps(json).encode()
        headers = {**headers, "Content-Type": "application/json"}
    elif data is not None: body = urllib.parse.urlencode(data).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method)) as response:
        return Response(response.read())
def get(url, **rest): return send("GET", url, **rest)
def post(url, **rest): return send("POST", url, **rest)
def patch(url, **rest): return send("PATCH", url, **rest)
def delete(url, **rest): return send("DELETE", url, **rest)
`;
