// Updates of the filter lists in a data folder, from a registry of the test.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Request } from "@ghostery/adblocker";
import { afterEach, beforeEach, expect, test } from "vitest";
import { contentPackages } from "../../../../layers/blocking/content-packages.ts";
import { listFiles } from "../../../../layers/blocking/lists.ts";
import { createFilterLists } from "../../../../lib/engine/adblock/filter-lists.ts";
import { currentLists, listsFolder, readLists, switchBack } from "../../../../lib/tools/operate/lists/lists-folder.ts";
import { npmRegistry } from "../../../../lib/tools/operate/lists/npm-registry.ts";
import { updateLists } from "../../../../lib/tools/operate/lists/update-lists.ts";
import { startRegistry, type TestPackage, type TestRegistry } from "../../../support/npm-registry.ts";

let dataDir: string;
let registry: TestRegistry;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "lists-test-"));
  mkdirSync(join(dataDir, "lists")); // a service has started
  registry = await startRegistry();
});
afterEach(async () => {
  await registry.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Content {
  readonly version: string;
  /** Of all lists. */
  readonly date?: string;
  /** The rules of each list. */
  readonly rules?: readonly string[];
  /** Source of the module with the snippets. */
  readonly module?: string;
  readonly parts?: Partial<TestPackage>;
}

const list = (date: string, rules: readonly string[]) => {
  const text = ["! Title: A list", "! Version: 1.0", `! TimeUpdated: ${date}T10:00:00+00:00`, ...rules].join("\n");
  return JSON.stringify([{ metadata: { rawFilterList: text } }]);
};

/** Publishes a version of both packages. */
async function publish({ version, date = "2030-01-02", rules = ["||one.example^"], module, parts }: Content) {
  const common = { "package/package.json": JSON.stringify({ version }), "package/LICENSE": "A licence." };
  const lists = Object.fromEntries(listFiles.map((file) => [`package/${file}`, list(date, rules)]));
  await registry.publish(contentPackages.lists, { version, files: { ...common, ...lists }, ...parts });
  const consent = {
    "package/rules/rules.json": JSON.stringify({ autoconsent: [] }),
    "package/dist/autoconsent.playwright.js": "void 0;",
    "package/dist/autoconsent.esm.js": module ?? "export const evalSnippets = { SNIPPET: () => document.title };",
  };
  await registry.publish(contentPackages.consent, { version, files: { ...common, ...consent } });
}

const update = () => updateLists(dataDir, registry.url);

const lists = () => createFilterLists(currentLists(dataDir));

async function blocks(host: string): Promise<boolean> {
  const engine = await lists().engine("trackers");
  const url = `https://${host}/script.js`;
  return engine.match(Request.fromRawDetails({ url, sourceUrl: "https://site.example/", type: "script" })).match;
}

test("lists: an update installs the newest lists and rules for consent banners", async () => {
  await publish({ version: "1.0.0" });
  expect(await update()).toEqual({
    isNew: true,
    versions: { lists: "1.0.0", consent: "1.0.0" },
    date: "2030-01-02",
  });
  expect([await blocks("one.example"), await blocks("two.example")]).toEqual([true, false]);
  expect(readLists(currentLists(dataDir))).toContainEqual({
    purpose: "trackers",
    title: "A list",
    version: "1.0",
    date: "2030-01-02",
  });
  expect((await lists().consent()).snippets).toEqual({ SNIPPET: "(() => document.title)()" });
});

test("lists: an update keeps the lists before it, and going back uses them", async () => {
  await publish({ version: "1.0.0" });
  await update();
  await publish({ version: "1.0.1", rules: ["||two.example^"] });
  await update();
  expect([await blocks("one.example"), await blocks("two.example")]).toEqual([false, true]);
  switchBack(dataDir);
  expect([await blocks("one.example"), await blocks("two.example")]).toEqual([true, false]);
  switchBack(dataDir);
  expect([await blocks("one.example"), await blocks("two.example")]).toEqual([false, true]);
});

test("lists: an update removes lists that are neither in use nor were before, and what a killed update has left", async () => {
  const left = join(listsFolder(dataDir), "0123456789abcdef.incomplete-Xy");
  mkdirSync(left);
  utimesSync(left, 0, 0);
  for (const version of ["1.0.0", "1.0.1", "1.0.2"]) {
    await publish({ version });
    await update();
  }
  const names = readdirSync(listsFolder(dataDir)).toSorted();
  expect(names).toEqual([expect.any(String), expect.any(String), "current", "previous"]);
});

test("lists: an update removes no file of another name, and follows no link in place of the folder", async () => {
  const other = join(listsFolder(dataDir), "passwd");
  writeFileSync(other, "kept");
  utimesSync(other, 0, 0);
  await publish({ version: "1.0.0" });
  await update();
  expect(existsSync(other)).toBe(true);
  renameSync(listsFolder(dataDir), join(dataDir, "elsewhere"));
  symlinkSync("elsewhere", listsFolder(dataDir));
  await publish({ version: "1.0.1" });
  await expect(update()).rejects.toThrow(/lists must be a folder/);
  expect(() => switchBack(dataDir)).toThrow(/lists must be a folder/);
});

test("lists: an update that finds nothing newer changes nothing", async () => {
  await publish({ version: "1.0.0" });
  await update();
  const { ino } = statSync(currentLists(dataDir));
  expect(await update()).toMatchObject({ isNew: false, date: "2030-01-02" });
  expect(statSync(currentLists(dataDir)).ino).toBe(ino);
});

test("lists: two updates at the same time install one", async () => {
  await publish({ version: "1.0.0" });
  const updates = await Promise.all([update(), update()]);
  expect(updates.map(({ versions }) => versions.lists)).toEqual(["1.0.0", "1.0.0"]);
  expect(await blocks("one.example")).toBe(true);
});

test.each<[string, Partial<Content>, RegExp]>([
  ["has another integrity than stated", { parts: { served: Buffer.from("forged") } }, /does not have the integrity/],
  [
    "lacks a list",
    { parts: { files: { "package/package.json": '{"version":"2.0.0"}' } } },
    /lacks LICENSE, dist\/.*update the service/,
  ],
  ["has older lists", { date: "2029-12-31" }, /2029-12-31\) are older than those in use \(2030-01-02\)/],
  ["has lost half of its rules", { rules: [] }, /has lost more than half of its rules/],
  ["has a list without a date", { date: "" }, /cannot be used, and nothing has changed: A list was updated at 'T10/],
  ["has a version that is no version", { version: "../../x" }, /answers without a version/],
])("lists: an update that %s is refused, and the lists in use stay", async (_, content, message) => {
  const rules = Array.from({ length: 1_000 }, (__, index) => `||host-${index}.example^`);
  await publish({ version: "1.0.0", rules: ["||one.example^", ...rules] });
  await update();
  await publish({ version: "2.0.0", rules: ["||two.example^", ...rules], ...content });
  const before = readdirSync(listsFolder(dataDir));
  await expect(update()).rejects.toThrow(message);
  expect([await blocks("one.example"), await blocks("two.example")]).toEqual([true, false]);
  expect(readdirSync(listsFolder(dataDir))).toEqual(before);
});

test("lists: a package writes no file outside of its folder", async () => {
  await publish({ version: "1.0.0" });
  const outside = { "package/../../../escaped": "x", "../escaped": "x", "/tmp/escaped-of-lists": "x" };
  const common = { "package/package.json": '{"version":"1.0.1"}', "package/LICENSE": "" };
  const wanted = Object.fromEntries(listFiles.map((file) => [`package/${file}`, list("2030-01-02", [])]));
  await registry.publish(contentPackages.lists, { version: "1.0.1", files: { ...outside, ...common, ...wanted } });
  await update();
  expect([join(dataDir, "escaped"), join(tmpdir(), "escaped"), "/tmp/escaped-of-lists"].filter(existsSync)).toEqual([]);
});

test.each([
  [
    "write a file",
    (file: string) => `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(file)}, "x");`,
  ],
  ["read a file", (file: string) => `import { readFileSync } from "node:fs"; readFileSync(${JSON.stringify(file)});`],
  ["start a process", () => `import { execFileSync } from "node:child_process"; execFileSync("/bin/true");`],
])("lists: the module of a package cannot %s", async (_, program) => {
  const file = join(dataDir, "secret");
  writeFileSync(file, "kept");
  const snippets = "export const evalSnippets = {};";
  await publish({ version: "1.0.0", module: `${program(file)} ${snippets}` });
  await expect(update()).rejects.toThrow(/ERR_ACCESS_DENIED/);
  await publish({ version: "1.0.0", module: snippets });
  await expect(update()).resolves.toMatchObject({ isNew: true });
});

test("lists: the module of a package gets no variable of the environment", async () => {
  const module =
    "const names = Object.keys(process.env).join(); export const evalSnippets = { NAMES: { toString: () => names } };";
  await publish({ version: "1.0.0", module });
  await update();
  expect((await lists().consent()).snippets).toEqual({ NAMES: "()()" });
});

test("lists: the data folder may be a link, as that of a systemd service is", async () => {
  await publish({ version: "1.0.0" });
  const link = join(dataDir, "link");
  symlinkSync(".", link);
  await expect(updateLists(link, registry.url)).resolves.toMatchObject({ isNew: true });
});

test("lists: an update needs a data folder of a service", async () => {
  await publish({ version: "1.0.0" });
  await expect(updateLists(join(dataDir, "other"), registry.url)).rejects.toThrow(
    /No service has started with .*other'/,
  );
});

test("lists: an update refuses the files of a running service of another version", async () => {
  await publish({ version: "1.0.0" });
  writeFileSync(join(dataDir, "service.json"), "{}");
  await expect(update()).rejects.toThrow(/of another version.*Restart it first/);
});

test.each([
  ["http://registry.example/", /must be an https address/],
  ["ftp://127.0.0.1/", /must be an https address/],
])("lists: the registry %s is refused", (address, message) => {
  expect(() => npmRegistry({ npm_config_registry: address })).toThrow(message);
});

test("lists: the registry is that of npm's settings", () => {
  expect(npmRegistry({})).toBe("https://registry.npmjs.org");
  expect(npmRegistry({ npm_config_registry: "https://registry.example/npm/" })).toBe("https://registry.example/npm");
});

test("lists: a registry that does not answer is named", async () => {
  await registry.close();
  await expect(update()).rejects.toThrow(/127\.0\.0\.1.* cannot be reached: .*ECONNREFUSED/);
  registry = await startRegistry();
  await expect(update()).rejects.toThrow(/latest answers 404/);
});
