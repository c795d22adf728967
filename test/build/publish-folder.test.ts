// Folders that appear when they are complete, and the eviction of earlier ones.
import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { evictOlderThan, publishFolder } from "../../lib/build/publish-folder.ts";
import { temporaryFolder } from "../tools/local/support.ts";

test("published folder: appears when it is complete, and leaves nothing when its build fails", async () => {
  const parent = await temporaryFolder();
  const target = join(parent, "one");
  await publishFolder(target, async (folder) => {
    await writeFile(join(folder, "file"), "");
    expect(readdirSync(parent)).toEqual([expect.stringMatching(/^one\.incomplete-/)]);
  });
  expect(readdirSync(target)).toEqual(["file"]);
  await expect(publishFolder(join(parent, "two"), () => Promise.reject(new Error("no space")))).rejects.toThrow();
  expect(readdirSync(parent)).toEqual(["one"]);
});

test("published folder: the newest two stay, and an incomplete one while it may still be built", async () => {
  const parent = await temporaryFolder();
  const hoursAgo = { newest: 0, previous: 1, oldest: 2, "a.incomplete-1": 2, "b.incomplete-2": 0.5 };
  for (const [name, hours] of Object.entries(hoursAgo)) {
    mkdirSync(join(parent, name));
    const date = new Date(Date.now() - hours * 3_600_000);
    utimesSync(join(parent, name), date, date);
  }
  evictOlderThan(join(parent, "newest"));
  expect(readdirSync(parent).toSorted()).toEqual(["b.incomplete-2", "newest", "previous"]);
});
