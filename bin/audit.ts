// `npm run audit`: the age of the shipped Chromium, and known vulnerabilities of packages, from the npm registry. Exits with
// 1 when action is needed, and with 2 when the registry does not answer.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ageInDays, chromium, MAX_AGE_DAYS } from "../lib/engine/browser/chromium-build.ts";
import { type AuditReport, isUrgent, readFindings } from "../lib/tools/operate/supply-chain/audit.ts";
import { deployedPackages } from "../lib/tools/operate/supply-chain/deployed-packages.ts";
import { readLockfile } from "../lib/tools/operate/supply-chain/lockfile.ts";

const project = join(import.meta.dirname, "..");

reportBrowser();
reportPackages();

function reportBrowser(): void {
  const age = ageInDays(Date.now());
  console.log(`Chromium ${chromium.browser}, by ${chromium.package} ${chromium.version} of ${chromium.published}.`);
  console.log(`Its source is that of ${chromium.branched}, ${age} days ago, without any later fix.`);
  const newest = npm("view", chromium.package, "version", "--json");
  if (typeof newest !== "string") {
    reportUnanswered("which version is the newest");
  } else if (newest !== chromium.version) {
    process.exitCode = 1;
    console.log(`Version ${newest} is available. Update it together with puppeteer-core.`);
  } else if (age > MAX_AGE_DAYS) {
    process.exitCode = 1;
    console.log(
      `That is more than ${MAX_AGE_DAYS} days, and there is no newer package. Look for security fixes that it lacks at`,
    );
    console.log("https://chromereleases.googleblog.com, and replace the package if they are serious.");
  } else {
    console.log("It is the newest package.");
  }
}

function reportPackages(): void {
  const report = npm("audit", "--json");
  if (isReport(report)) reportFindings(report);
  else reportUnanswered("which vulnerabilities are known");
}

function reportFindings(report: AuditReport): void {
  const lockfile = readLockfile(project);
  const deployed = deployedPackages(lockfile);
  const findings = readFindings(report, { lockfile, deployed });
  for (const { name, version, severity, isDeployed, advisories } of findings) {
    console.log(`${isDeployed ? "DEPLOYED" : "tool"}\t${severity}\t${name}@${version}\t${advisories.join("; ")}`);
  }
  const affected = findings.filter((finding) => finding.isDeployed).length;
  console.log(`Deployed packages: ${deployed.length}, of which ${affected} have known vulnerabilities.`);
  console.log(`Vulnerable packages that only build and test: ${findings.length - affected}.`);
  if (findings.some(isUrgent)) process.exitCode = 1;
}

/** npm's JSON output, regardless of its exit code; undefined when it is not JSON. */
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

function reportUnanswered(question: string): void {
  process.exitCode = 2;
  console.log(`The registry did not answer ${question}. Try again from a machine that can reach registry.npmjs.org.`);
}
