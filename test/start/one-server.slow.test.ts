// docs/one-server.md: its commands and settings, in the order of the page, on a fresh Debian server with systemd, Caddy, and nginx.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type DebianServer, missingForServer, startDebianServer } from "../support/debian-server.ts";
import { type Block, codeBlocks, commandsOf } from "../support/documentation.ts";
import { publishNewerLists } from "../support/newer-lists.ts";
import { startRegistry, type TestRegistry } from "../support/npm-registry.ts";
import { project } from "../support/npm-start.ts";
import { skipWithout } from "../support/runtimes.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";

const PAGE = "docs/one-server.md";
const RUN_HERE = "a test runs it in a Debian root";
const NEEDS_DOCKER = "needs a Docker engine";
const HOST = "captures.example.com";
const SETUP_MS = 600_000;

const guide = readFileSync(join(project, PAGE), "utf8");
const [, ...sections] = guide.split(/^## /m);
/** The blocks of code by the headings of their sections. */
const blocks = new Map(
  sections.map((section) => [section.split("\n", 1)[0] ?? "", codeBlocks({ path: PAGE, text: section })]),
);

/** The form of the operator's commands that the page states once, and shortens to `node` later. */
const [, fullNode = ""] = /^(sudo DATA_DIR=\S+ \S+\/node) bin\//m.exec(guide) ?? [];
const [, applySettings = ""] = /Restart\s+the service after each change:\n\n.*\n```sh\n(.*)\n/.exec(guide) ?? [];

/** What the examples of the page stand for, set by the tests. */
const real = { request: "", account: "", smtpServer: "" };

/** Every difference between what the page prints and what is run. */
const substitutions: readonly (readonly [pattern: RegExp, replacement: () => string])[] = [
  // The build is made on this machine, as the page allows, by `npm run build` with the packages that are installed here: npm ci would
  // download all of them into the server.
  [/^(git pull && )?npm ci && npm run build$/, () => "test -f dist/assembly/manifest.json"],
  // Examples of values that only the reader has.
  [/\b280000000000000\b/, () => real.request],
  [/\b247177643095000\b/, () => real.account],
  [/\bsmtps:\/\/user:password@smtp\.example\.com:465\b/, () => real.smtpServer],
  // No certificate authority signs for the name of the example.
  [/^captures\.example\.com \{$/m, () => `${HOST} {\n\ttls internal`],
  // The shortened form. The registry is one of the test, whose lists are newer than those of the build.
  [/^node (?=bin\/lists)/, () => `${fullNode.replace("sudo ", `sudo npm_config_registry=${registry.url} `)} `],
  [/^node (?=bin\/)/, () => `${fullNode} `],
];

const here = (text: string) =>
  substitutions.reduce((replaced, [pattern, replacement]) => replaced.replace(pattern, replacement), text);

const missing = missingForServer();
let folder: string;
let server: DebianServer;
let registry: TestRegistry;
/** The key that the log shows, and the bytes of a result that was stored with it. */
let key: string;
let stored: { readonly url: string; readonly bytes: Buffer };

beforeAll(async () => {
  if (missing !== undefined) return;
  await requireFreePorts([80, 443, 2019, 3000, 9464]);
  folder = mkdtempSync(join(tmpdir(), "one-server-test-"));
  registry = await startRegistry();
  server = await startDebianServer(join(folder, "root"), {
    packages: ["curl", "ca-certificates", "caddy", "nginx-light"],
    hostNames: [HOST],
    disabledUnits: ["nginx"], // a server has one of both proxies
  });
  const clone = join(server.root, server.home, "screen-capture");
  mkdirSync(clone);
  cpSync(join(project, "systemd"), join(clone, "systemd"), { recursive: true });
  await promisify(execFile)("npm", ["run", "--silent", "build", "--", join(clone, "dist")], { cwd: project });
  await makeCertificate();
}, SETUP_MS);

afterAll(async () => {
  await server?.close();
  await registry?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, SETUP_MS);

beforeEach((context) => skipWithout(missing === undefined, context, "the guide for one server", missing ?? ""));

/** The network is that of this machine. */
async function requireFreePorts(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    const socket = connect(port, "127.0.0.1");
    const isTaken = await new Promise((resolve) =>
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false)),
    );
    socket.destroy();
    if (isTaken) throw new Error(`Port ${port}, which the guide names, is in use on this machine.`);
  }
}

/** A certificate where the page expects it. curl trusts it, and the authority of Caddy's `tls internal`. */
async function makeCertificate(): Promise<void> {
  const path = join(server.root, "etc/letsencrypt/live", HOST);
  mkdirSync(path, { recursive: true });
  const files = ["-keyout", join(path, "privkey.pem"), "-out", join(path, "fullchain.pem")];
  const subject = ["-subj", `/CN=${HOST}`, "-addext", `subjectAltName=DNS:${HOST}`];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await promisify(execFile)("openssl", ["req", "-x509", ...kind, ...files, ...subject]);
  writeFileSync(join(server.root, server.home, ".curlrc"), "cacert = /etc/authorities.pem\n");
  cpSync(join(path, "fullchain.pem"), join(server.root, "etc/authorities.pem"));
}

function trustCaddy(): void {
  const authority = "var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt";
  appendFileSync(join(server.root, "etc/authorities.pem"), readFileSync(join(server.root, authority)));
}

/** Where the reader is: in the clone at first, then where the last `cd` went. */
let cwd = "screen-capture";
const followed = new Set<Block>();
const settings: Record<string, string> = {};

interface Hooks {
  /** Called before each command, with the text of the page. */
  readonly before?: (command: string) => Promise<void> | void;
  /** Called after each block. */
  readonly after?: (block: Block) => Promise<void> | void;
}

/** Does what a section says. Returns what each command printed. */
async function follow(heading: string, hooks: Hooks = {}): Promise<string[]> {
  const found = blocks.get(heading);
  if (!found) throw new Error(`${PAGE} has no section '${heading}'.`);
  const printed: string[] = [];
  for (const block of found) {
    if (block.language === "sh" && block.notRun === RUN_HERE) printed.push(...(await runCommands(block, hooks)));
    else if (block.language === "ini") await applyLines(block);
    else if (block.code.includes("reverse_proxy"))
      writeFileSync(join(server.root, "etc/caddy/Caddyfile"), `${here(block.code)}\n`);
    else if (block.language === "nginx")
      writeFileSync(join(server.root, "etc/nginx/conf.d/screen-capture.conf"), `${here(block.code)}\n`);
    else continue;
    followed.add(block);
    if (/systemctl (re)?start screen-capture$/m.test(block.code)) await untilHealthy();
    await hooks.after?.(block);
  }
  return printed;
}

async function runCommands(block: Block, { before }: Hooks): Promise<string[]> {
  const printed: string[] = [];
  if (block.code.includes("npm run build")) cwd = join(server.home, "screen-capture");
  for (const command of commandsOf(block)) {
    await before?.(command);
    const [, path] = /^cd (\S+)$/.exec(command) ?? [];
    if (path !== undefined) cwd = path;
    printed.push(
      await server.run(here(command), { cwd, environment: { METRICS_TOKEN: settings["METRICS_TOKEN"] ?? "" } }),
    );
  }
  return printed;
}

/** Adds settings to the file of the unit, and applies them as the page says. */
async function applyLines({ code }: Block): Promise<void> {
  const lines = here(code);
  for (const line of lines.split("\n")) settings[line.split("=", 1)[0] ?? ""] = line.slice(line.indexOf("=") + 1);
  appendFileSync(join(server.root, "etc/screen-capture.env"), `${lines}\n`);
  await server.run(applySettings);
  await untilHealthy();
}

/** Rejects with the log of a service that doesn't start. */
async function untilHealthy(): Promise<void> {
  const flags = "--silent --fail --retry 20 --retry-connrefused --retry-max-time 60";
  const log = "sudo journalctl --unit screen-capture --output=cat --lines=40 >&2";
  await server.run(`curl ${flags} http://127.0.0.1:3000/health || { ${log}; false; }`);
}

type Answer = Awaited<ReturnType<typeof call>>;

/** Sends a request on the server to its public address, which the proxy answers. */
async function call(path: string, ...args: readonly string[]) {
  const quoted = args.map((each) => `'${each.replaceAll("'", `'\\''`)}'`).join(" ");
  const output = join(server.home, `answer-${randomUUID()}`);
  const format = "%{http_code} %header{x-request-id}";
  const url = path.startsWith("https:") ? path : `https://${HOST}${path}`;
  const printed = await server.run(
    `curl --silent --show-error --output ${output} --write-out '${format}' ${quoted} '${url}'`,
  );
  const [status, requestId = ""] = printed.split(" ");
  const bytes = readFileSync(join(server.root, output));
  return { status: Number(status), requestId, bytes, json: () => JSON.parse(bytes.toString()) };
}

const authorization = (used: string) => ["--header", `Authorization: Bearer ${used}`];

/** Captures with the key of the demo account, or another one. */
function capture(options: Readonly<Record<string, string>>, used = key): Promise<Answer> {
  const all = { viewport_width: "200", viewport_height: "100", ...options };
  const fields = Object.entries(all).flatMap(([name, value]) => ["--data-urlencode", `${name}=${value}`]);
  return call("/api/v1/screenshot", ...authorization(used), ...fields);
}

const PNG = "\x89PNG";

async function expectWorkingKey(): Promise<void> {
  const { status, bytes } = await capture({ html: "<h1>Works</h1>", cache: "false" });
  expect([status, bytes.subarray(0, 4).toString("latin1")]).toEqual([200, PNG]);
}

async function expectStoredResult(): Promise<void> {
  const { status, bytes } = await call(stored.url);
  expect([status, bytes.equals(stored.bytes)]).toEqual([200, true]);
}

test("one server: the service of the unit starts, answers, prints its first key, and its operator creates an account", async () => {
  const printed = await follow("systemd");
  expect(printed.filter((each) => each.endsWith("}") && each.includes('"status":"ok"'))).toHaveLength(1);
  const log = printed.find((each) => each.includes("Press Ctrl-C to stop")) ?? "";
  const shown = blocks.get("The first key")?.find(({ language }) => language === "text");
  expect([...log.matchAll(/export (\w+)=\S+$/gm)].map(([, name]) => name)).toEqual(
    [...(shown?.code ?? "").matchAll(/^export (\w+)=/gm)].map(([, name]) => name),
  );
  key = /export SCREEN_CAPTURE_KEY=(cap_\S+)$/m.exec(log)?.[1] ?? "";
  const file = statSync(join(server.root, "etc/screen-capture.env"));
  expect([file.uid, file.mode & 0o777]).toEqual([0, 0o600]);
  expect(JSON.parse(printed.find((each) => each.includes('"plan"')) ?? "{}")).toMatchObject({ plan: "max" });
});

test("one server: Caddy and nginx end TLS, each as configured, and a capture with the first key has a link to the public address", async () => {
  const health = () =>
    call("/health").then(
      ({ status }) => status,
      () => 0,
    );
  const captured: string[] = [];
  await follow("Reverse proxy with TLS", {
    async before(command) {
      if (!command.includes("nginx")) return;
      await server.run("sudo systemctl stop caddy && sudo systemctl start nginx");
    },
    async after({ language, code }) {
      if (language !== "sh") return;
      if (code.includes("reload caddy"))
        await expect
          .poll(() => {
            trustCaddy();
            return health();
          })
          .toBe(200);
      else await expect.poll(health).toBe(200);
      const answer = await capture({ html: `<h1>${code}</h1>`, response_type: "json" });
      expect(answer.status).toBe(200);
      captured.push(answer.json().url);
    },
  });
  expect(captured.map((url) => new URL(url).origin)).toEqual(captured.map(() => `https://${HOST}`));
  await server.run("sudo systemctl stop nginx && sudo systemctl start caddy");
  await expect.poll(health).toBe(200);
  const [url = ""] = captured;
  stored = { url, bytes: (await call(url)).bytes };
  expect(stored.bytes.subarray(0, 4).toString("latin1")).toBe(PNG);
});

test("one server: a visitor gets a code from the SMTP server of the settings, and an account with it", async () => {
  const { port, mails } = await startSmtpReceiver({}, "password");
  real.smtpServer = `smtp://user:password@127.0.0.1:${port}`;
  await follow("Mail");
  const headers = ["Content-Type: application/json", `Origin: https://${HOST}`, "Sec-Fetch-Site: same-origin"];
  const browser = ["--cookie", "cookies", "--cookie-jar", "cookies"]; // a code is for the browser that asked for it
  const fromPage = [...headers.flatMap((header) => ["--header", header]), ...browser];
  const email = "ann@customer.example";
  expect((await call("/sign-in/code", ...fromPage, "--data", JSON.stringify({ email }))).status).toBe(202);
  await expect.poll(() => mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ from: "captures@example.com", to: [email], user: "user" });
  const [, code] = /^Subject: (\d{6}) /m.exec(mails[0]?.source ?? "") ?? [];
  const verified = await call("/sign-in/code/verify", ...fromPage, "--data", JSON.stringify({ email, code }));
  expect(verified.status).toBe(201);
});

test("one server: the metrics answer with their token only, and not at the public address", async () => {
  const [metrics = ""] = await follow("Metrics");
  expect(metrics).toMatch(/^screen_capture_captures_total\{/m);
  const refused = await server.run("curl --silent --write-out '%{http_code}' http://127.0.0.1:9464/metrics");
  expect(refused).toBe("401");
  expect((await call("/metrics", ...authorization(settings["METRICS_TOKEN"] ?? ""))).status).toBe(404);
});

test("one server: the number of a failed request leads to its lines in the log, and its account to more of them", async () => {
  const failed = await capture({ html: "<p>Sold out", fail_if_content_contains: "sold out" });
  expect(failed.status).toBe(422);
  expect(failed.requestId).toBe(String(failed.json().request_id));
  real.request = failed.requestId;
  real.account = String((await call("/api/v1/account", ...authorization(key))).json().id);
  const [ofRequest = "", ofAccount = ""] = await follow("A failure, traced");
  expect(ofRequest).toContain(` Screenshot request request_id=${real.request} account_id=${real.account} status=422 `);
  expect(ofRequest).toContain(failed.json().code);
  expect(ofAccount.split("\n").length).toBeGreaterThan(ofRequest.split("\n").length);
  expect(ofAccount).toContain(`account_id=${real.account}`);
});

test("one server: after a loss of all data, a restored backup has the same key and results, which belong to the service", async () => {
  await follow("Backup and restore", {
    async before(command) {
      if (!command.includes("bin/restore.ts")) return;
      await server.run("sudo find /var/lib/screen-capture/ -mindepth 1 -delete");
    },
  });
  await expectStoredResult();
  await expectWorkingKey();
  const owner = await server.run("sudo stat --format=%u /var/lib/screen-capture/");
  expect(Number(owner)).toBeGreaterThan(0);
  expect(await server.run(`sudo find /var/lib/screen-capture/ -not -uid ${owner.trim()}`)).toBe("");
  const backup = statSync(join(server.root, "root/screen-capture.backup"));
  expect([backup.uid, backup.mode & 0o777]).toEqual([0, 0o600]);
});

test("one server: the newest filter lists change captures without a restart, and the lists before are back with --previous", async () => {
  await publishNewerLists(registry, "##.box-of-the-newest-list");
  const text = async () => {
    const html = '<p>Text<div class="box-of-the-newest-list">Box</div>';
    return (await capture({ html, format: "text", block_annoyances: "true", cache: "false" })).bytes.toString().trim();
  };
  expect(await text()).toMatch(/^Text\s+Box$/);
  const [installed] = await follow("Fresh filter lists");
  expect(installed).toMatch(/^Installed filter lists 99\.0\.0 \(2099-01-02\) and /);
  expect(await text()).toBe("Text");
  const others = ["node bin/lists.ts --previous", "node bin/lists.ts"];
  const inText = [...guide.matchAll(/`(node bin\/lists\.ts[^`]*)`/g)].map(([, command]) => command);
  expect(inText.toSorted()).toEqual(others.toSorted());
  const [back, list] = [
    await server.run(here(others[0] ?? ""), { cwd }),
    await server.run(here(others[1] ?? ""), { cwd }),
  ];
  expect(back).toMatch(/^Captures use the lists of 20\d\d-/);
  expect(list).not.toContain("2099-01-02");
  expect(await text()).toMatch(/^Text\s+Box$/);
  expect(await server.run(here("node bin/lists.ts --update"), { cwd })).toMatch(/^Installed /);
  expect(await text()).toBe("Text");
});

const STOP_MS = 30_000;
/** A page with a worker keeps real time, so that each second of `delay` takes one. */
const SLOW_PAGE = '<p>Slow<script>new Worker(URL.createObjectURL(new Blob([""])))</script>';

const stateOf = async (job: string) =>
  (await call(`/api/v1/screenshot/${job}`, ...authorization(key))).json().status as string;

/** Stops the service by a command of the page. Expects that it ends by itself, in the time that the page allows. */
async function expectCleanStop(command: string): Promise<void> {
  const start = performance.now();
  await server.run(command);
  expect(performance.now() - start).toBeLessThan(STOP_MS);
  const shown = await server.run("systemctl show --property=Result,ExecMainStatus,ActiveState screen-capture");
  expect(shown.trim().split("\n").toSorted()).toEqual(["ActiveState=inactive", "ExecMainStatus=0", "Result=success"]);
}

test("one server: an upgrade keeps the key, the results, the newest lists, and queued captures", async () => {
  const clone = join(server.root, server.home, "screen-capture");
  writeFileSync(join(clone, "dist/next-version"), "");
  const jobs: string[] = [];
  await follow("Upgrade without loss", {
    async before(command) {
      if (!command.includes("systemctl stop")) return;
      for (let job = 0; job < 4; job++) {
        const queued = await capture({ html: `${SLOW_PAGE} ${job}`, delay: "5", async: "true" });
        expect(queued.status).toBe(202);
        jobs.push(String(queued.json().request_id));
      }
      expect(await stateOf(jobs.at(-1) ?? "")).toMatch(/^(queued|processing)$/);
      await expectCleanStop(command);
    },
  });
  expect(jobs).toHaveLength(4);
  expect([
    existsSync(join(server.root, "opt/screen-capture/next-version")),
    existsSync(join(server.root, "opt/screen-capture.old")),
  ]).toEqual([true, false]);
  const states = () => Promise.all(jobs.map(stateOf));
  await expect.poll(states, { timeout: 60_000, interval: 1_000 }).toEqual(jobs.map(() => "success"));
  await expectStoredResult();
  await expectWorkingKey();
  const { lists } = (await call("/health")).json();
  expect(lists.map(({ date }: { date: string }) => date)).toContain("2099-01-02");
});

test("one server: a stop of the service succeeds within the time that its unit allows, also during a capture", async () => {
  const running = capture({ html: SLOW_PAGE, delay: "20" });
  await sleep(2_000); // the capture has started
  await expectCleanStop("sudo systemctl stop screen-capture");
  expect((await running).status).toBe(502);
  const log = await server.run("sudo journalctl --unit screen-capture --output=cat");
  expect(log).not.toMatch(/AccessDenied|protection missing/);
});

test("one server: every block of the page was followed, except those of Docker and those that the test of the documentation runs", () => {
  const others = [...blocks.values()].flat().filter((block) => !followed.has(block));
  const reasons = others.filter(({ language }) => language === "sh").map(({ notRun }) => notRun);
  expect(reasons.filter((reason) => reason !== undefined && reason !== NEEDS_DOCKER)).toEqual([]);
  const rest = others.filter(({ language }) => language !== "sh");
  expect(rest).toEqual(blocks.get("The first key")); // compared with the log
});
