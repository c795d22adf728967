// The page about the clients lists what the tests of all clients run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { behaviours } from "../end-to-end/captures/clients/behaviours.ts";

test("clients: the table of the documentation has the behaviours that the client of every language passes", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/guide/clients.md"), "utf8");
  const listed = page.split("\n").flatMap((line) => /^\| \d+ \| ([^|]*) \|$/.exec(line)?.[1] ?? []);
  expect(listed).toEqual(behaviours.map(({ title }) => title));
  expect(listed).toHaveLength(30);
});
