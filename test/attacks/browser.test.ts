// Browser isolation: what a hostile page gets from the browser, and what the browser process gets from the function.
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type BrowserSession, launchBrowser } from "../../lib/engine/browser/browser.ts";
import { parseAllowedOrigins } from "../../lib/engine/egress/egress-policy.ts";
import { intercept } from "../../lib/engine/page/interception.ts";
import { type Site, startSite } from "../fixtures/site.ts";
import { captureWith, chromiumFiles, testLimits } from "../support/chromium.ts";

let site: Site;
let other: Site;
let session: BrowserSession;
let page: Page;
/** A folder for temporary files of this test alone. */
let folder: string;
/** A file that this process has open while it starts the browser. */
let open: number;

beforeAll(async () => {
  [site, other] = await Promise.all([startSite(), startSite()]);
  const files = await chromiumFiles();
  folder = mkdtempSync(join(tmpdir(), "browser-attacks-"));
  open = openSync(join(folder, "open"), "w");
  vi.stubEnv("TMPDIR", folder);
  for (const name of SECRETS) vi.stubEnv(name, "a secret of the function");
  const allowed = parseAllowedOrigins([site.hostPort, other.hostPort].join());
  session = await launchBrowser({ files, allowed, limits: testLimits });
  page = await session.page();
  await page.goto(`${site.origin}/box`);
});
afterAll(async () => {
  await session.close();
  closeSync(open);
  vi.unstubAllEnvs();
  await Promise.all([site.close(), other.close()]);
  rmSync(folder, { recursive: true });
});

/** What Lambda shows a function of itself. https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
const SECRETS = [
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_LAMBDA_RUNTIME_API",
  "LAMBDA_TASK_ROOT",
  "_HANDLER",
  "ACCOUNTS_TABLE",
];

const pidOf = ({ browser }: BrowserSession) => browser.process()?.pid ?? 0;
const linksOf = (pid: number | "self") =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return []; // closed meanwhile
    }
  });

describe("browser isolation: the browser process", () => {
  test("has nothing of the function's environment", () => {
    const environment = readFileSync(`/proc/${pidOf(session)}/environ`, "utf8")
      .split("\0")
      .filter(Boolean);
    const names = environment.map((variable) => variable.split("=", 1)[0]);
    // What the shell that starts it sets by itself says where the browser is.
    const own = ["HOME", "TMPDIR", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "LANG", "TZ", "PWD", "OLDPWD", "SHLVL", "_"];
    expect(names.filter((name = "") => !own.includes(name))).toEqual([]);
    expect(environment.filter((variable) => variable.includes("secret"))).toEqual([]);
  });

  test("runs in a folder of its own, not in that of the function's code", () => {
    expect(readlinkSync(`/proc/${pidOf(session)}/cwd`)).toMatch(new RegExp(`^${folder}/profile-`));
  });

  test("has no open file or socket of the function", () => {
    const shared = linksOf("self").filter((link) => !link.startsWith("anon_inode:") && link !== "/dev/null");
    const links = linksOf(pidOf(session));
    expect(shared).toContain(join(folder, "open"));
    expect(links.filter((link) => shared.includes(link))).toEqual([]);
  });

  test.each([
    ["core dumps", /^Max core file size +0 +0 /m],
    ["more memory than it may hold", /^Max data size +(?!unlimited)\d+ +(?!unlimited)\d+ /m],
  ])("is not allowed %s", (_, line) => {
    expect(readFileSync(`/proc/${pidOf(session)}/limits`, "utf8")).toMatch(line);
  });

  test("has no child processes", () => {
    const tasks = readdirSync(`/proc/${pidOf(session)}/task`);
    const children = tasks.map((task) => readFileSync(`/proc/${pidOf(session)}/task/${task}/children`, "utf8"));
    expect(children.filter(Boolean)).toEqual([]);
  });

  test("listens on no port, and is connected to its proxy only", async () => {
    await page.evaluate(() => fetch("/box").then((answer) => answer.text()));
    const inodes = new Set(linksOf(pidOf(session)).flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
    const sockets = ["tcp", "tcp6", "udp", "udp6"].flatMap((protocol) =>
      readFileSync(`/proc/net/${protocol}`, "utf8")
        .split("\n")
        .map((line) => line.trim().split(/\s+/))
        .filter((columns) => inodes.has(columns[9] ?? "")),
    );
    const proxy = `0100007F:${session.proxy.port.toString(16).toUpperCase().padStart(4, "0")}`;
    expect(new Set(sockets.map(([, , remote]) => remote))).toEqual(new Set([proxy]));
  });
});

describe("browser isolation: a page", () => {
  test.each([
    ...["geolocation", "notifications", "midi", "camera", "microphone", "background-fetch", "background-sync"],
    ...["periodic-background-sync", "persistent-storage", "accelerometer", "gyroscope", "magnetometer"],
    ...["clipboard-read", "clipboard-write", "display-capture", "payment-handler", "idle-detection"],
    ...["screen-wake-lock", "storage-access", "window-management", "local-fonts", "keyboard-lock", "pointer-lock"],
    ...["captured-surface-control", "local-network-access", "local-network", "loopback-network"],
  ])("does not have the permission %s", async (name) => {
    expect(
      await page.evaluate(
        async (requested) => (await navigator.permissions.query({ name: requested as PermissionName })).state,
        name,
      ),
    ).toBe("prompt");
  });

  /** What it comes to, with a user's click behind it: the name of an error, or a value. */
  const doors: [what: string, code: string, outcome: string][] = [
    ["a camera", "navigator.mediaDevices.getUserMedia({ video: true })", "NotFoundError"],
    ["a microphone", "navigator.mediaDevices.getUserMedia({ audio: true })", "NotFoundError"],
    ["the screen", "navigator.mediaDevices.getDisplayMedia()", "NotSupportedError"],
    ["the names of devices", "navigator.mediaDevices.enumerateDevices().then(JSON.stringify)", "\\[\\]"],
    [
      "its place",
      "new Promise((found, failed) => navigator.geolocation.getCurrentPosition(found, ({ code }) => found(code)))",
      "1",
    ],
    ["notifications", "Notification.requestPermission()", "default"],
    ["to read the clipboard", "navigator.clipboard.readText()", "NotAllowedError"],
    ["to write the clipboard", "navigator.clipboard.writeText('x')", "NotAllowedError"],
    ["MIDI", "navigator.requestMIDIAccess()", "NotAllowedError"],
    ["MIDI with system messages", "navigator.requestMIDIAccess({ sysex: true })", "NotAllowedError"],
    ["a USB device", "navigator.usb.requestDevice({ filters: [] })", "NotFoundError"],
    ["USB devices without asking", "navigator.usb.getDevices().then(({ length }) => length)", "0"],
    ["an input device", "navigator.hid.requestDevice({ filters: [] }).then(({ length }) => length)", "0"],
    ["a serial port", "navigator.serial.requestPort()", "NotFoundError"],
    ["Bluetooth", "navigator.bluetooth.requestDevice({ acceptAllDevices: true })", "TypeError"],
    [
      "sensors",
      "new Promise((_, no) => { const s = new Accelerometer(); s.onerror = ({ error }) => no(error); s.start() })",
      "NotReadableError",
    ],
    ["to keep the screen on", "navigator.wakeLock.request('screen')", "NotAllowedError"],
    ["all screens", "getScreenDetails()", "NotAllowedError"],
    ["to know who is idle", "IdleDetector.requestPermission()", "prompt"],
    ["lasting storage", "navigator.storage.persist()", "false"],
    [
      "a payment",
      "new PaymentRequest([{ supportedMethods: 'https://pay.test' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).show()",
      "UnknownError",
    ],
    ["a password", "navigator.credentials.get({ password: true })", "NotSupportedError"],
    ["a passkey", "navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16) } })", "SecurityError"],
    ["the fonts of the machine", "queryLocalFonts().then(({ length }) => length)", "0"],
    ["a file to read", "showOpenFilePicker()", "AbortError|NotAllowedError|SecurityError"],
    ["a file to write", "showSaveFilePicker()", "AbortError|NotAllowedError|SecurityError"],
    ["a folder", "showDirectoryPicker()", "AbortError|NotAllowedError|SecurityError"],
    ["a graphics processor", "navigator.gpu.requestAdapter()", "null"],
    ["a window", "Promise.resolve(open('/box'))", "null"],
    ["a window without an opener", "Promise.resolve(open('/box', '_blank', 'noopener'))", "null"],
    ["plain sockets", "Promise.resolve(typeof TCPSocket)", "undefined"],
    ["memory shared with other pages", "Promise.resolve(typeof SharedArrayBuffer)", "undefined"],
    ["a printer", "Promise.resolve(print())", "undefined"],
  ];
  test.each(doors)("does not get %s", async (_, code, outcome) => {
    const requested = page.evaluate(`(async () => ${code})().then(String, ({ name }) => name)`);
    expect(await requested).toMatch(new RegExp(`^(?:${outcome})$`));
  });

  test("leaves no other page open", async () => {
    expect(await session.browser.pages()).toHaveLength(1);
  });

  test("of one origin cannot read another that it can reach", async () => {
    const read = `fetch("${other.origin}/box?read").then(() => "read", ({ name }) => name)`;
    expect(await page.evaluate(read)).toBe("TypeError");
    expect(other.requests.map(({ path }) => path)).toContain("/box?read");
  });

  test("that is secure loads nothing insecure: neither scripts nor frames", async () => {
    const secure = await launchBrowser({
      files: await chromiumFiles(),
      allowed: parseAllowedOrigins(site.hostPort),
      limits: testLimits,
      resolve: async () => ["127.0.0.1"],
    });
    const port = site.hostPort.split(":")[1];
    const embed = (host: string) =>
      ["script", "iframe"].map((kind) => `<${kind} src="http://${host}:${port}/box?${kind}-in-${host}"></${kind}>`);
    const body = Buffer.from([...embed("elsewhere.test"), ...embed("127.0.0.1")].join(""));
    const headers = [{ name: "content-type", value: "text/html" }];
    const answer = { status: 200, headers, body };
    await intercept(secure.cdp, {
      patterns: [{ urlPattern: "https://*" }],
      intervene: ({ request }) => (request.url.startsWith("https:") ? { answer } : undefined),
    });
    await (await secure.page()).goto("https://secure.test/");
    await secure.close();
    // Loopback is as good as secure (https://w3c.github.io/webappsec-secure-contexts/), and shows that the page asks.
    const requested = site.requests.map(({ path }) => path).filter((path) => path.includes("-in-"));
    expect(requested.sort()).toEqual(["/box?iframe-in-127.0.0.1", "/box?script-in-127.0.0.1"]);
  });
});

describe("browser isolation: a page downloads nothing", () => {
  const link = (
    href: string,
  ) => `const link = document.createElement("a"); link.href = ${href}; link.download = "got.zip";
    document.body.append(link); link.click()`;
  const frame = (sandbox: string) => `const frame = document.createElement("iframe"); ${sandbox};
    frame.src = "/download"; document.body.append(frame)`;
  const ways: [string, string][] = [
    ["by going to it", `location.href = "/download"`],
    ["by a link", link(`"/download"`)],
    ["by a link to a blob", link(`URL.createObjectURL(new Blob(["got"]))`)],
    ["by a link to data", link(`"data:application/octet-stream,got"`)],
    [
      "by a form",
      `const form = document.createElement("form"); form.action = "/download"; document.body.append(form); form.submit()`,
    ],
    ["in a frame", frame("")],
    ["in a frame that may", frame(`frame.sandbox = "allow-downloads"`)],
  ];
  let own: BrowserSession;
  let downloads: string;
  beforeAll(async () => {
    const allowed = parseAllowedOrigins(site.hostPort);
    own = await launchBrowser({ files: await chromiumFiles(), allowed, limits: testLimits });
    await own.cdp.send("Page.enable");
    downloads = mkdtempSync(join(folder, "downloads-"));
  });
  afterAll(() => own.close());

  /** Goes there, and resolves to how it ended, as Chromium says. */
  async function end(does: string): Promise<string> {
    const { cdp } = own;
    const page = await own.page();
    await page.goto(`${site.origin}/box`);
    const ended = new Promise<string>((reported) => {
      cdp.on("Page.downloadProgress", ({ state }) => state !== "inProgress" && reported(state));
    });
    await cdp.send("Runtime.evaluate", { expression: `void setTimeout(() => { ${does} })` });
    return ended;
  }

  test.each(ways)("%s", async (_, does) => {
    expect(await end(does)).toBe("canceled");
    expect(readdirSync(readlinkSync(`/proc/${pidOf(own)}/cwd`)).filter((name) => name.endsWith(".zip"))).toEqual([]);
  });

  test.each(ways)("but would if downloads were allowed: %s", async (_, does) => {
    await own.cdp.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
    expect(await end(does)).toBe("completed");
  });
});

test("browser isolation: a customer's HTML has no origin, no cookies, no storage and no secure context", async () => {
  const outcomes = {
    "self.origin": "null",
    "document.cookie": "SecurityError",
    localStorage: "SecurityError",
    sessionStorage: "SecurityError",
    isSecureContext: "false",
  };
  const tried = Object.keys(outcomes).map(
    (code) => `try { found["${code}"] = String(${code}) } catch ({ name }) { found["${code}"] = name }`,
  );
  const html = `<!doctype html><body><script>const found = {}; ${tried.join(" ")}
    document.body.textContent = JSON.stringify(found)</script>`;
  const { body } = await captureWith({ html, format: "text", timeout: 10 });
  expect(JSON.parse(String(body))).toEqual(outcomes);
});
