// Generates docs/third-party.md, the table of deployed third-party packages.
import { hyphenationLanguages } from "../../../../layers/chromium/hyphenation-languages.ts";
import type { DeployedPackage } from "./deployed-packages.ts";
import { licences } from "./licences.ts";

/** The page in Markdown. */
export function thirdPartyDocument(deployed: readonly DeployedPackage[]): string {
  const rows = deployed.map(({ name, version, licence, locations }) => [name, version, licence, locations.join(", ")]);
  const terms = Object.entries(licences).flatMap(([id, accepted]) =>
    accepted && deployed.some(({ licence }) => licence.includes(id)) ? [`- **${id}**: ${accepted.reason}`] : [],
  );
  const patterns = hyphenationLanguages.map(
    ({ language, licence, copyright }) => `| ${language} | ${licence} | ${copyright} |`,
  );
  return [
    "# Third-party packages",
    "",
    "These packages are deployed, in the bundles of functions, in a layer, or in the website. `npm run docs` generates this page",
    "from the lockfile.",
    "A test rejects licences that `lib/tools/operate/supply-chain/licences.ts` does not list. `npm run sbom` prints the same as CycloneDX.",
    "",
    ...[["Package", "Version", "Licence", "Location"], ["---", "---", "---", "---"], ...rows].map(
      (cells) => `| ${cells.join(" | ")} |`,
    ),
    "",
    "Licences with more conditions than a notice:",
    "",
    ...terms,
    "",
    "## Hyphenation patterns",
    "",
    "The package `hyphen` has the patterns of [hyph-utf8](https://github.com/hyphenation/tex-hyphen). The layer of Chromium has these, in",
    "Chromium's format, with the texts of their licences in `hyphen-data/LICENCES.txt`. Patterns that are under the GPL or the LGPL alone,",
    "and those without a licence, are left out.",
    "",
    "| Language | Licence | Copyright |",
    "| --- | --- | --- |",
    ...patterns,
    "",
  ].join("\n");
}
