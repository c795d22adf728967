// What npm's audit found, told by where it matters: in what is deployed, or in what builds and tests it.
import type { DeployedPackage } from "./deployed-packages.ts";
import { type Lockfile, nameAt } from "./lockfile.ts";

/** The part of `npm audit --json` that is read. https://docs.npmjs.com/cli/v11/commands/npm-audit */
export interface AuditReport {
  readonly vulnerabilities: Readonly<
    Record<
      string,
      {
        readonly severity: string;
        /** Advisories of the package itself, and names of packages it has them from. */
        readonly via: readonly (string | { readonly title: string; readonly url: string })[];
        /** Where it is installed. */
        readonly nodes: readonly string[];
      }
    >
  >;
}

export interface Finding {
  readonly name: string;
  readonly version: string;
  readonly severity: string;
  readonly isDeployed: boolean;
  readonly advisories: readonly string[];
}

/** Each vulnerable package that is installed, those that are deployed first. */
export function readFindings(
  { vulnerabilities }: AuditReport,
  { lockfile, deployed }: { readonly lockfile: Lockfile; readonly deployed: readonly DeployedPackage[] },
): Finding[] {
  const isDeployed = new Set(deployed.map(({ name, version }) => `${name}@${version}`));
  const findings = Object.values(vulnerabilities).flatMap(({ severity, via, nodes }) =>
    nodes.map((path) => {
      const [name, version] = [nameAt(path), lockfile[path]?.version ?? "?"];
      const advisories = via.map((each) => (typeof each === "string" ? `by ${each}` : `${each.title} (${each.url})`));
      return { name, version, severity, isDeployed: isDeployed.has(`${name}@${version}`), advisories };
    }),
  );
  return findings.toSorted((one, other) => Number(other.isDeployed) - Number(one.isDeployed));
}

/** Severities for which a tool that is not deployed is changed as well: it runs with the rights of who builds. */
const SEVERE = ["high", "critical"];

/** True where something has to be done before the next deployment. */
export function isUrgent({ isDeployed, severity }: Finding): boolean {
  return isDeployed || SEVERE.includes(severity);
}
