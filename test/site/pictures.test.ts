// The pictures of the website and of the documentation: each is as new as what it shows, and a command makes it.
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pictureGroups, recordedSources, staleFiles } from "../../lib/tools/pictures/picture-groups.ts";
import { picturesFolder } from "../../lib/tools/pictures/pictures-folder.ts";

const recorded = recordedSources();

test.each(pictureGroups)("$name: its pictures are as new as what they show (run `npm run pictures`)", (group) => {
  expect(staleFiles(group, recorded)).toEqual([]);
});

test("each picture is made by a group, and each picture of a group is there", () => {
  const files = globSync("*.{webp,avif,png,ico,mp4,webm}", { cwd: picturesFolder });
  const made = pictureGroups.flatMap(({ sources }) => Object.keys(sources()));
  expect(files.filter((file) => !made.includes(file))).toEqual([]);
  expect(made.filter((file) => !existsSync(join(picturesFolder, file)))).toEqual([]);
});

test("a picture is stale when a page that it shows has changed", () => {
  const [group] = pictureGroups;
  if (!group) throw new Error("There are no groups.");
  const [file = ""] = Object.keys(group.sources());
  expect(staleFiles(group, { ...group.sources(), [file]: "another page" })).toEqual([file]);
});
