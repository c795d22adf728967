// Temporary folders of killed functions: removed by the next function, and nothing else is.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ownStartTime } from "../../../lib/engine/browser/processes.ts";
import { createTemporaryFolder, removeAbandonedFolders } from "../../../lib/engine/browser/temporary-folders.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sweeping-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Larger than any id that Linux gives (proc_sys_kernel(5), pid_max). */
const NOBODY = 2 ** 22 + 1;

test.each([
  ["a browser's, of a process that is gone", `profile-${NOBODY}-1-abc123`],
  ["a video's, of a process that is gone", `frames-${NOBODY}-1-abc123`],
  ["of a former process with the id of a living one", `profile-${process.pid}-${ownStartTime - 1}-abc123`],
])("temporary folders: removes a folder: %s", async (_, name) => {
  mkdirSync(join(folder, name, "Default", "Cache"), { recursive: true });
  await removeAbandonedFolders();
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["profile-abc123", "chromium", `other-${NOBODY}-1-abc123`, `profile-${NOBODY}-1-abc123.keep`])(
  "temporary folders: keeps a foreign folder: %s",
  async (name) => {
    mkdirSync(join(folder, name));
    await removeAbandonedFolders();
    expect(readdirSync(folder)).toEqual([name]);
  },
);

test.each(["profile", "frames"] as const)("temporary folders: keeps a folder in use: %s", async (kind) => {
  const made = await createTemporaryFolder(kind);
  await removeAbandonedFolders();
  expect(readdirSync(folder)).toEqual([basename(made)]);
});

test("temporary folders: kills a browser that has outlived its function", async () => {
  const profile = join(folder, `profile-${NOBODY}-1-abc123`);
  mkdirSync(profile);
  const browser = spawn("sleep", ["60"], { detached: true, env: { HOME: profile }, stdio: "ignore" });
  const ended = once(browser, "exit");
  await removeAbandonedFolders();
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(readdirSync(folder)).toEqual([]);
});
