// `npm run audit:chromium`: the age of the shipped Chromium, and whether the npm registry has a newer package. Exits with 1 when action
// is needed, and with 2 when the registry does not answer.
import { ageInDays, chromium, MAX_AGE_DAYS } from "../lib/engine/browser/chromium-build.ts";
import { judgeAge } from "../lib/tools/operate/supply-chain/chromium-age.ts";
import { askRegistry } from "../lib/tools/operate/supply-chain/registry.ts";

const ageDays = ageInDays(Date.now());
console.log(`Chromium ${chromium.browser}, by ${chromium.package} ${chromium.version} of ${chromium.published}.`);
console.log(`Its source is that of ${chromium.branched}, ${ageDays} days ago, without any later fix.`);
const newest = askRegistry("view", chromium.package, "version", "--json");
const { advice, exitCode } = judgeAge({ version: chromium.version, newest, ageDays, maxAgeDays: MAX_AGE_DAYS });
console.log(advice);
process.exitCode = exitCode;
