// Numbers and sizes as the dashboard writes them.
import { expect, test } from "vitest";
import { countText, formatBytes } from "../../lib/site/web/ui/format.ts";

test.each([
  [0, "0 captures"],
  [1, "1 capture"],
  [2, "2 captures"],
  [12, "12 captures"],
])("a count of %i agrees with its noun: %s", (count, text) => {
  expect(countText(count, "capture")).toBe(text);
});

test("a noun may have a plural of its own", () => {
  expect([countText(1, "try", "tries"), countText(4, "try", "tries")]).toEqual(["1 try", "4 tries"]);
});

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [23_400, "23.4 kB"],
  [1_000_000, "1 MB"],
])("%i bytes are written as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
