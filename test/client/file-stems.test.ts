// The names that the command line gives the files of a list.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fileStem, urlStem, withUniqueStems } from "../../clients/typescript/src/cli/file-stems.ts";

const stemsOf = (...urls: string[]) =>
  withUniqueStems(urls.map((url) => ({ stem: urlStem(url) }))).map(({ stem }) => stem);

describe("command line: the name of a file", () => {
  test.each([
    ["https://shop.example/list?page=2&sort=price", "shop.example-list-page-2-sort-price"],
    ["https://app.example/#/orders/7", "app.example-orders-7"],
    ["https://app.example/?a=caf%C3%A9%20au%2Flait", "app.example-a-café-au-lait"],
    ["https://app.example/?a=%E0%A4%A", "app.example-a-E0-A4-A"],
    ["https://user:secret@shop.example/cart", "shop.example-cart"],
    ["https://us@er:se@cret@shop.example/@me", "shop.example-me"],
    ["http://con/", "capture-con"],
    ["http://nul.example/", "capture-nul.example"],
    ["http://x.example/?", "x.example"],
  ])("of %s is %s", (url, stem) => {
    expect(urlStem(url)).toBe(stem);
  });

  test("fits into every file system, and differs for long addresses that begin alike", () => {
    const stems = ["a", "b"].map((end) => urlStem(`https://x.example/?q=${"漢字 ".repeat(200)}${end}`));
    for (const stem of stems) {
      expect(Buffer.byteLength(stem)).toBeLessThanOrEqual(100);
      expect(stem).toMatch(/^x\.example-q-[漢字-]+-[\da-f]{8}$/);
    }
    expect(new Set(stems).size).toBe(2);
    expect(urlStem(`https://x.example/?${"😀𝒳".repeat(99)}`).isWellFormed()).toBe(true);
    expect(fileStem("/".repeat(500))).toBe("capture");
  });

  test("differs from all others of its list, in the order of the list", () => {
    const list = ["a", "b", "a", "A", "a-2", "?a", "#a"].map((path) => `http://h/${path}`);
    expect(stemsOf(...list)).toEqual(["h-a", "h-b", "h-a-2", "h-A-3", "h-a-2-2", "h-a-4", "h-a-5"]);
    expect(stemsOf(...list)).toEqual(stemsOf(...list));
    expect(stemsOf("http://h/e\u0301", "http://h/\u00e9", "http://h/STRASSE", "http://h/straße")).toEqual([
      "h-é",
      "h-é-2",
      "h-STRASSE",
      "h-straße-2",
    ]);
  });

  test("can be written", () => {
    const folder = mkdtempSync(join(tmpdir(), "file-stems-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const hostile = [
      "?q=\0\n",
      '?<>:"|?*\\',
      `?${"é".repeat(400)}`,
      `${"../".repeat(60)}x`,
      "?.",
      "? ",
      "?~",
      "%2e%2e%2f",
    ];
    for (const stem of stemsOf(...hostile.map((path) => `http://h/${path}`), "https://../")) {
      writeFileSync(join(folder, `${stem}.animated.webp`), "");
    }
  });
});
