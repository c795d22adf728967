// `npm run backup`: writes an encrypted copy of the data folder of the local service, which may be running.
import { parseArgs } from "node:util";
import { withStatusLine } from "../clients/typescript/src/cli/status-line.ts";
import { readPassphrase } from "../lib/tools/operate/backup/passphrase.ts";
import { streamBackup, writeBackup } from "../lib/tools/operate/backup/write-backup.ts";
import manifest from "../package.json" with { type: "json" };

const usage = `Usage:
  npm run backup -- --to FILE [--passphrase-file FILE]

Backs up DATA_DIR (default .local). Without --passphrase-file, the passphrase is read from standard input. With --to -, the backup is
written to standard output.`;

try {
  const options = { to: { type: "string" }, "passphrase-file": { type: "string" } } as const;
  const { to, "passphrase-file": passphraseFile } = parseArgs({ options }).values;
  if (to === undefined) throw new Error("Name the file to write, by --to.");
  const passphrase = await readPassphrase(passphraseFile, process.stdin);
  const dataDir = process.env["DATA_DIR"] ?? ".local";
  const isStreamed = to === "-";
  const result = await withStatusLine("Backing up", async (line) => {
    const onFile = (files: number) => line.enter(`Backing up, files: ${files}`);
    const backup = { dataDir, passphrase, version: manifest.version, onFile };
    return isStreamed
      ? { files: await streamBackup(backup, () => process.stdout) }
      : await writeBackup({ ...backup, file: to });
  });
  (isStreamed ? console.error : console.log)(JSON.stringify(result));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 1;
}
