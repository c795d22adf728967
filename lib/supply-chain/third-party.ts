// The table of packages that are deployed, for docs/third-party.md.
import type { DeployedPackage } from "./deployed-packages.ts";
import { licences } from "./licences.ts";

/** The whole document. */
export function thirdPartyDocument(deployed: readonly DeployedPackage[]): string {
  const rows = deployed.map(({ name, version, licence, places }) => [name, version, licence, places.join(", ")]);
  const terms = Object.entries(licences).flatMap(([id, accepted]) =>
    accepted && deployed.some(({ licence }) => licence.includes(id)) ? [`- **${id}**: ${accepted.reason}`] : [],
  );
  return [
    "# Packages of others that are deployed",
    "",
    "In the bundles of functions, or in the layer that is named. `npm run docs` writes this from the lockfile, and a test",
    "refuses any licence that `lib/supply-chain/licences.ts` does not accept. `npm run sbom` tells the same as CycloneDX.",
    "",
    ...[["Package", "Version", "Licence", "Where"], ["---", "---", "---", "---"], ...rows].map(
      (cells) => `| ${cells.join(" | ")} |`,
    ),
    "",
    "Licences that ask for more than that their text goes along with copies:",
    "",
    ...terms,
    "",
  ].join("\n");
}
