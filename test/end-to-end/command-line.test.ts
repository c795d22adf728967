// The `capture` command against the running service, installed from its package, under each Node.js of this machine. Pages are
// rendered by the fake renderer.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Client as McpClient } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { documentedSamples } from "../../lib/service/openapi/code-samples.ts";
import { readPdf } from "../fixtures/pdf.ts";
import { decode } from "../fixtures/png.ts";
import { type Client, openClient } from "../support/client.ts";
import { type ClientPackage, installClient, supportedNodes } from "../support/client-package.ts";
import { canRun, skipWithout } from "../support/runtimes.ts";
import { sample, sampled, slowDescribe, slowTest } from "../support/slow-run.ts";

const { baseUrl, site } = inject("service");
const nodes = await supportedNodes();

let root: string;
let installed: ClientPackage;
let account: Client;
let folder: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "command-line-test-"));
  [installed, account] = await Promise.all([installClient(root), openClient()]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
});

interface Outcome {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

interface Run {
  readonly node?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the command in the folder of the test; it has no settings but those given here. */
function start(args: readonly string[], { node = process.execPath, env = {} }: Run = {}) {
  const settings = { SCREEN_CAPTURE_URL: baseUrl, SCREEN_CAPTURE_KEY: account.key, HOME: folder, ...env };
  return spawn(node, [installed.command, ...args], { cwd: folder, env: { PATH: process.env["PATH"], ...settings } });
}

async function capture(args: readonly string[], options: Run = {}): Promise<Outcome> {
  const child = start(args, options);
  child.stdin.on("error", () => {}).end(options.input ?? "");
  const collect = async (stream: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([collect(child.stdout), collect(child.stderr)]);
  return { code: (await ended)[0], stdout, stderr: stderr.toString() };
}

const file = (name: string) => readFileSync(join(folder, name));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const sizeOf = async (image: Buffer) => {
  const { width, height } = await decode(image);
  return [width, height];
};

/** Runs a command of the shell on a terminal, and returns what it prints there and its exit code. */
async function onTerminal(command: string): Promise<{ code: number | null; printed: string }> {
  const settings = { SCREEN_CAPTURE_URL: baseUrl, SCREEN_CAPTURE_KEY: account.key, HOME: folder, NO_COLOR: "1" };
  const env = { PATH: `${join(installed.folder, "node_modules/.bin")}:${process.env["PATH"]}`, ...settings };
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let printed = "";
  for await (const chunk of child.stdout) printed += chunk;
  return { code: (await ended)[0], printed };
}

describe.each(sample([...nodes], nodes.size))("command line under Node.js %i:", (_major, node) => {
  test("captures a page to a file, with options as flags", async () => {
    const { code, stdout, stderr } = await capture(
      [`${site}/box`, "-o", "page.png", "--width", "300", "--viewport-height=200", "--full_page", "--no-javascript"],
      { node },
    );
    expect({ code, stdout: stdout.toString(), stderr }).toEqual({ code: 0, stdout: "page.png\n", stderr: "" });
    expect(await sizeOf(file("page.png"))).toEqual([300, 200]);
  });

  test("prints the text of HTML from standard input", async () => {
    const { stdout } = await capture(["-", "--format", "markdown"], { node, input: "<h1>Grüße</h1>" });
    expect(stdout.toString()).toBe("# Grüße\n");
  });

  test("explains a wrong option, and exits with 2", async () => {
    const { code, stderr } = await capture([`${site}/box`, "--widt", "3"], { node });
    expect([code, stderr]).toEqual([2, "error: Unknown flag --widt. Did you mean --width?\n"]);
  });

  sampled(test, 2).each(["2025-11-25", "2026-07-28"])("mcp bridges to a client of revision %s", async (revision) => {
    const mode = revision === "2025-11-25" ? "legacy" : { pin: revision };
    const client = new McpClient({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    const env = { SCREEN_CAPTURE_URL: baseUrl, SCREEN_CAPTURE_KEY: account.key, HOME: folder };
    await client.connect(new StdioClientTransport({ command: node, args: [installed.command, "mcp"], env }));
    const given = { html: "<h1>Bridge</h1>", viewport_width: 300, viewport_height: 200 };
    const { content } = await client.callTool({ name: "capture_screenshot", arguments: given });
    expect(content).toMatchObject([
      { type: "image", mimeType: "image/webp" },
      { type: "text" },
      { type: "resource_link" },
    ]);
    await client.close();
  });
});

describe("command line: captures", () => {
  slowTest("without a file are named after their pages, also when two are alike", async () => {
    const { code, stdout } = await capture([`${site}/box`, `${site}/box`, `${site}/box?again`, "--width", "100"]);
    const stem = `${new URL(site).host.replace(":", "-")}-box`;
    expect([code, stdout.toString().split("\n").toSorted()]).toEqual([
      0,
      ["", `${stem}-2.png`, `${stem}-again.png`, `${stem}.png`],
    ]);
  });

  slowTest("of a list have the names that the list gives them, also when they end in another order", async () => {
    const page = (name: string, rest = "") => `${site}/page?page=${name}${rest}`;
    const pages = [page("slow", "&after=1500"), page("gone", "&status=404"), page("SLOW", "&after=1500")];
    write("urls.txt", [...pages, page("quick"), page("slow", "&after=1500"), page("quick")].join("\n"));
    const { code } = await capture(["-i", "urls.txt", "-o", "shots/", "--format", "text", "-c", "6"]);
    const stem = `${new URL(site).host.replace(":", "-")}-page-page`;
    const written = readdirSync(join(folder, "shots")).map((name) => [name, file(`shots/${name}`).toString()]);
    expect([code, Object.fromEntries(written)]).toEqual([
      5,
      {
        [`${stem}-slow-after-1500.txt`]: "slow",
        [`${stem}-SLOW-after-1500-2.txt`]: "SLOW",
        [`${stem}-quick.txt`]: "quick",
        [`${stem}-slow-after-1500-3.txt`]: "slow",
        [`${stem}-quick-2.txt`]: "quick",
      },
    ]);
  });

  slowTest("of an overloaded page are retried, as standard error says, and of a slow page are not", async () => {
    const { code, stderr } = await capture([`${site}/status?status=503`, "--timeout", "20"]);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/^retrying \(2 of 3\)[\s\S]*retrying \(3 of 3\)[\s\S]*error: /),
    ]);
    const slow = await capture([`${site}/never-answers`, "--timeout", "2"]);
    expect([slow.code, slow.stderr]).toEqual([6, expect.stringMatching(/^error: .*CAPTURE_TIMEOUT/)]);
  });

  slowTest("on a terminal say what they are doing once they take longer than two seconds", async () => {
    const { printed } = await onTerminal(`capture ${site}/never-answers --timeout 4`);
    expect(printed).toMatch(/Capturing \.\.\. \d+ s/);
    expect((await onTerminal(`capture ${site}/box -o box.png --width 100 --quiet`)).printed).toBe("");
  });

  test("of a list report each failure, and share an exit code only if all failed alike", async () => {
    write("urls.txt", `# pages\n${site}/box\n\n${site}/status/404\n`);
    const { code, stdout, stderr } = await capture(["-i", "urls.txt", "-o", "shots/", "--concurrency", "2"]);
    expect([code, stdout.toString()]).toEqual([5, expect.stringMatching(/^shots\/[\w.-]+-box\.png\n$/)]);
    expect(stderr).toMatch(/^error: \S+\/status\/404: .*\(TARGET_HTTP_ERROR, request \d+\)\n$/);
    const mixed = await capture([`${site}/status/404`, "ftp://127.0.0.1/"]);
    expect([mixed.code, mixed.stdout.toString()]).toEqual([1, ""]);
  });

  test("with --json are stored, and saved if a file is named", async () => {
    const { stdout } = await capture([`${site}/box`, "--json", "-o", "page.webp", "--metadata-page-title"]);
    const result = JSON.parse(stdout.toString());
    expect(result).toMatchObject({
      file: "page.webp",
      mime_type: "image/webp",
      metadata: { page_title: expect.anything() },
    });
    expect(file("page.webp")).toHaveLength(result.file_size_bytes);
    const failed = await capture([`${site}/status/404`, "--json"]);
    expect(JSON.parse(failed.stdout.toString())).toMatchObject({
      input: `${site}/status/404`,
      code: "TARGET_HTTP_ERROR",
    });
  });

  slowTest(
    "on a terminal show their progress, and refuse to print what isn't text before it costs a capture",
    async () => {
      write("urls.txt", `${site}/box\n${site}/box?2\n`);
      const { code, printed } = await onTerminal("capture -i urls.txt -o shots/ --width 100");
      expect([code, printed]).toEqual([0, expect.stringContaining("[========================] 2/2 ")]);
      const before = (await account.logs()).length;
      const image = await onTerminal(`capture ${site}/box -o -`);
      expect([image.code, image.printed]).toEqual([2, expect.stringContaining("A terminal can't show png.")]);
      expect(await account.logs()).toHaveLength(before);
    },
  );

  test("with --watch are made again when the file changes, until the command is interrupted", async () => {
    write("page.html", "<h1>One</h1>");
    const child = start(["page.html", "-o", "page.md", "--watch"]);
    const ended = once(child, "close");
    const printed = child.stdout.iterator();
    await printed.next();
    expect(file("page.md").toString()).toBe("# One\n");
    write("page.html", "<h1>Two</h1>");
    await printed.next();
    expect(file("page.md").toString()).toBe("# Two\n");
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
  });

  test("end with 130 when they are interrupted", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const child = start([`${site}/box`, "--api-url", `http://127.0.0.1:${port}`]);
    const ended = once(child, "close");
    await once(silent, "connection");
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
    silent.close();
  });
});

describe("command line: several files of one page", () => {
  test("are one request, with each option where it applies", async () => {
    const by = await openClient();
    write("page.html", "<h1>Hello</h1>");
    const outputs = ["-o", "shot.png", "-o", "prints/page.pdf", "-o", "page.md"];
    const { code, stdout, stderr } = await capture(
      ["page.html", ...outputs, "--width", "300", "--height", "200", "--image-width", "150"],
      { env: { SCREEN_CAPTURE_KEY: by.key } },
    );
    const printed = stdout.toString();
    expect({ code, printed, stderr }).toEqual({ code: 0, printed: "shot.png\nprints/page.pdf\npage.md\n", stderr: "" });
    expect(await sizeOf(file("shot.png"))).toEqual([150, 100]);
    expect([readPdf(file("prints/page.pdf")).sizes.length, file("page.md").toString()]).toEqual([1, "# Hello\n"]);
    const logs = await by.logs();
    expect([logs.length, new Set(logs.map(({ group_id }) => group_id)).size]).toEqual([3, 1]);
  });

  test("are written without the one that fails, which is named and sets the exit code", async () => {
    write("page.html", "<h1>Hello</h1>");
    const args = ["page.html", "-o", "none.png", "-o", "page.txt", "--selector", "#missing"];
    const { code, stdout, stderr } = await capture(args);
    expect([code, stdout.toString()]).toEqual([5, "page.txt\n"]);
    expect(stderr).toMatch(/^error: none\.png: .*#missing.* \(SELECTOR_NOT_FOUND, request \d+\)\n$/);
    expect(readdirSync(folder).toSorted()).toEqual(["page.html", "page.txt"]);
    const json = JSON.parse((await capture([...args, "--json"])).stdout.toString());
    expect(json).toMatchObject({ input: "page.html", outputs: [{ status: "failed" }, { file: "page.txt" }] });
  });

  test("with - write one result to standard output, and print no names", async () => {
    const { code, stdout } = await capture(["-", "-o", "-", "-o", "page.md", "--width", "120", "--height", "90"], {
      input: "<p>Hello",
    });
    expect([code, await sizeOf(stdout), readdirSync(folder)]).toEqual([0, [120, 90], ["page.md"]]);
  });
});

describe("command line: a local page", () => {
  test("is captured without files that it may not use, each of which is named", async () => {
    write("page.html", "<h1>Page</h1><img src=none.png><img src=../out.png>");
    const printed = await capture(["page.html", "-o", "page.md"]);
    expect([printed.code, printed.stderr.split("\n")]).toEqual([
      0,
      [
        "warning: page.html: 'none.png' is left out: it isn't a file that can be read.",
        "warning: page.html: '../out.png' is left out: it isn't a file that can be read.",
        "",
      ],
    ]);
    const { stdout } = await capture(["page.html", "--format", "text", "--json"]);
    expect(JSON.parse(stdout.toString()).warnings).toEqual([
      "'none.png' is left out: it isn't a file that can be read.",
      "'../out.png' is left out: it isn't a file that can be read.",
    ]);
  });

  test("never overwrites a file that it uses", async () => {
    write("page.html", "<img src=used.png>");
    write("used.png", "a picture");
    const { code, stderr } = await capture(["page.html", "-o", "used.png"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is read by this command and isn't overwritten")]);
    expect(file("used.png").toString()).toBe("a picture");
  });
});

describe("code samples capture with", () => {
  const tricky = {
    markdown: '# It\'s "quoted" $HOME `x`',
    viewport_height: 200,
    full_page: false,
    hide_selectors: ["a b", "#c"],
  };
  const samples = [
    { url: `${site}/box`, format: "jpeg" },
    { ...tricky, format: "markdown" },
  ].flatMap((options) =>
    documentedSamples(options, baseUrl).map((sample) => [sample.label, options.format, sample] as const),
  );

  const pythonPath = join(import.meta.dirname, "../../clients/python/src");

  sampled(test, 2).for(samples)("%s: a result in the format %s", async ([, format, { lang, source }], context) => {
    if (lang === "Python") skipWithout(canRun("python3", ["--version"]), context, "samples in Python", "python3");
    const code = join(installed.folder, `sample-${basename(folder)}.mts`);
    if (lang === "TypeScript") writeFileSync(code, source);
    const programs = {
      Shell: ["bash", "-c", source],
      TypeScript: [process.execPath, code],
      Python: ["python3", "-c", source],
    } as const;
    const [command, ...args] = programs[lang];
    const bin = join(installed.folder, "node_modules/.bin");
    const settings = {
      SCREEN_CAPTURE_URL: baseUrl,
      SCREEN_CAPTURE_KEY: account.key,
      HOME: folder,
      PYTHONPATH: pythonPath,
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const env = { ...settings, PATH: `${bin}:${process.env["PATH"]}` };
    const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    expect((await once(child, "close"))[0]).toBe(0);
    if (format === "markdown") expect(file("page.md").toString()).toBe('# It\'s "quoted" $HOME `x`\n');
    else expect(file("page.jpg").subarray(0, 2).toString("hex")).toBe("ffd8");
  });
});

test("command line: the exit code says what failed", async () => {
  const trial = await openClient({ plan: "free", openedAt: Date.now() - 8 * 86_400_000 });
  const runs = [
    capture([`${site}/box`, "-o", "page.png", "--viewport-width", "1"]),
    capture([`${site}/box`], { env: { SCREEN_CAPTURE_KEY: "cap_wrong" } }),
    capture([`${site}/box`], { env: { SCREEN_CAPTURE_KEY: trial.key } }),
    capture([`${site}/box`], { env: { SCREEN_CAPTURE_URL: "http://127.0.0.1:9" } }),
  ];
  expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([2, 3, 4, 7]);
});

describe("command line: secrets", () => {
  test("--curl prints a command that runs, without the key and without secret options", async () => {
    write("it's.html", "<h1>Quoted</h1>");
    const { stdout } = await capture([
      "it's.html",
      "--curl",
      "-o",
      "it's.md",
      "--base-url",
      "https://example.com",
      "--authorization",
      "sesame",
      "--headers",
      "X-A: b",
    ]);
    const command = stdout.toString();
    expect(command).not.toMatch(/cap_|sesame|X-A/);
    expect(command).toContain('"authorization=$AUTHORIZATION"');
    const env = { ...process.env, SCREEN_CAPTURE_KEY: account.key, AUTHORIZATION: "sesame", HEADERS: "X-A: b" };
    const child = spawn("bash", ["-c", command], { cwd: folder, env });
    expect((await once(child, "close"))[0]).toBe(0);
    expect(file("it's.md").toString()).toBe("# Quoted\n");
  });

  test("no output contains the key", async () => {
    const printed = await Promise.all([
      capture(["--help"]),
      capture([`${site}/status/404`, "--json"]),
      capture(["missing.invalid"]),
      capture(["usage", "--json"]),
      capture(["keys", "--json"]),
      capture([`${site}/box`], { env: { SCREEN_CAPTURE_URL: "http://127.0.0.1:9" } }),
      capture([`${site}/box`], { env: { SCREEN_CAPTURE_KEY: `${account.key}\nX-Injected: 1` } }),
    ]);
    for (const { stdout, stderr } of printed) expect(`${stdout}${stderr}`).not.toContain(account.key);
  });

  test("login saves the key for its owner alone, and the key is used for its service alone", async () => {
    const env = { SCREEN_CAPTURE_KEY: "", SCREEN_CAPTURE_URL: "" };
    expect((await capture(["usage"], { env })).code).toBe(2);
    const wrong = await capture(["login", "--api-url", baseUrl], { env, input: "cap_wrong\n" });
    expect([wrong.code, readdirSync(folder)]).toEqual([3, []]);
    const empty = await capture(["login", "--api-url", baseUrl], { env });
    expect([empty.code, empty.stderr]).toEqual([2, "error: No API key was entered.\n"]);
    const saved = await capture(["login", "--api-url", baseUrl], { env, input: `${account.key}\n` });
    expect([saved.code, saved.stdout.toString()]).toEqual([0, expect.not.stringContaining(account.key)]);
    const config = join(folder, ".config/screen-capture/config.json");
    expect((statSync(config).mode & 0o777).toString(8)).toBe("600");
    expect((await capture(["usage"], { env })).stdout.toString()).toContain("Plan max");
    const other = await capture(["usage"], { env: { ...env, SCREEN_CAPTURE_URL: "http://127.0.0.1:9" } });
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining("There is no API key for http://127.0.0.1:9"),
    ]);
    chmodSync(config, 0o644);
    expect((await capture(["usage"], { env })).stderr).toContain(`chmod 600 ${config}`);
  });
});

slowDescribe("command line: other commands", () => {
  test("usage shows the quota and each day", async () => {
    const { stdout } = await capture(["usage", "--days", "3"]);
    expect(stdout.toString()).toMatch(/^Plan max, period .*\ncaptures: \d+ of 60000 used\n\nDay +Success +Failed/);
    expect(stdout.toString().trim().split("\n")).toHaveLength(7);
    const json = JSON.parse((await capture(["usage", "--json"])).stdout.toString());
    expect([json.account.plan, json.days.length]).toEqual(["max", 7]);
    const list = (await capture(["usage", "--captures", "--json"])).stdout.toString().trim().split("\n");
    expect(list.map((line) => JSON.parse(line).id)).toContain((await account.logs())[0]?.["id"]);
    await capture([`${site}/status/404`]);
    const byCode = ["usage", "--captures", "--error-code"];
    expect((await capture([...byCode, "TARGET_HTTP_ERROR"])).stdout.toString()).toMatch(/ failed .*\/status\/404 /);
    expect((await capture([...byCode, "SCRIPT_FAILED"])).stdout.toString()).toBe("");
    expect((await capture([...byCode, "NONE"])).stderr).toContain("must be one of");
  });

  test("jobs lists asynchronous captures, waits for one, saves its result, and exits with the code of its error", async () => {
    const { stdout } = await capture([`${site}/box`, "--async", "--json", "--width", "150", "--height", "100"]);
    const id = String(JSON.parse(stdout.toString()).request_id);
    const saved = await capture(["jobs", id, "--wait", "-o", "later.png"]);
    expect([saved.code, saved.stdout.toString()]).toEqual([0, "later.png\n"]);
    expect(await sizeOf(file("later.png"))).toEqual([150, 100]);
    const failing = (await capture([`${site}/status/404`, "--async"])).stdout.toString();
    const [, failingId = ""] = /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/screenshot\/(\d+)\n$/.exec(failing) ?? [];
    const failed = await capture(["jobs", failingId, "--wait"]);
    expect([failed.code, failed.stderr]).toEqual([5, expect.stringContaining("responded with status 404")]);
    const list = (await capture(["jobs", "--status", "success"])).stdout.toString();
    expect(list).toMatch(
      new RegExp(`^Id +Status +Requested +Result\n[\\s\\S]*${id} +success +\\S+ +${baseUrl}/storage/`),
    );
    expect((await capture(["jobs", "--limit", "1", "--json"])).stdout.toString().trim().split("\n")).toHaveLength(1);
    const cancelled = await capture(["jobs", id, "--cancel"]);
    expect([cancelled.code, cancelled.stdout.toString()]).toEqual([0, expect.stringContaining("so it was billed")]);
    expect((await capture(["jobs", "7"])).code).toBe(2);
  });

  test("keys limits a key, rotates it with an overlap, and ends that", async () => {
    const keys = async (...args: string[]) => {
      const { stdout } = await capture(["keys", ...args, "--json"]);
      return JSON.parse(stdout.toString());
    };
    const { id, monthly_limit } = await keys("create", "Shop", "--monthly-limit", "10");
    expect(monthly_limit).toBe(10);
    expect(await keys("limit", String(id), "--monthly-limit", "20")).toMatchObject({ monthly_limit: 20 });
    const { previous_texts } = await keys("rotate", String(id), "--overlap", "2h");
    expect(Date.parse(previous_texts[0].ends_at) - Date.now()).toBeGreaterThan(119 * 60 * 1000);
    const list = (await capture(["keys"])).stdout.toString();
    expect(list).toMatch(/Shop .* 0 of 20 /);
    expect(list).toContain(`The old text ${previous_texts[0].key_prefix}… of Shop works until `);
    expect(await keys("end-old", String(id))).toMatchObject({ previous_texts: [] });
    expect(await keys("limit", String(id), "--monthly-limit", "none")).toMatchObject({ monthly_limit: null });
  });

  test("keys creates, rotates, lists, and revokes, also keys for tests", async () => {
    const created = JSON.parse(
      (await capture(["keys", "create", "CI", "--scope", "capture", "--json"])).stdout.toString(),
    );
    expect(created).toMatchObject({ label: "CI", scopes: ["capture"] });
    const rotated = (await capture(["keys", "rotate", String(created.id)])).stdout.toString();
    expect(rotated).toMatch(/API key: +cap_\w+\nSigning secret: whsec_/);
    expect(rotated).not.toContain(created.key);
    const tests = (await capture(["keys", "create", "Tests", "--test"])).stdout.toString();
    expect(tests).toMatch(/API key: +cap_test_\w+\n/);
    await capture(["keys", "revoke", String(created.id)]);
    expect((await capture(["keys"])).stdout.toString()).toMatch(new RegExp(`${created.id} +CI .* revoked `));
  });
});
