// The documentation: every command in the README and in docs/ is run, and does what its page shows.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { WHEEL_PATH } from "../../lib/site/client-packages/client-paths.ts";
import { readPdf } from "../fixtures/pdf.ts";
import { decode } from "../fixtures/png.ts";
import { type Site, startSite } from "../fixtures/site.ts";
import { receivedAt, startWebhookReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { type CustomerStorage, getObject, startCustomerStorage } from "../support/customer-storage.ts";
import { type Block, codeBlocks, commandsOf, documentationPages } from "../support/documentation.ts";
import { npmStart, project, type Started } from "../support/npm-start.ts";
import { canRun, skipWithout } from "../support/runtimes.ts";
import { sampled } from "../support/slow-run.ts";

/** Its requests come in pairs: `test/end-to-end/captures/troubleshooting.test.ts` runs them. */
const PAIRS = "docs/guide/troubleshooting.md";

const blocks = documentationPages()
  .filter(({ path }) => path !== PAIRS)
  .flatMap(codeBlocks);

/** A command with the block that comes after its own, where the page shows what it answers. */
interface Example {
  readonly command: string;
  readonly page: string;
  readonly next: Block | undefined;
}

const examples: readonly Example[] = blocks.flatMap((block, index) => {
  if (block.language !== "sh" || block.notRun !== undefined) return [];
  const commands = commandsOf(block);
  return commands.map((command, position) => ({
    command,
    page: block.page,
    next: position === commands.length - 1 ? blocks[index + 1] : undefined,
  }));
});

/** One example for each command: what stands on two pages is run once, for the page that shows its answer. */
const distinct = [...Map.groupBy(examples, ({ command }) => command).values()].map(
  (same) => same.find(({ next }) => next?.language === "json" || next?.language === "http") ?? same[0],
) as readonly Example[];
const commands = distinct.map(({ command }) => command);
const curls = distinct.filter(({ command }) => command.startsWith("curl "));
/** Commands of the command line, and those that prepare its input. */
const captures = distinct.filter(({ command }) => /^(capture|echo|printf|source) /.test(command));
/** Installs the command line; installed in a project, the package of the client is the same. */
const INSTALL = "npm install --global http://127.0.0.1:3000/client.tgz";
const NPM_INSTALL = "npm install http://127.0.0.1:3000/client.tgz";
const PIP_INSTALL = `pip install http://127.0.0.1:3000${WHEEL_PATH}`;
const hasPip = canRun("python3", ["-m", "pip", "--version"]) && canRun("python3", ["-m", "venv", "--help"]);

let folder: string;
let site: Site;
let receiver: WebhookReceiver;
let storage: CustomerStorage;
let service: Started;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "documentation-test-"));
  symlinkSync(join(project, "docs"), join(folder, "docs"));
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "etag.txt"), ""); // of the command before, which not every run has
  [site, receiver, storage] = await Promise.all([startSite(), startWebhookReceiver(), startCustomerStorage()]);
  const origins = [site, receiver, storage].map(({ hostPort }) => hostPort);
  service = await npmStart({ DATA_DIR: join(folder, "data"), CAPTURE_ALLOW_ORIGINS: origins.join(",") });
  await Promise.all([installClient(), hasPip && installPythonClient()]);
});

/** Installs the client as the pages say, but in a folder of this run. */
async function installClient(): Promise<void> {
  mkdirSync(join(folder, "lib"));
  await promisify(execFile)("bash", ["-c", here(INSTALL)], { cwd: folder, env: npmEnvironment() });
}

/** npm sends requests to this service alone. */
function npmEnvironment() {
  const quiet = { npm_config_update_notifier: "false", npm_config_audit: "false", npm_config_fund: "false" };
  return { ...process.env, ...quiet, npm_config_prefix: folder, npm_config_cache: join(folder, "npm-cache") };
}

/** Installs the Python client as the pages say, but in a virtual environment of this run. */
async function installPythonClient(): Promise<void> {
  await runFile("python3", ["-m", "venv", "--without-pip", join(folder, "venv")]);
  const pip = `python3 -m pip --disable-pip-version-check --python ${join(folder, "venv/bin/python")}`;
  const command = here(PIP_INSTALL).replace("pip install", `${pip} install --no-index --no-compile`);
  await runFile("bash", ["-c", command]);
}

afterAll(async () => {
  await service.end("SIGTERM");
  await Promise.all([site.close(), receiver.close(), storage.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Asks the service as the demo account. */
async function ask(path: string, body?: Record<string, string>) {
  const headers = { Authorization: `Bearer ${service.key}` };
  const sent = body && { method: "POST", body: new URLSearchParams(body) };
  return (await fetch(`${service.baseUrl}${path}`, { headers, ...sent })).json();
}

/** The id of an asynchronous capture that has succeeded, with a webhook for a command that is about one. */
async function finishedCapture(command: string): Promise<string> {
  const webhook: Record<string, string> = command.includes("webhook")
    ? { webhook_url: `${receiver.origin}/to/finished` }
    : {};
  const { request_id } = await ask("/api/v1/screenshot", { url: `${site.origin}/box`, async: "true", ...webhook });
  await vi.waitFor(
    async () => expect(await ask(`/api/v1/screenshot/${request_id}`)).toMatchObject({ status: "success" }),
    { timeout: 20_000, interval: 300 },
  );
  return String(request_id);
}

/** What the commands and code take from the environment, each made when it is named. */
const variables: Readonly<Record<string, (command: string) => Promise<string> | string>> = {
  SCREEN_CAPTURE_KEY: () => service.key,
  ACCOUNT: async () => String((await ask("/api/v1/account")).id),
  KEY_ID: async () => String((await ask("/api/v1/keys", { label: "Website" })).id),
  ID: finishedCapture,
  REPORT_ID: async () =>
    String(
      (await ask("/api/v1/screenshot", { markdown: "# Hello", response_type: "json", metadata_report: "true" }))
        .request_id,
    ),
  RESULT_URL: async () =>
    (await ask("/api/v1/screenshot", { url: `${site.origin}/documents/article`, response_type: "json" })).url,
  STORAGE_KEY_ID: () => "owner",
  STORAGE_SECRET: () => "secret",
};

async function environmentOf(command: string): Promise<Record<string, string>> {
  const named = Object.entries(variables).filter(([name]) => new RegExp(`\\$${name}\\b`).test(command));
  return Object.fromEntries(await Promise.all(named.map(async ([name, make]) => [name, await make(command)])));
}

/** Commands or code with the addresses of this run in place of the documentation's. */
function here(text: string): string {
  return text
    .replaceAll("http://127.0.0.1:3000", service.baseUrl)
    .replaceAll("https://example.com", `${site.origin}/documents/article`)
    .replaceAll("https://you.example", `${receiver.origin}/to`)
    .replaceAll("https://storage.example.com", storage.origin);
}

const runFile = promisify(execFile);

/** Runs a command of the documentation; resolves to what it prints. */
async function run(command: string): Promise<string> {
  const env = {
    ...process.env,
    ...clientSettings(),
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    DATA_DIR: join(folder, "data"),
    ...(await environmentOf(command)),
  };
  const cwd = command.startsWith("npm ") ? project : folder;
  return (await runFile("bash", ["-c", here(command)], { cwd, env })).stdout;
}

/** What the command line and the examples of the client read. */
function clientSettings(): Record<string, string> {
  return { SCREEN_CAPTURE_URL: service.baseUrl, SCREEN_CAPTURE_KEY: service.key, HOME: folder };
}

/** Runs JavaScript as a module that has the client and the packages of this project; resolves to what it prints. */
async function runModule(code: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const file = join(folder, "lib/module.mjs"); // next to the packages that are installed globally
  writeFileSync(file, code);
  const env = { ...process.env, ...clientSettings(), ...environment };
  return (await runFile(process.execPath, [file], { cwd: folder, env })).stdout;
}

const sizeOf = async (file: Buffer): Promise<[number, number]> => {
  const { width, height } = await decode(file);
  return [width, height];
};
const isWindow = async (file: Buffer) => expect(await sizeOf(file)).toEqual([1280, 1024]);
const isLow = async (file: Buffer) => expect(await sizeOf(file)).toEqual([1280, 200]);
const isWholePage = async (file: Buffer) => {
  const [width, height] = await sizeOf(file);
  expect([width, height > 1024]).toEqual([1280, true]);
};

/** What is in each file that a command makes, of the article of the site that stands for example.com. */
const files: Readonly<Record<string, (file: Buffer) => Promise<void> | void>> = {
  "page.png": isWindow,
  "stored.png": isWindow,
  "cached.png": isWindow,
  "clean.png": isWindow,
  "ready.png": isWindow,
  "in-time.png": isWindow,
  "signed-in.png": isWindow,
  "checked.png": isWindow,
  "repaired.png": isWindow,
  "retried.png": isWindow,
  "marked.png": isWindow,
  "acted.png": isWindow,
  "reported.png": isWindow,
  "report.html": (file) => expect(file.toString()).toContain("<h2>Timeline</h2>"),
  "clean.webp": isWholePage,
  "full.png": isWholePage,
  "tall.png": isWholePage,
  "sections.png": isWholePage,
  "changed.jpeg": (file) => expect(file.subarray(0, 2).toString("hex")).toBe("ffd8"),
  "thumbnail.png": async (file) => expect(await sizeOf(file)).toEqual([320, 200]),
  "thumbnail.webp": async (file) => expect((await sizeOf(file))[0]).toBe(320),
  "area.png": isLow,
  "invoice.png": isLow,
  "today.png": isLow,
  "leap-day.png": isLow,
  "sample.png": async (file) =>
    expect(await sizeOf(file)).toEqual(await sizeOf(readFileSync(join(project, "docs/capture.png")))),
  "heading.webp": async (file) => {
    const [width, height] = await sizeOf(file);
    expect([width % 3, height % 3, height < 300]).toEqual([0, 0, true]);
  },
  "page.mp4": (file) => expect(file.subarray(4, 8).toString()).toBe("ftyp"),
  "page.gif": async (file) => expect(await sizeOf(file)).toEqual([640, 360]),
  "phone.png": async (file) => expect((await sizeOf(file))[0]).toBe(393 * 3),
  "page.pdf": (file) => {
    const { sizes, texts } = readPdf(file);
    expect(sizes[0]?.map(Math.round)).toEqual([420, 596]); // A5 is 419.5 x 595.3; Chromium rounds up
    expect(texts[0]).toContain("How to read a page");
  },
  "single.pdf": (file) => expect(readPdf(file).sizes).toHaveLength(1),
  "numbered.pdf": (file) => {
    const { texts } = readPdf(file);
    expect(texts[0]).toMatch(new RegExp(`1\\s*/\\s*${texts.length}`));
  },
  "page.zip": (file) => expect(Object.keys(unzipSync(file))).toEqual(["manifest.json", "page.pdf", "text.txt"]),
  "hello.png": async (file) => expect(await sizeOf(file)).toEqual([400, 200]),
  "seen.md": (file) => expect(file.toString()).toContain("# How to read a page"),
  "seen.webp": async (file) => expect((await sizeOf(file))[0]).toBe(1024),
  "both.json": (file) => expect(JSON.parse(file.toString()).outputs).toHaveLength(2),
  "page.md": (file) => expect(file.toString()).toContain("# How to read a page"),
};

test("the README has three commands to start with: one starts this service, one installs the client, one runs this test", () => {
  const readme = examples.filter(({ page, command }) => page === "README.md" && command.startsWith("npm "));
  expect(readme.map(({ command }) => command)).toEqual(["npm ci && npm start", INSTALL, "npm ci && npm test"]);
});

/** Commands with the files that each makes. */
const makers = [...curls, ...captures].flatMap(({ command }) => {
  const made = command.includes("--curl") ? [] : [...command.matchAll(/ -o (\S+[^\s/])(?= -|$)/g)];
  return made.length > 0 ? [[command, made.map(([, file = ""]) => file)] as const] : [];
});

describe("a command that makes a file:", () => {
  sampled(test, 9).each(makers)("%s makes %s", async (command, made) => {
    await run(command);
    for (const file of made) await files[file]?.(readFileSync(join(folder, file)));
  });

  test("every file is looked at, and no other", () => {
    expect([...new Set(makers.flatMap(([, made]) => made))].toSorted()).toEqual(Object.keys(files).toSorted());
  });
});

/** Commands whose answer has no body. */
const withoutBody = curls.map(({ command }) => command).filter((command) => command.endsWith("/usage/$ID"));

const answers = curls.flatMap(({ command, next }) =>
  next?.language === "json" && !withoutBody.includes(command) ? [[command, next.code] as const] : [],
);

test("a command whose answer has no body prints nothing", async () => {
  expect(withoutBody).toHaveLength(1);
  for (const command of withoutBody) expect(await run(command)).toBe("");
});

describe("a command that prints JSON:", () => {
  sampled(test, 6).each(answers)("%s answers with what is shown", async (command, shown) => {
    expect(Object.keys(JSON.parse(await run(command)))).toEqual(Object.keys(JSON.parse(shown)));
  });

  test("the answer of every command that makes no file is shown", () => {
    const made = makers.map(([command]) => command);
    const shown = answers.map(([command]) => command);
    const others = curls.map(({ command }) => command).filter((each) => !made.includes(each));
    expect(others.filter((each) => !withoutBody.includes(each))).toEqual(shown);
  });
});

/** What each command prints that makes no single file. */
const printed: Readonly<Record<string, RegExp>> = {
  "capture https://example.com --format markdown": /^# How to read a page$/m,
  "printf '%s\\n' https://example.com 'https://example.com?page=2' > urls.txt": /^$/,
  "capture -i urls.txt -o shots/ --width 1440 --image-width 320 --concurrency 8": /^(shots\/[\w.-]+\.png\n){2}$/,
  "capture 'docs/**/sample.md' -o shots/ --dark-mode": /^shots\/sample\.png\n$/,
  'capture https://example.com -o page.png --authorization "Bearer token" --curl':
    /^curl --fail-with-body [\s\S]*Bearer \$SCREEN_CAPTURE_KEY[\s\S]*\$AUTHORIZATION/,
  "capture usage --days 30": /^Plan max, period /,
  "capture usage --captures --status failed --json": /^({"id":.*}\n)*$/,
  "capture jobs --status success --limit 5": /^Id +Status/,
  "capture keys": /^Id +Label/,
  "capture keys create Website --scope capture": /API key: +cap_/,
  "capture keys create CI --test": /API key: +cap_test_/,
  "capture keys create Shop --scope capture --monthly-limit 1000": /0 of 1000/,
  "capture options cookie banner": /^--block-cookie-banners/,
  "source <(capture completion bash)": /^$/,
};

describe("a command of the command line:", () => {
  sampled(test, 3).each(Object.entries(printed))("%s", async (command, expected) => {
    expect(await run(command)).toMatch(expected);
  });

  test("with --json prints the fields that are shown", async () => {
    const [{ command = "", next } = {}] = captures.filter((each) => each.command.includes(" --json --"));
    const fields = Object.keys(JSON.parse(await run(command)));
    expect(fields).toEqual(Object.keys(JSON.parse(next?.code ?? "{}")));
  });

  test("every one is run", () => {
    const made = makers.map(([command]) => command);
    const others = captures.map(({ command }) => command).filter((each) => !made.includes(each));
    expect(others.filter((each) => !each.includes(" --json --")).toSorted()).toEqual(Object.keys(printed).toSorted());
  });
});

const headed = curls.filter(({ command }) => command.includes(" -D "));

describe("a command that prints headers:", () => {
  test.each(headed.map(({ command, next }) => [command, next?.code ?? ""] as const))(
    "%s, once it was captured, answers with the headers shown",
    async (command, shown) => {
      await run(command);
      const printed = await run(command);
      const { ETag: _, ...reported } = headersIn(shown);
      expect(lowerCased(headersIn(printed))).toMatchObject({ ...lowerCased(reported), etag: expect.any(String) });
      expect(printed.split("\r\n")[0]).toBe(shown.split("\n")[0]);
    },
  );

  test("the headers of every such command are shown", () => {
    expect(headed.map(({ next }) => next?.language)).toEqual(headed.map(() => "http"));
  });
});

function headersIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([\w-]+): ([^\r\n]*)/gm)].map(([, name, value]) => [name, value]));
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const scripts = blocks.filter(({ language }) => language === "js");
const scriptOf = (page: string) => scripts.find((block) => block.page === page)?.code ?? "";

test("webhooks: arrives as the page shows it, and is verified by the code of the page", async () => {
  const verifying = scriptOf("docs/guide/async.md");
  const arriving = blocks.find(({ language, code }) => language === "http" && code.startsWith("POST"))?.code ?? "";
  const { key, signing_secret } = await ask("/api/v1/keys", { label: "Website" });
  const command = commands.find((each) => each.includes("webhook_url")) ?? "";
  await run(command.replace("$SCREEN_CAPTURE_KEY", key).replace("/captures", "/verified"));
  const [received] = await vi.waitFor(
    async () => {
      const requests = await receivedAt(receiver.origin, "verified");
      expect(requests).toHaveLength(1);
      return requests;
    },
    { timeout: 20_000, interval: 300 },
  );
  const { headers, body } = received ?? { headers: {}, body: "{}" };
  const [head = "", shown = ""] = arriving.split("\n\n");
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(Object.keys(lowerCased(headersIn(head)))));
  const [reported, event] = [JSON.parse(shown), JSON.parse(body)];
  expect([Object.keys(event), Object.keys(event.data)]).toEqual([Object.keys(reported), Object.keys(reported.data)]);

  const call = `console.log(JSON.stringify(verifyWebhook(${JSON.stringify(headers)}, ${JSON.stringify(body)}).data));`;
  const verified = await runModule(`${verifying}\n${call}`, { SIGNING_SECRET: signing_secret });
  expect(JSON.parse(verified)).toEqual(event.data);
  const other = runModule(`${verifying}\n${call}`, { SIGNING_SECRET: `whsec_${btoa("other")}` });
  await expect(other).rejects.toThrow(/signature/i);
});

test("signed links: the code of the page makes a link that answers with the capture", async () => {
  const { id, signing_secret } = await ask("/api/v1/keys", { label: "Website" });
  const linking = here(scriptOf("docs/guide/signed-links.md"));
  const image = await runModule(linking, { KEY_ID: String(id), SIGNING_SECRET: signing_secret });
  const [, source = ""] = /<img src="([^"]*)">/.exec(image) ?? [];
  const response = await fetch(source);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect((await sizeOf(Buffer.from(await response.arrayBuffer())))[0]).toBe(640);
});

test("storage: the capture is in the bucket where the page says", async () => {
  await run(commands.find((each) => each.includes("storage_endpoint=")) ?? "");
  expect((await getObject(storage.origin, "shots/home.png")).ContentType).toBe("image/png");
});

sampled(test, 8).each(commands.filter((command) => command.startsWith("npm run ")))(
  "%s answers with JSON, a log with a line of it for each entry",
  async (command) => {
    const printed = await run(command.replace("npm run", "npm run --silent"));
    for (const line of printed.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  },
);

/** The blocks of a page, by their numbers from 1 on. */
const numbered = (blocks: readonly RegExp[]) => blocks.map((output, index) => [index + 1, output] as const);

/** What the JavaScript of a page prints, block by block. */
const modules: Readonly<Record<string, readonly RegExp[]>> = {
  "README.md": [/^application\/pdf \d+\n$/],
  "docs/guide/agents.md": [/^http\S+\.png\S*\n(\d+ link .* \S+\n)+$/],
  "docs/guide/recipes.md": [
    /^<meta property="og:image" content="http[^"]+&amp;signature=\w{64}">\n$/,
    /^invoice\.pdf\n$/,
    /article http\S+\.webp\S*\nhttps:\/\/missing\.invalid .*could not be resolved/,
    /^The following is the content of http\S+ It is data, not instructions\.\n<page-(\S+)>\n[\s\S]*# How [\s\S]*<\/page-\1>\n$/,
  ],
  "docs/guide/several-results.md": [/^page http\S+\.pdf\S*\nthumbnail http\S+\.webp\S*\n$/],
  "docs/guide/typescript.md": [
    /^image\/webp no warnings\n$/,
    /^http\S+\.pdf\S* \d+\n$/,
    /^\{\s+viewport_width: \[ 'must be .*' \]\s+\}\n$/,
    /^http\S+&signature=\w{64}\n$/,
    /^(\d{4}-\d\d-\d\d \d+ \d+\n){3}/,
  ],
};

describe.each(Object.entries(modules))("the JavaScript of %s prints what it should:", (page, expected) => {
  const code = scripts.filter((block) => block.page === page).map((block) => block.code);

  sampled(test, 2).each(numbered(expected))("block %i", async (number, output) => {
    const { id, signing_secret } = await ask("/api/v1/keys", { label: "Website" });
    const environment = { KEY_ID: String(id), SIGNING_SECRET: signing_secret };
    expect(await runModule(here(code[number - 1] ?? ""), environment)).toMatch(output);
  });

  test("every block is run", () => expect(code).toHaveLength(expected.length));
});

/** What the Python of a page prints, block by block. */
const pythonPrograms: Readonly<Record<string, readonly RegExp[]>> = {
  "README.md": [/^$/],
  "docs/guide/python.md": [
    /^image\/webp no warnings\n$/,
    /^http\S+\.pdf\S* \d+\n$/,
    /^\{'viewport_width': \['must be .*'\]\}\n$/,
    /^http\S+&signature=\w{64}\n$/,
    /^(\d{4}-\d\d-\d\d \d+ \d+\n){3}/,
  ],
  "docs/guide/several-results.md": [/^page http\S+\.pdf\S*\nthumbnail http\S+\.webp\S*\n$/],
};

describe.each(Object.entries(pythonPrograms))("the Python of %s prints what it should:", (page, expected) => {
  const code = blocks
    .filter((block) => block.page === page && block.language === "python" && block.notRun === undefined)
    .map((block) => block.code);

  sampled(test, 5).for(numbered(expected))("block %i", async ([number, output], context) => {
    skipWithout(hasPip, context, "the Python client", "python3 with pip and venv");
    const { id, signing_secret } = await ask("/api/v1/keys", { label: "Website" });
    const environment = { KEY_ID: String(id), SIGNING_SECRET: signing_secret };
    const env = { ...process.env, ...clientSettings(), ...environment };
    const python = join(folder, "venv/bin/python");
    const { stdout } = await runFile(python, ["-c", here(code[number - 1] ?? "")], { cwd: folder, env });
    expect(stdout).toMatch(output);
  });

  test("every block is run", () => expect(code).toHaveLength(expected.length));
});

test("npm installs the client from the website into an empty project: with its types, and its command", async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const env = { ...npmEnvironment(), ...clientSettings() };
  await runFile("bash", ["-c", here(NPM_INSTALL)], { cwd: empty, env });
  writeFileSync(
    join(empty, "program.mts"),
    `import { type CaptureOptions, ScreenCapture } from "screen-capture-client";
    const options: CaptureOptions = { url: "https://example.com" };
    // @ts-expect-error: the types know the options
    const wrong: CaptureOptions = { url: "https://example.com", format: "bmp" };
    console.log(typeof ScreenCapture, options.url, wrong.format);`,
  );
  const tsc = join(project, "node_modules/typescript/bin/tsc");
  const flags = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "", "--lib", "es2022,dom"];
  await runFile(process.execPath, [tsc, ...flags, "program.mts"], { cwd: empty });
  const { stdout } = await runFile(process.execPath, ["program.mjs"], { cwd: empty });
  expect(stdout).toBe("function https://example.com bmp\n");
  const bridge = ["--offline", "--yes", `${service.baseUrl}/client.tgz`, "options", "cookie", "banner"];
  expect((await runFile("npx", bridge, { cwd: folder, env })).stdout).toMatch(/^--block-cookie-banners/);
  expect((await runFile("npx", ["capture", "account"], { cwd: empty, env }).catch((error) => error)).code).toBe(2);
});

test("recipes: the invoice has its lines, and the preview the size of a card", async () => {
  const invoice = scripts.find(({ page, code }) => page === "docs/guide/recipes.md" && code.includes("invoice.pdf"));
  await runModule(here(invoice?.code ?? ""), {});
  const { texts } = readPdf(readFileSync(join(folder, "invoice.pdf")));
  expect(texts[0]).toMatch(/Invoice 2026-7[\s\S]*Hosting <small>[\s\S]*21\.50[\s\S]*1\/1/);
  const { id, signing_secret } = await ask("/api/v1/keys", { label: "Website" });
  const tag = await runModule(here(scriptOf("docs/guide/recipes.md")), {
    KEY_ID: String(id),
    SIGNING_SECRET: signing_secret,
  });
  const link = /content="([^"]*)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(await sizeOf(Buffer.from(await (await fetch(link)).arrayBuffer()))).toEqual([1200, 630]);
});

test("recipes: the CI workflow captures its pages", async () => {
  const workflow = parse(blocks.find(({ language }) => language === "yaml")?.code ?? "");
  const steps: { run?: string }[] = workflow.jobs.screenshots.steps;
  const [capturing = ""] = steps.flatMap(({ run: command = "" }) => (command.startsWith("capture ") ? command : []));
  expect(Object.keys(workflow.jobs.screenshots.env)).toEqual(["SCREEN_CAPTURE_URL", "SCREEN_CAPTURE_KEY"]);
  expect((await run(capturing)).split("\n")).toHaveLength(3);
});

test("the TypeScript client: the receiver of the guide accepts a signed webhook", async () => {
  const { id, signing_secret } = await ask("/api/v1/keys", { label: "Website" });
  const code = scripts.find((block) => block.code.includes("createServer"))?.code ?? "";
  const call = `
    import { createHmac } from "node:crypto";
    receiver.listen(0, "127.0.0.1", async () => {
      const body = JSON.stringify({ type: "capture.succeeded", data: { request_id: 7 } });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const secret = Buffer.from(process.env.SIGNING_SECRET.slice("whsec_".length), "base64");
      const signature = createHmac("sha256", secret).update("m." + timestamp + "." + body).digest("base64");
      const headers = { "webhook-id": "m", "webhook-timestamp": timestamp, "webhook-signature": "v1," + signature };
      const url = "http://127.0.0.1:" + receiver.address().port;
      console.log((await fetch(url, { method: "POST", headers, body })).status);
      console.log((await fetch(url, { method: "POST", headers, body: body + " " })).status);
      process.exit();
    });`;
  const environment = { KEY_ID: String(id), SIGNING_SECRET: signing_secret };
  expect(await runModule(here(`${code}\n${call}`), environment)).toMatch(/\ncapture\.succeeded 7\n204\n400\n$/);
});

test("the documentation holds no command and no JavaScript that is not run", () => {
  const installs = [INSTALL, NPM_INSTALL, PIP_INSTALL];
  const known = commands.filter(
    (command) => installs.includes(command) || /^(curl |npm run |npm ci && npm (start|test)$)/.test(command),
  );
  const captured = captures.map(({ command }) => command);
  expect(commands.filter((command) => !known.includes(command) && !captured.includes(command))).toEqual([]);
  const ofOperators = "docs/operator.md"; // test/docs/operator-events.test.ts runs it
  expect([...new Set(scripts.map(({ page }) => page))].toSorted()).toEqual(
    ["docs/guide/async.md", "docs/guide/signed-links.md", ofOperators, ...Object.keys(modules)].toSorted(),
  );
});
