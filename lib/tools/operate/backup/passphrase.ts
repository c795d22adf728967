// The passphrase of a backup, from a file or standard input: arguments and variables of a process can be read by others.
import { createReadStream, existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { LocalServiceError } from "../../local/local-service-error.ts";
import { requirePassphrase } from "./backup-file.ts";

/** Reads the passphrase. Throws `LocalServiceError` when there is none, or it is too short. */
export async function readPassphrase(file: string | undefined, input: NodeJS.ReadStream): Promise<string> {
  if (file !== undefined && !existsSync(file))
    throw new LocalServiceError(`The passphrase file ${file} does not exist.`);
  if (file === undefined && input.isTTY)
    throw new LocalServiceError(
      "Name a file with the passphrase, by --passphrase-file, or write it to standard input.",
    );
  return requirePassphrase(await text(file === undefined ? input : createReadStream(file)));
}
