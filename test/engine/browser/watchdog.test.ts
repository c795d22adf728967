// Watchdog: a process whose event loop stands still past the deadline of a capture is ended with its browsers, and no other.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../../../lib/infra/bundling/bundle.ts";
import { browserProps } from "../../../lib/infra/functions/browser-layers.ts";
import { slowTest } from "../../support/slow-run.ts";

const sources = join(import.meta.dirname, "../../../lib/engine/browser/watchdog.ts");
const folder = mkdtempSync(join(tmpdir(), "watchdog-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Looks every 50 ms, and ends a process that stands still for 300 ms. */
const program = `
  import { spawn } from "node:child_process";
  import { setTimeout as pause } from "node:timers/promises";
  import { Watchdog } from ${JSON.stringify(sources)};
  export const handler = async (what) => {
    const browser = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    const watchdog = new Watchdog({ pollMs: 50, maxStallMs: 300 });
    const ofBrowser = watchdog.addGroup(browser.pid);
    watchdog.start();
    console.log(browser.pid);
    await pause(300); // the thread has started
    const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    if (what === "blocks") {
      using _ = watchdog.watch(performance.now() + 100);
      block(20_000);
    }
    if (what === "captures") {
      console.log("blocks before the deadline");
      {
        using _ = watchdog.watch(performance.now() + 60_000);
        block(1_000);
      }
      console.log("blocks after the capture");
      { using _ = watchdog.watch(performance.now()); }
      block(1_000);
    }
    if (what === "captures" || what === "is frozen") {
      console.log("works past the deadline");
      using _ = watchdog.watch(performance.now());
      console.log("watched");
      await pause(1_500);
    }
    ofBrowser[Symbol.dispose]();
    process.kill(-browser.pid, "SIGKILL");
    console.log("survived");
  };
`;

interface Run {
  readonly process: ChildProcess;
  readonly lines: string[];
  readonly errors: string[];
  /** Resolves to the signal that ended it. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

function run(module: string, what: string): Run {
  const script = `await (await import(${JSON.stringify(module)})).handler(${JSON.stringify(what)});`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [lines, errors] = [[] as string[], [] as string[]];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  return { process: child, lines, errors, ended: once(child, "close").then(([, signal]) => signal) };
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.each(["sources", "bundle"])("watchdog, from the %s:", (kind) => {
  let module: string;
  beforeAll(() => {
    module = join(folder, "program.ts");
    writeFileSync(module, program);
    if (kind === "sources") return;
    const { threads } = browserProps({} as never).bundle;
    const target = mkdtempSync(join(folder, "bundle-"));
    bundle(module, target, { threads });
    expect(readdirSync(target)).toContain("watchdog-thread.mjs");
    module = join(target, "index.mjs");
  });

  test("ends a process that stands still past the deadline, and its browser first", async () => {
    const { lines, errors, ended } = run(module, "blocks");
    expect(await ended).toBe("SIGKILL");
    expect(lines).toEqual([expect.stringMatching(/^\d+$/)]);
    expect(JSON.parse(errors.at(-1) ?? "")).toMatchObject({
      level: "FATAL",
      message: { event: "event loop stood still past the deadline" },
    });
    await expect.poll(() => isRunning(Number(lines[0]))).toBe(false);
  });
});

slowTest(
  "watchdog: leaves a process that blocks before the deadline or after the capture, or works past the deadline",
  async () => {
    const { lines, errors, ended } = run(join(folder, "program.ts"), "captures");
    expect([await ended, errors, lines.slice(1)]).toEqual([
      null,
      [],
      ["blocks before the deadline", "blocks after the capture", "works past the deadline", "watched", "survived"],
    ]);
  },
);

slowTest("watchdog: leaves a process that is frozen past the deadline, as Lambda freezes a sandbox", async () => {
  const { process: frozen, lines, ended } = run(join(folder, "program.ts"), "is frozen");
  await expect.poll(() => lines).toContain("watched");
  frozen.kill("SIGSTOP");
  await pause(1_000);
  frozen.kill("SIGCONT");
  expect([await ended, lines.at(-1)]).toEqual([null, "survived"]);
});
