// Packs the sources of the Java client, which Maven or javac compiles. The same sources give the same bytes.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tarArchive } from "./tar-archive.ts";

const source = join(import.meta.dirname, "../../../clients/java");

/**
 * One folder with the sources and a `pom.xml`, whatever the version, so that an update replaces it. It is no zip file, which would
 * compress each of the many small files alone and be twice as large.
 */
export function javaSources(): Promise<Buffer> {
  const names = ["LICENSE", "README.md", "pom.xml", ...globSync("src/**/*.java", { cwd: source }).toSorted()];
  return tarArchive(names.map((name) => [`screen-capture-client/${name}`, readFileSync(join(source, name))]));
}
