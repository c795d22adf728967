// The `capture` command with Chromium: files in the format of their content and with what they refer to, and warnings of problems.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { decode } from "../../fixtures/png.ts";
import { type Client, openClient } from "../../support/client.ts";
import { type ClientPackage, installClient } from "../../support/client-package.ts";

const { baseUrl } = inject("service");

let root: string;
let installed: ClientPackage;
let account: Client;
let folder: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "command-line-captures-test-"));
  [installed, account] = await Promise.all([installClient(root), openClient()]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
});

/** Runs the command in the folder of the test; it has no settings but those given here. */
async function capture(args: readonly string[]) {
  const settings = { SCREEN_CAPTURE_URL: baseUrl, SCREEN_CAPTURE_KEY: account.key, HOME: folder };
  const env = { PATH: process.env["PATH"], ...settings };
  const child = spawn(process.execPath, [installed.command, ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const collect = async (stream: Readable) => Buffer.concat(await stream.toArray());
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([collect(child.stdout), collect(child.stderr)]);
  return { code: (await ended)[0], stdout, stderr: stderr.toString() };
}

const file = (name: string) => readFileSync(join(folder, name));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

describe("command line: a page", () => {
  test("captures files that a pattern matches, in the format of their content", async () => {
    mkdirSync(join(folder, "pages/sub"), { recursive: true });
    write("pages/one.html", "<h1>One</h1>");
    write("pages/sub/two.md", "# Two");
    write("pages/other.txt", "Three");
    const { code, stderr } = await capture(["pages/**/*.{html,md}", "-o", "shots/", "--format", "text"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect([file("shots/one.txt").toString(), file("shots/two.txt").toString()]).toEqual(["One", "Two"]);
    expect(readdirSync(join(folder, "shots"))).toHaveLength(2);
  });

  test("warns of problems with the flags that may help, and exits with 8 where asked", async () => {
    write("busy.html", "<h1>Orders</h1><div aria-busy=true style='height:300px'></div>");
    const plain = await capture(["busy.html", "-o", "busy.png"]);
    expect([plain.code, plain.stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: busy\.html: STILL_LOADING: The page is still loading.* Try --delay 10\.\n$/),
    ]);
    const strict = await capture(["busy.html", "--json", "--fail-on-problem"]);
    expect([strict.code, JSON.parse(strict.stdout.toString()).problems[0].code]).toEqual([8, "STILL_LOADING"]);
  });

  test("is captured with its style sheets, scripts, and images", async () => {
    mkdirSync(join(folder, "css"));
    write("css/main.css", "@import 'more.css'; body{margin:0;padding-top:20px;background:url(../bar.svg) repeat-x}");
    write("css/more.css", "html{background:rgb(0,0,255)}");
    write(
      "bar.svg",
      "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><path fill='red' d='M0 0h20v20H0z'/></svg>",
    );
    write("make.js", "document.body.insertAdjacentHTML('beforeend', '<div style=\"height:20px;background:lime\">')");
    write("page.html", "<link rel=stylesheet href=css/main.css><body><script src=make.js></script>");
    const { code, stderr } = await capture(["page.html", "-o", "page.png", "--width", "64", "--height", "64"]);
    expect([code, stderr]).toEqual([0, ""]);
    const { colourAt } = await decode(file("page.png"));
    expect([colourAt(5, 5), colourAt(5, 30), colourAt(5, 60)]).toEqual([
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
    ]);
  });
});
