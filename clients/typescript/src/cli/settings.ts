// Key and URL of the service: from the environment, or from a configuration file that only its owner can read.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { env, platform } from "node:process";
import { UsageError } from "./usage-error.ts";

export interface Settings {
  readonly key: string | undefined;
  readonly baseUrl: string;
}

interface SavedSettings {
  readonly key?: string;
  readonly url?: string;
}

/** `$XDG_CONFIG_HOME/screen-capture/config.json`; without that variable, in `~/.config`. */
function configFile(): string {
  return join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "screen-capture", "config.json");
}

/** The settings to use. A saved key is sent only to the service that it was saved for. */
export function readSettings(apiUrl: string | undefined): Settings {
  const [key, url] = [env["SCREEN_CAPTURE_KEY"], apiUrl ?? env["SCREEN_CAPTURE_URL"]];
  const saved = key && url ? {} : readConfigFile();
  const baseUrl = url || saved.url;
  if (!baseUrl) throw new UsageError("No service is set. Set SCREEN_CAPTURE_URL, or run 'capture login'.");
  const savedKey = saved.url !== undefined && isSameService(saved.url, baseUrl) ? saved.key : undefined;
  return { key: key || savedKey, baseUrl };
}

function isSameService(a: string, b: string): boolean {
  return a.replace(/\/+$/, "") === b.replace(/\/+$/, "");
}

function readConfigFile(): SavedSettings {
  const file = configFile();
  let text: string;
  try {
    if (platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
      throw new UsageError(`Other users can read the key in ${file}. Run: chmod 600 ${file}`);
    }
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  return parseConfig(text, file);
}

/** The message doesn't quote the text, which can contain the key. */
function parseConfig(text: string, file: string): SavedSettings {
  try {
    const { key, url } = JSON.parse(text);
    return { ...(typeof key === "string" && { key }), ...(typeof url === "string" && { url }) };
  } catch {
    throw new UsageError(`${file} isn't valid JSON. Run 'capture login' to write it again.`);
  }
}

/** Writes the file with mode 600, so that only its owner can read it. Returns its path. */
export function saveSettings(settings: Required<SavedSettings>): string {
  const file = configFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, "", { mode: 0o600 });
  chmodSync(file, 0o600); // a file that existed keeps its mode, so it's set before the key is in it
  writeFileSync(file, `${JSON.stringify(settings, undefined, 2)}\n`);
  return file;
}
