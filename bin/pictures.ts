// `npm run pictures`: makes the pictures of the website and of the documentation whose sources have changed, with this service.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  type PictureGroup,
  pictureGroups,
  recordedSources,
  sourcesFile,
  staleFiles,
} from "../lib/tools/pictures/picture-groups.ts";

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
const groups = pictureGroups.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const [first] = groups;
if (first && groups.length === 1) await makeGroup(first);
else for (const { name } of groups) makeInProcess(name);

/** A process for each group: the clients of a process keep to the addresses of the first service that it starts. */
function makeInProcess(name: string): void {
  const { status } = spawnSync(process.execPath, [import.meta.filename, name, ...(flags.all ? ["--all"] : [])], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

async function makeGroup(group: PictureGroup): Promise<void> {
  const recorded = recordedSources();
  const all = Object.keys(group.sources());
  const stale = flags.all ? all : staleFiles(group, recorded);
  if (stale.length === 0) return;
  console.log(`${group.name}: ${stale.length} of ${all.length} pictures`);
  await group.make(new Set(stale));
  const known = new Set(pictureGroups.flatMap(({ sources }) => Object.keys(sources())));
  const kept = Object.entries({ ...recorded, ...group.sources() }).filter(([file]) => known.has(file)); // others are made no more
  writeFileSync(sourcesFile, `${JSON.stringify(Object.fromEntries(kept.toSorted()), undefined, 2)}\n`);
}
