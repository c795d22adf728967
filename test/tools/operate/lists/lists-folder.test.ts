// Which filter lists of a data folder are in use: those of the layer, or those of an update.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  currentLists,
  listsFolder,
  newestDate,
  offerLayerLists,
  readLists,
  switchBack,
  switchTo,
} from "../../../../lib/tools/operate/lists/lists-folder.ts";

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lists-folder-test-"));
  dataDir = join(folder, "data");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes lists whose newest has a date. Returns their path. */
function writeLists(path: string, date: string, builder = "one"): string {
  mkdirSync(path, { recursive: true });
  const lists = [{ purpose: "ads", title: "A list", version: "1", date }];
  writeFileSync(join(path, "lists.json"), JSON.stringify(lists));
  writeFileSync(join(path, "provenance.json"), JSON.stringify({ builder, versions: {} }));
  return path;
}

const layer = (date: string, builder?: string) => writeLists(join(folder, `layer-${date}-${builder}`), date, builder);

const update = (date: string) => writeLists(join(listsFolder(dataDir), "a1"), date);

const dateInUse = () => newestDate(readLists(currentLists(dataDir)));

test("lists folder: the first start uses the lists of the layer", () => {
  expect(offerLayerLists(dataDir, layer("2030-01-01"))).toBeUndefined();
  expect(dateInUse()).toBe("2030-01-01");
});

test("lists folder: a start with another layer uses its lists", () => {
  offerLayerLists(dataDir, layer("2030-01-01"));
  expect(offerLayerLists(dataDir, layer("2030-01-02"))).toBeUndefined();
  expect(dateInUse()).toBe("2030-01-02");
});

test("lists folder: an update stays in use over a start", () => {
  offerLayerLists(dataDir, layer("2030-01-01"));
  update("2030-01-05");
  switchTo(dataDir, "a1");
  expect(dateInUse()).toBe("2030-01-05");
  expect(offerLayerLists(dataDir, layer("2030-01-01"))).toBeUndefined();
  expect(dateInUse()).toBe("2030-01-05");
});

test.each([
  ["with newer lists", "2030-01-06", "one", /brings newer filter lists \(2030-01-06\).*\(2030-01-05\)/],
  ["of another version", "2030-01-01", "two", /of another version of the service.*Run the command again/],
])("lists folder: a start %s uses those of the layer, and says so", (_, date, builder, message) => {
  offerLayerLists(dataDir, layer("2030-01-01"));
  update("2030-01-05");
  switchTo(dataDir, "a1");
  expect(offerLayerLists(dataDir, layer(date, builder))).toMatch(message);
  expect(dateInUse()).toBe(date);
});

test("lists folder: going back from an update uses the layer, and again the update", () => {
  offerLayerLists(dataDir, layer("2030-01-01"));
  update("2030-01-05");
  switchTo(dataDir, "a1");
  switchBack(dataDir);
  expect(dateInUse()).toBe("2030-01-01");
  switchBack(dataDir);
  expect(dateInUse()).toBe("2030-01-05");
});

test("lists folder: a start uses the layer when the update in use is gone", () => {
  offerLayerLists(dataDir, layer("2030-01-01"));
  rmSync(update("2030-01-05"), { recursive: true });
  switchTo(dataDir, "a1");
  expect(offerLayerLists(dataDir, layer("2030-01-01"))).toMatch(/those installed by .* \(missing\)/);
  expect(dateInUse()).toBe("2030-01-01");
});

test("lists folder: going back needs earlier lists that the service can read", () => {
  offerLayerLists(dataDir, layer("2030-01-01"));
  expect(() => switchBack(dataDir)).toThrow(/no earlier lists/);
  update("2030-01-05");
  switchTo(dataDir, "a1");
  offerLayerLists(dataDir, layer("2030-01-01", "two"));
  expect(() => switchBack(dataDir)).toThrow(/of another version of the service/);
  expect(dateInUse()).toBe("2030-01-01");
});
