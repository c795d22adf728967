// `npm run audit`: the age of the browser that is shipped, and what is known against the packages. Asks the registry of
// npm. Ends with 1 where something is to be done, and with 2 where the registry does not say whether there is.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type AuditReport, isUrgent, readFindings } from "../lib/supply-chain/audit.ts";
import { ageInDays, chromium, OLDEST_DAYS } from "../lib/supply-chain/chromium.ts";
import { deployedPackages } from "../lib/supply-chain/deployed-packages.ts";
import { readLockfile } from "../lib/supply-chain/lockfile.ts";

const project = join(import.meta.dirname, "..");

tellBrowser();
tellPackages();

function tellBrowser(): void {
  const age = ageInDays(Date.now());
  console.log(`Chromium ${chromium.browser}, by ${chromium.package} ${chromium.version} of ${chromium.published}.`);
  const newest = npm("view", chromium.package, "version", "--json");
  if (typeof newest !== "string") {
    unanswered("which version is the newest");
  } else if (newest !== chromium.version) {
    process.exitCode = 1;
    console.log(`Version ${newest} can be had. Update it together with puppeteer-core.`);
  } else if (age > OLDEST_DAYS) {
    process.exitCode = 1;
    console.log(
      `It is ${age} days old, more than ${OLDEST_DAYS}, and there is no newer one: look for what it lacks in`,
    );
    console.log(
      "https://chromereleases.googleblog.com, and take another package or stage it out where that is serious.",
    );
  } else {
    console.log(`It is ${age} days old, and the newest there is.`);
  }
}

function tellPackages(): void {
  const report = npm("audit", "--json");
  if (isReport(report)) tellFindings(report);
  else unanswered("what is known against the packages");
}

function tellFindings(report: AuditReport): void {
  const lockfile = readLockfile(project);
  const deployed = deployedPackages(lockfile);
  const findings = readFindings(report, { lockfile, deployed });
  for (const { name, version, severity, isDeployed, advisories } of findings) {
    console.log(`${isDeployed ? "DEPLOYED" : "tool"}\t${severity}\t${name}@${version}\t${advisories.join("; ")}`);
  }
  const affected = findings.filter((finding) => finding.isDeployed).length;
  console.log(`Of ${deployed.length} packages that are deployed, something is known against ${affected}.`);
  console.log(`Of those that build and test only, something is known against ${findings.length - affected}.`);
  if (findings.some(isUrgent)) process.exitCode = 1;
}

/** What npm prints as JSON, whatever its exit code, or undefined. */
function npm(...args: readonly string[]): unknown {
  const { stdout } = spawnSync("npm", args, { cwd: project, encoding: "utf8", timeout: 60_000 });
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

function isReport(value: unknown): value is AuditReport {
  return typeof value === "object" && value !== null && "vulnerabilities" in value;
}

function unanswered(what: string): void {
  process.exitCode = 2;
  console.log(`The registry does not say ${what}. Ask again from a machine that reaches registry.npmjs.org.`);
}
