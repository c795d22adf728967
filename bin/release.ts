// `npm run release -- <version>`: commits and tags a release, and makes its artifacts. Pushes nothing.
import { join } from "node:path";
import { makeRelease, ReleaseError } from "../lib/tools/operate/release.ts";

const [version = ""] = process.argv.slice(2);
try {
  const date = new Date().toISOString().slice(0, 10);
  const folder = makeRelease({ root: join(import.meta.dirname, ".."), version, date });
  console.log(`Released v${version}. Its artifacts are in ${folder}.`);
  console.log(`Publish it: git push origin main v${version}`);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
