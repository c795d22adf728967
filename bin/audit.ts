// `npm run audit`: known vulnerabilities of the packages of the project and of its tests, from the npm registry. Exits with 1 when action
// is needed, and with 2 when the registry does not answer. The age of Chromium is reported by `npm run audit:chromium`, so that it hides no vulnerability.
import { join } from "node:path";
import { type AuditReport, isUrgent, readFindings } from "../lib/tools/operate/supply-chain/audit.ts";
import { deployedPackages } from "../lib/tools/operate/supply-chain/deployed-packages.ts";
import { readLockfile } from "../lib/tools/operate/supply-chain/lockfile.ts";
import { askRegistry, unanswered } from "../lib/tools/operate/supply-chain/registry.ts";

const project = join(import.meta.dirname, "..");

reportPackages();

function reportPackages(): void {
  const [report, ofTests] = ["", "test"].map((folder) =>
    askRegistry("audit", "--json", "--prefix", join(project, folder)),
  );
  if (isReport(report) && isReport(ofTests)) {
    reportFindings(report, ofTests);
  } else {
    process.exitCode = 2;
    console.log(unanswered("which vulnerabilities are known"));
  }
}

function reportFindings(report: AuditReport, ofTests: AuditReport): void {
  const lockfile = readLockfile(project);
  const deployed = deployedPackages(lockfile);
  const findings = [
    ...readFindings(report, { lockfile, deployed }),
    ...readFindings(ofTests, { lockfile: readLockfile(join(project, "test")), deployed: [] }),
  ];
  for (const { name, version, severity, isDeployed, advisories } of findings) {
    console.log(`${isDeployed ? "DEPLOYED" : "tool"}\t${severity}\t${name}@${version}\t${advisories.join("; ")}`);
  }
  const affected = findings.filter((finding) => finding.isDeployed).length;
  console.log(`Deployed packages: ${deployed.length}, of which ${affected} have known vulnerabilities.`);
  console.log(`Vulnerable packages that only build and test: ${findings.length - affected}.`);
  if (findings.some(isUrgent)) process.exitCode = 1;
}

function isReport(value: unknown): value is AuditReport {
  return typeof value === "object" && value !== null && "vulnerabilities" in value;
}
