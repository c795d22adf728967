// The changelog: each change names a part of the product, and each section but the first has a date.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { datedSections, untaggedChanges } from "../../lib/site/docs/changelog.ts";

const changelog = readFileSync(join(import.meta.dirname, "../../CHANGELOG.md"), "utf8");

test("changelog: every change has a tag", () => {
  expect(untaggedChanges(changelog)).toEqual([]);
  expect(untaggedChanges("- [API] One.\n- Two.\n- [Other] Three.")).toEqual(["- Two.", "- [Other] Three."]);
});

test("changelog: the sections have dates, newest first, and the first one is Unreleased", () => {
  const titles = [...changelog.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
  const sections = datedSections(changelog);
  expect(titles).toEqual(["Unreleased", ...sections.map(({ title }) => title)]);
  const dates = sections.map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted().reverse());
  expect(new Set(dates).size).toBe(dates.length);
});
