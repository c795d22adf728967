// Builds the blocking layer in a folder, in its own process: node layers/blocking/make.ts <folder>
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { publishFolder } from "../../lib/build/publish-folder.ts";
import { writeBlockingFiles } from "./blocking-files.ts";
import { installedContent } from "./content-packages.ts";

await publishFolder(process.argv[2] ?? "", async (folder) => {
  const blocking = join(folder, "blocking");
  await mkdir(blocking);
  await writeBlockingFiles(blocking, installedContent());
});
