// The built website, as a folder that is built once for each state of its sources.
import { join } from "node:path";
import { type Artifact, builtFolder, hashedFolder, hashSources } from "../build/artifact.ts";

const projectRoot = join(import.meta.dirname, "../..");

/** What pages, scripts, and packages of the website are made from. */
export const siteSources = [
  ...["lib/contract", "lib/engine", "lib/service", "lib/site", "package-lock.json"],
  ...["docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"], // pages
  "clients", // packages
];

export const siteArtifact: Artifact = {
  title: "Website",
  script: join(projectRoot, "bin/site.ts"),
  folder: () => hashedFolder(import.meta.dirname, hashSources(projectRoot, siteSources)),
};

/** The folder of the website, built first if it is missing. */
export const builtSite = (): string => builtFolder(siteArtifact);
