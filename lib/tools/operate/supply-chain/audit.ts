// Findings of `npm audit`, separated into deployed packages and development tools.
import type { DeployedPackage } from "./deployed-packages.ts";
import { type Lockfile, packageName } from "./lockfile.ts";

/** The part of `npm audit --json` that is used. https://docs.npmjs.com/cli/v11/commands/npm-audit */
export interface AuditReport {
  readonly vulnerabilities: Readonly<
    Record<
      string,
      {
        readonly severity: string;
        /** Advisories of the package itself, and names of vulnerable dependencies. */
        readonly via: readonly (string | { readonly title: string; readonly url: string })[];
        /** Paths at which it is installed. */
        readonly nodes: readonly string[];
      }
    >
  >;
}

export interface AuditFinding {
  readonly name: string;
  readonly version: string;
  readonly severity: string;
  readonly isDeployed: boolean;
  readonly advisories: readonly string[];
}

/** The vulnerable installed packages, deployed ones first. */
export function readFindings(
  { vulnerabilities }: AuditReport,
  { lockfile, deployed }: { readonly lockfile: Lockfile; readonly deployed: readonly DeployedPackage[] },
): AuditFinding[] {
  const isDeployed = new Set(deployed.map(({ name, version }) => `${name}@${version}`));
  const findings = Object.values(vulnerabilities).flatMap(({ severity, via, nodes }) =>
    nodes.map((path) => {
      const [name, version] = [packageName(path), lockfile[path]?.version ?? "?"];
      const advisories = via.map((each) => (typeof each === "string" ? `by ${each}` : `${each.title} (${each.url})`));
      return { name, version, severity, isDeployed: isDeployed.has(`${name}@${version}`), advisories };
    }),
  );
  return findings.toSorted((one, other) => Number(other.isDeployed) - Number(one.isDeployed));
}

/** Severities that are urgent for development tools, too: they run with the developer's rights. */
const SEVERE = ["high", "critical"];

/** True when it must be fixed before the next deployment. */
export function isUrgent({ isDeployed, severity }: AuditFinding): boolean {
  return isDeployed || SEVERE.includes(severity);
}
