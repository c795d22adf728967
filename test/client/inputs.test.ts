// What the arguments of the command line stand for, and what a terminal shows of a page.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createInputs } from "../../clients/typescript/src/cli/inputs.ts";
import { printable, table } from "../../clients/typescript/src/cli/terminal.ts";

const settings = { lists: [], source: undefined, readStdin: () => "" };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "inputs-test-"));
  writeFileSync(join(folder, "page.html"), "<p>");
  writeFileSync(join(folder, "image.png"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("command line: an argument", () => {
  test.each([
    ["https://example.com/a/b?c=d", "https://example.com/a/b?c=d", "example.com-a-b-c-d"],
    ["example.com", "https://example.com", "example.com"],
    ["example.com:8080/page.html", "https://example.com:8080/page.html", "example.com-8080-page.html"],
    ["localhost:3000/x", "http://localhost:3000/x", "localhost-3000-x"],
    ["https://example.com/../../etc/passwd", "https://example.com/../../etc/passwd", "example.com-..-..-etc-passwd"],
    ["https://münchen.example/straße", "https://münchen.example/straße", "münchen.example-straße"],
    ["https://../", "https://../", "capture"],
  ])("%s is the URL %s, written to %s", (argument, url, stem) => {
    const [input] = createInputs([argument], settings);
    expect([input?.read(), input?.stem]).toEqual([{ options: { url } }, stem]);
  });

  test("never names a file outside of its folder", () => {
    const [{ stem = "" } = {}] = createInputs(
      [`https://example.com/${"../".repeat(9)}..\\x\0${"y".repeat(300)}`],
      settings,
    );
    expect(stem).toMatch(/^[\w.-]{1,100}$/);
    expect(stem.startsWith(".")).toBe(false);
  });

  test.each(["missing.html", "pages/missing.md", "missing", "./missing.html"])("%s isn't a URL", (argument) => {
    expect(() => createInputs([argument], settings)).toThrow(`${argument} is neither a URL nor a file that exists.`);
  });

  test("that is a file is read, unless it's of another kind", () => {
    const [input] = createInputs([join(folder, "page.html")], settings);
    expect([input?.read(), input?.stem]).toEqual([{ options: { html: "<p>" }, files: [], warnings: [] }, "page"]);
    expect(() => createInputs([join(folder, "image.png")], settings)).toThrow("isn't an HTML or Markdown file");
    expect(() => createInputs([join(folder, "*.md")], settings)).toThrow("No file matches");
  });
});

describe("command line: a terminal", () => {
  test("gets no control characters from a page", () => {
    expect(printable("a\u001b]0;title\u0007b\u009b31mc\r\n\td\u0008")).toBe("a]0;titleb31mc\n\td");
  });

  test("gets columns of equal width", () => {
    expect(
      table([
        ["a", "Count"],
        ["bcd", 7],
      ]),
    ).toBe("a    Count\nbcd      7");
  });
});
