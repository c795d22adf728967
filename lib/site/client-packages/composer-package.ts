// Packs the PHP client as a zip file with the index of a Composer repository. The same sources give the same bytes.
// Format: https://getcomposer.org/doc/05-repositories.md#packages
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BASE_URL } from "../site-files.ts";
import { composerZipPath } from "./client-paths.ts";
import { zipArchive } from "./zip-archive.ts";

const source = join(import.meta.dirname, "../../../clients/php");

interface ComposerPackage {
  readonly path: string;
  readonly content: Uint8Array;
  /** `packages.json` of the repository, with a placeholder for the address of the service: Composer takes absolute ones only. */
  readonly index: string;
}

/** The package of the version in `clients/php/composer.json`. */
export function composerPackage(): ComposerPackage {
  const manifest = JSON.parse(readFileSync(join(source, "composer.json"), "utf8"));
  const names = globSync(["composer.json", "README.md", "LICENSE", "src/**/*.php"], { cwd: source }).toSorted();
  const content = zipArchive(Object.fromEntries(names.map((name) => [name, readFileSync(join(source, name))])));
  const path = composerZipPath(manifest.version);
  const sha1 = createHash("sha1").update(content).digest("hex"); // what Composer checks
  const dist = { type: "zip", url: `${BASE_URL}${path}`, reference: sha1, shasum: sha1 };
  const packages = { [manifest.name]: { [manifest.version]: { ...manifest, dist } } };
  return { path, content, index: JSON.stringify({ packages }) };
}
