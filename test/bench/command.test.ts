import { expect, test } from "vitest";
import { parseCommand, usageText, wantedParts } from "../../lib/bench/command.ts";

const parsed = (...args: string[]) => parseCommand(args, "saved/last.json");
const family = { name: "large", parts: ["full page, 60,000 px", "PDF of 20 pages"] };

test("without arguments everything is measured 20 times, and nothing is saved or compared", () => {
  expect(parsed()).toEqual({ runs: 20, only: "", save: undefined, compare: undefined });
});

test("--save and --compare take a file, or the same one as always", () => {
  expect(parsed("--save", "--compare", "before.json")).toMatchObject({
    save: "saved/last.json",
    compare: "before.json",
  });
  expect(parsed("--compare", "--runs", "3")).toMatchObject({ compare: "saved/last.json", runs: 3 });
});

test.each([["--runs", "0"], ["--runs", "many"], ["--fast"], ["small"]])("refuses %s %s", (...args: string[]) => {
  expect(parsed(...args.filter(Boolean))).toBeUndefined();
});

test("--only chooses parts by a part of their names, or all of a family by that of its name", () => {
  expect(wantedParts(family, "PDF")).toEqual(["PDF of 20 pages"]);
  expect(wantedParts(family, "lar")).toEqual(family.parts);
  expect(wantedParts(family, "video")).toEqual([]);
});

test("the help lists every family with its parts", () => {
  expect(
    usageText([family, { name: "usage", parts: ["usage"] }])
      .split("\n")
      .slice(3),
  ).toEqual(["large", "    full page, 60,000 px", "    PDF of 20 pages", "usage"]);
});
