// Browser lifecycle: killed at any time, it rejects pending work and leaves nothing behind.
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { launchBrowser } from "../../../lib/engine/browser/browser.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { startSite } from "../../fixtures/site.ts";
import { chromiumFiles, testLimits } from "../../support/chromium.ts";
import { createLockedFolder } from "../../support/locked-folder.ts";
import { sampled } from "../../support/slow-run.ts";

const settings = async (signal?: AbortSignal) => ({
  files: await chromiumFiles(),
  allowed: new Set<string>(),
  limits: testLimits,
  ...(signal && { signal }),
});

/** Where the running test has its temporary files, for it alone; removed when it is over. */
function ownTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "one-browser-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

sampled(test, 8).each([1, 10, 20, 30, 40, 50, 60, 70, 80, 100])(
  "browser: a launch that is cancelled after %i ms settles",
  async (moment) => {
    const ending = new AbortController();
    const launching = launchBrowser(await settings(ending.signal));
    setTimeout(() => ending.abort(), moment);
    const outcome = await launching.then(
      (session) => session.exitReason.then(() => session.close()),
      () => undefined,
    );
    expect(outcome).toBeUndefined();
  },
);

test("browser: closing it does not count as a crash", async () => {
  const session = await launchBrowser(await settings());
  await session.close();
  await session.close();
  expect(await Promise.race([session.exitReason, "still waiting"])).toBe("still waiting");
});

/** An empty browser holds some 125 MB, and this page so many more. */
const PAGE_MEGABYTES = 350;

sampled(test, 4).each([
  ["near the end of its memory has used that up", 600, "memory_megabytes"],
  ["far from it has crashed", 1_500, "crashed"],
])("browser: one that dies %s", async (_, memory_megabytes, end) => {
  const session = await launchBrowser({ ...(await settings()), limits: { ...testLimits, memory_megabytes } });
  const page = await session.page();
  await page.evaluate(async (megabytes) => {
    Reflect.set(globalThis, "held", new Uint8Array(megabytes * 2 ** 20).fill(1));
    await new Promise((seen) => setTimeout(seen, 200));
  }, PAGE_MEGABYTES);
  process.kill(session.browser.process()?.pid ?? 0, "SIGKILL");
  expect(await session.exitReason).toBe(end);
  await session.close();
});

test("browser: a page finds its stored data, and none of it is on disk", async () => {
  const [site, unpacked] = [await startSite(), await settings()];
  const folder = ownTemporaryFolder();
  const session = await launchBrowser({ ...unpacked, allowed: parseAllowedOrigins(site.hostPort) });
  const page = await session.page();
  await page.goto(`${site.origin}/uses?way=the+cache&way=a+database&way=files&amount=10`);
  await page.waitForFunction(() => document.getElementById("box")?.style.background === "green");
  const stored = await page.evaluate(async () => {
    await cookieStore.set("kept", "1");
    localStorage.setItem("kept", "1");
    const names: string[] = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    const cookies = (await cookieStore.getAll()).map(({ name }) => name);
    return [cookies, localStorage.getItem("kept"), await caches.keys(), databases, names];
  });
  expect(stored).toEqual([["kept"], "1", ["kept"], ["kept"], ["kept-0"]]);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => entry.isFile())).toEqual([]);
  await session.close();
  await site.close();
});

describe("browser: closing", () => {
  let folder: string;
  beforeEach(() => {
    folder = ownTemporaryFolder();
  });

  /**
   * Starts Chromium once `started` has been started next to it, in a session of its own, where its id is left. Without the filter,
   * as where the kernel refuses it: with it, there is no such process.
   */
  async function launchWith(started: string, leftBehind?: (what: string) => void) {
    const {
      files: { preload: _, ...files },
      ...rest
    } = await settings();
    const executable = join(folder, "chromium");
    const quiet = "</dev/null >/dev/null 2>&1 3>&- 4>&-";
    const script = `#!/bin/bash\nsetsid ${started} ${quiet} &\necho $! > ${folder}/pid\nexec ${files.executable} "$@"\n`;
    writeFileSync(executable, script, { mode: 0o755 });
    const session = await launchBrowser({
      files: { ...files, executable },
      ...rest,
      ...(leftBehind && { onLeftover: leftBehind }),
    });
    return { session, pid: Number(readFileSync(join(folder, "pid"), "utf8")) };
  }

  const profiles = () => readdirSync(folder).filter((name) => name.startsWith("profile-"));
  const isRunning = (pid: number) => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`).length > 0;

  sampled(test, 6).each([
    ["its environment", "bash -c 'cd /; exec sleep 60'"],
    ["its command line", `env -i bash -c 'cd /; read -t 60 <> <(:)' "$HOME"`],
    ["the folder it is in", "env -i sleep 60"],
  ])("kills a process that has escaped its group, found by %s", async (_, started) => {
    const leftBehind = vi.fn();
    const { session, pid } = await launchWith(started, leftBehind);
    expect(isRunning(pid)).toBe(true);
    await session.close();
    expect([isRunning(pid), profiles(), leftBehind.mock.calls]).toEqual([false, [], []]);
  });

  test("reports what it could not remove", async () => {
    const leftBehind = vi.fn();
    const session = await launchBrowser({ ...(await settings()), onLeftover: leftBehind });
    const kept = join(folder, profiles()[0] ?? "", "kept");
    {
      using _ = createLockedFolder(kept);
      await session.close();
    }
    expect(leftBehind.mock.calls).toEqual([[expect.stringContaining(kept)]]);
  });

  test("leaves nothing in the folders it can write to", async () => {
    const { files } = await settings();
    const paths = [
      folder,
      dirname(files.executable),
      dirname(files.fontConfiguration),
      "/dev/shm",
      process.env["HOME"] ?? "/root",
    ];
    // Others are at work here as well; what is Chromium's is called so, or is where such programs leave things.
    const shown = () =>
      paths.flatMap((place) =>
        readdirSync(place).flatMap((name) =>
          place === folder || /chrom|pki|fontconfig|fonts-cache|^\.(config|local|cache)$/i.test(name)
            ? [join(place, name)]
            : [],
        ),
      );
    const before = shown();
    const session = await launchBrowser(await settings());
    const page = await session.page();
    await page.setContent("<h1 style='font-family:serif'>日本 😀</h1><video></video><canvas></canvas>");
    await page.screenshot();
    expect(profiles()).toEqual([readlinkSync(`/proc/${session.browser.process()?.pid}/cwd`).split("/").at(-1)]);
    await session.close();
    expect(shown()).toEqual(before);
  });
});
