// `npm run lists`: prints the filter lists in use, installs the newest ones in the data folder of the local service, or goes back.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withStatusLine } from "../clients/typescript/src/cli/status-line.ts";
import type { FilterList } from "../lib/engine/adblock/filter-lists.ts";
import {
  currentLists,
  newestDate,
  readLists,
  requireOwnService,
  switchBack,
} from "../lib/tools/operate/lists/lists-folder.ts";

const usage = `Usage:
  npm run lists                  prints the filter lists in use
  npm run lists -- --update      installs the newest lists, which captures use from then on
  npm run lists -- --previous    uses the lists before those in use

The lists are in DATA_DIR (default .local). A deployed stage has the lists that it was deployed with.`;

/** Whether this runs from the folder that `npm run build` makes. */
const isBuilt = existsSync(join(import.meta.dirname, "../assembly"));
const dataDir = process.env["DATA_DIR"] ?? ".local";
process.umask(0o022); // the service may run as another user than the operator, and reads the lists
try {
  const options = { update: { type: "boolean" }, previous: { type: "boolean" } } as const;
  const { update, previous } = parseArgs({ options }).values;
  if (update && previous) throw new Error("Use --update or --previous, not both.");
  if (update) await installNewest();
  else if (previous) goBack();
  else
    for (const { purpose, date, version, title } of await listsInUse())
      console.log([purpose, date, version, title].join("\t"));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 1;
}

async function installNewest(): Promise<void> {
  const [{ updateLists }, { npmRegistry }] = await Promise.all([
    import("../lib/tools/operate/lists/update-lists.ts"),
    import("../lib/tools/operate/lists/npm-registry.ts"),
  ]);
  const { isNew, versions, date } = await withStatusLine("Downloading the newest lists", () =>
    updateLists(dataDir, npmRegistry(process.env)),
  );
  const names = `filter lists ${versions.lists} (${date}) and rules for consent banners ${versions.consent}`;
  console.log(isNew ? `Installed ${names}. Captures use them from now on.` : `In use already: ${names}.`);
}

function goBack(): void {
  switchBack(dataDir);
  console.log(`Captures use the lists of ${newestDate(readLists(currentLists(dataDir)))} from now on.`);
}

/** Without a service that has run with the data folder, those of the layer. */
async function listsInUse(): Promise<readonly FilterList[]> {
  const current = currentLists(dataDir);
  if (existsSync(current)) return readLists(current);
  if (isBuilt) requireOwnService(dataDir); // a build lacks the packages that lists are made of
  const { builtLists } = await import("../layers/blocking/build.ts");
  return builtLists();
}
