// `npm run restore`: replaces the data folder of the local service by a backup.
import { createReadStream, existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { withStatusLine } from "../clients/typescript/src/cli/status-line.ts";
import { readPassphrase } from "../lib/tools/operate/backup/passphrase.ts";
import { restoreBackup } from "../lib/tools/operate/backup/restore-backup.ts";
import manifest from "../package.json" with { type: "json" };

const usage = `Usage:
  npm run restore -- --from FILE [--passphrase-file FILE]

Restores into DATA_DIR (default .local), which no service may be using. Without --passphrase-file, the passphrase is read from standard input.`;

try {
  const options = { from: { type: "string" }, "passphrase-file": { type: "string" } } as const;
  const { from, "passphrase-file": passphraseFile } = parseArgs({ options }).values;
  if (from === undefined) throw new Error("Name the backup, by --from.");
  if (!existsSync(from)) throw new Error(`The backup ${from} does not exist.`);
  const passphrase = await readPassphrase(passphraseFile, process.stdin);
  const dataDir = process.env["DATA_DIR"] ?? ".local";
  const restored = await withStatusLine("Restoring", (line) => {
    const onFile = (files: number) => line.enter(`Restoring, files: ${files}`);
    const source = createReadStream(from);
    return restoreBackup({ dataDir, source, passphrase, version: manifest.version, onFile });
  });
  console.log(JSON.stringify(restored));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 1;
}
