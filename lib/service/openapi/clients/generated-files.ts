// The generated files of the clients of all languages.
import { goClientFiles } from "./go-client.ts";
import { javaClientFiles } from "./java-client.ts";
import { phpClientFiles } from "./php-client.ts";
import { pythonClientFiles } from "./python-client.ts";
import { rubyClientFiles } from "./ruby-client.ts";
import { clientFiles } from "./typescript-client.ts";

/** What makes the files, by the folder that they are in: the text of each one by its name there. */
export const generatedFiles: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  "clients/typescript/src/generated": clientFiles,
  "clients/python/src/screen_capture_client": pythonClientFiles,
  "clients/php/src": phpClientFiles,
  "clients/ruby": rubyClientFiles,
  "clients/go": goClientFiles,
  "clients/java/src/main/java/screencapture": javaClientFiles,
};
