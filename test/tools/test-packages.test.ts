// When the packages of the tests are installed again.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isInstalled } from "../../lib/tools/test-packages.ts";

type Entries = Readonly<Record<string, object>>;

const one = { version: "1.0.0", integrity: "sha512-one" };
const two = { version: "2.0.0", integrity: "sha512-two" };

test.each<[string, boolean, Entries | undefined]>([
  ["every package of the lockfile", true, { "node_modules/one": one, "node_modules/two": two }],
  ["nothing", false, undefined],
  ["all but one", false, { "node_modules/one": one }],
  ["another version", false, { "node_modules/one": one, "node_modules/two": { ...two, version: "1.9.9" } }],
  ["another content", false, { "node_modules/one": one, "node_modules/two": { ...two, integrity: "sha512-else" } }],
  [
    "one that the lockfile no longer has",
    false,
    { "node_modules/one": one, "node_modules/two": two, "node_modules/gone": one },
  ],
])("test packages: with %s installed, up to date is %s", (_, expected, installed) => {
  const lockfile = { "node_modules/one": one, "node_modules/two": two };
  expect(isInstalled(folderWith(lockfile, installed))).toBe(expected);
});

test("test packages: a program for another platform may be missing", () => {
  const lockfile = { "node_modules/one": one, "node_modules/two": { ...two, optional: true } };
  expect(isInstalled(folderWith(lockfile, { "node_modules/one": one }))).toBe(true);
});

/** A folder with a lockfile, and with the one that npm writes into `node_modules`. */
function folderWith(lockfile: Entries, installed: Entries | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), "packages-"));
  const write = (path: string, packages: Entries) => writeFileSync(join(folder, path), JSON.stringify({ packages }));
  write("package-lock.json", { "": { name: "tests" }, ...lockfile });
  if (installed) {
    mkdirSync(join(folder, "node_modules"));
    write("node_modules/.package-lock.json", installed);
  }
  return folder;
}
