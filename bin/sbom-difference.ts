// `npm run sbom:difference -- before.json after.json`: what has changed between two bills of materials. Exits with 1 when a version has
// another content than before.
import { readFileSync } from "node:fs";
import { compareBoms, describeDifference } from "../lib/tools/operate/supply-chain/sbom-difference.ts";

const [before, after] = process.argv.slice(2);
if (before === undefined || after === undefined) {
  console.error("Usage: npm run sbom:difference -- <before.json> <after.json>");
  process.exit(2);
}
const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const difference = compareBoms(read(before), read(after));
console.log(describeDifference(difference));
if (difference.replaced.length > 0) process.exitCode = 1;
