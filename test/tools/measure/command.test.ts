import { expect, test } from "vitest";
import { benchUsage, parseCommand, wantedParts } from "../../../lib/tools/measure/command.ts";

const parsed = (...args: string[]) => parseCommand(args, "saved/last.json");
const family = { name: "large", parts: ["full page, 60,000 px", "PDF of 20 pages"] };

test("bench command: without arguments, everything is measured 20 times, and nothing is saved or compared", () => {
  expect(parsed()).toEqual({ runs: 20, only: "", save: undefined, compare: undefined });
});

test("bench command: --save and --compare take a file, or use the default file", () => {
  expect(parsed("--save", "--compare", "before.json")).toMatchObject({
    save: "saved/last.json",
    compare: "before.json",
  });
  expect(parsed("--compare", "--runs", "3")).toMatchObject({ compare: "saved/last.json", runs: 3 });
});

test.each([["--runs", "0"], ["--runs", "many"], ["--fast"], ["small"]])(
  "bench command: rejects %s %s",
  (...args: string[]) => {
    expect(parsed(...args.filter(Boolean))).toBeUndefined();
  },
);

test("bench command: --only selects parts or whole groups by a part of their name", () => {
  expect(wantedParts(family, "PDF")).toEqual(["PDF of 20 pages"]);
  expect(wantedParts(family, "lar")).toEqual(family.parts);
  expect(wantedParts(family, "video")).toEqual([]);
});

test("bench command: the help lists every group with its parts", () => {
  expect(
    benchUsage([family, { name: "usage", parts: ["usage"] }])
      .split("\n")
      .slice(3),
  ).toEqual(["large", "    full page, 60,000 px", "    PDF of 20 pages", "usage"]);
});
