// `npm run pictures`: makes the pictures of the website and of the documentation whose sources have changed, with this service.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { pictureGroups, recordedSources, sourcesFile, staleFiles } from "../lib/tools/pictures/picture-groups.ts";

const names = pictureGroups.map(({ name }) => name);
const USAGE = `Usage: npm run pictures -- [<group> …] [--all]

  <group>   ${names.join(", ")}; all of them if you name none
  --all     also pictures whose sources have not changed`;

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false } },
});
if (wanted.some((name) => !names.includes(name))) {
  console.error(USAGE);
  process.exit(2);
}
const recorded = recordedSources();
for (const group of pictureGroups.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const stale = flags.all ? Object.keys(group.sources()) : staleFiles(group, recorded);
  if (stale.length === 0) continue;
  console.log(`${group.name}: ${stale.length} of ${Object.keys(group.sources()).length} pictures`);
  await group.make(new Set(stale));
  Object.assign(recorded, group.sources());
  // A file that no group makes any more is dropped.
  const known = new Set(pictureGroups.flatMap(({ sources }) => Object.keys(sources())));
  const kept = Object.entries(recorded).filter(([file]) => known.has(file));
  writeFileSync(sourcesFile, `${JSON.stringify(Object.fromEntries(kept.toSorted()), undefined, 2)}\n`);
}
