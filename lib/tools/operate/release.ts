// Releases: a version in the manifests, a dated section of the changelog, a commit, a tag, and artifacts with their checksums.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wheelName } from "../../site/client-packages/client-paths.ts";
import { changeTags, untaggedChanges } from "../../site/docs/changelog.ts";

/** The manifests that have the version. */
const MANIFESTS = [
  "package.json",
  "clients/typescript/package.json",
  "clients/python/pyproject.toml",
  "clients/php/composer.json",
  "clients/ruby/screen_capture_client.gemspec",
  "clients/java/pom.xml",
];

/** Pages that say how to install the Python client: the name of its file has the version. */
const PAGES = ["README.md", "docs/**/*.md"];

/** What stands between a checkout and a release. The message says how to go on. */
export class ReleaseError extends Error {}

/**
 * Moves the section `Unreleased` of a changelog below a new heading with version and date (`2026-01-31`). Throws `ReleaseError` if it
 * has no entry, an entry has no tag, or the version has a section already.
 */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  const [before, rest] = changelog.split("## Unreleased\n", 2);
  if (before === undefined || rest === undefined) throw new ReleaseError("The changelog has no section Unreleased.");
  if (changelog.includes(`## ${version} `)) throw new ReleaseError(`The changelog has the version ${version} already.`);
  const [unreleased = "", ...older] = rest.split(/^(?=## )/m);
  if (!/^- /m.test(unreleased))
    throw new ReleaseError("The section Unreleased has no entry: there is nothing to release.");
  const [untagged] = untaggedChanges(unreleased);
  if (untagged !== undefined)
    throw new ReleaseError(
      `An entry of Unreleased must begin with ${changeTags.map((tag) => `[${tag}]`).join(" or ")}: ${untagged}`,
    );
  return `${before}## Unreleased\n\n## ${version} – ${date}\n\n${unreleased.trimStart()}${older.join("")}`;
}

export interface ReleaseRequest {
  /** The checkout. */
  readonly root: string;
  /** Without a `v`. */
  readonly version: string;
  /** `2026-01-31`. */
  readonly date: string;
}

/**
 * Commits and tags a release of the branch `main`, and resolves to the folder of its artifacts: the packed clients, the sources, and
 * `SHA256SUMS`. Pushes nothing. Throws `ReleaseError`, before anything is written, for a version that is none, a tag that exists,
 * another branch, or a checkout with changes.
 */
export function makeRelease({ root, version, date }: ReleaseRequest): string {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: root, encoding: "utf8" }).trim();
  const tag = `v${version}`;
  // Python has no other names for versions before a release.
  if (!/^\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$/.test(version))
    throw new ReleaseError(`${version} is no version. Send one such as 1.2.0 or 1.2.0-rc.1.`);
  if (run("git", "branch", "--show-current") !== "main") throw new ReleaseError("Switch to the branch main.");
  if (run("git", "status", "--porcelain") !== "") throw new ReleaseError("Commit or remove your changes first.");
  if (run("git", "tag", "--list", tag) !== "")
    throw new ReleaseError(`The tag ${tag} exists. Choose the next version.`);
  const changelog = releaseChangelog(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version, date);

  writeFileSync(join(root, "CHANGELOG.md"), changelog);
  for (const manifest of MANIFESTS) setVersion(join(root, manifest), version);
  for (const page of globSync(PAGES, { cwd: root })) setWheelName(join(root, page), wheelName(version));
  run("npm", "install", "--package-lock-only", "--ignore-scripts", "--offline", "--no-audit", "--no-fund");
  run("npm", "run", "--silent", "docs");
  run("git", "commit", "--all", "--quiet", "--message", `chore(release): ${tag}`);
  run("git", "tag", "--annotate", tag, "--message", tag);

  const folder = join(root, "dist", tag);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run("git", "archive", `--prefix=screen-capture-api-${version}/`, `--output=${join(folder, "sources.tar.gz")}`, tag);
  run("npm", "run", "--silent", "client", "--", folder);
  const sums = readdirSync(folder).map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  return folder;
}

/** Sets the version of a manifest: its first field or element `version`. */
function setVersion(path: string, version: string): void {
  if (path.endsWith(".xml")) replaceIn(path, /<version>[^<]+</, `<version>${version}<`);
  else replaceIn(path, /\bversion("?\s*[:=]) "[^"]+"/, `version$1 "${version}"`);
}

function setWheelName(path: string, name: string): void {
  replaceIn(path, /screen_capture_client-[^-\s]+-py3-none-any\.whl/g, name);
}

function replaceIn(path: string, pattern: RegExp, replacement: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(pattern, replacement));
}

function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
