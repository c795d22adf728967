// Runs the programs of the guide of a client as they stand.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import type { Client } from "../../../support/client.ts";
import { codeBlocks } from "../../../support/documentation.ts";

export interface Guide {
  /** Its file in `docs/guide`. */
  readonly page: string;
  /** The language of its blocks. */
  readonly language: string;
  /** The name of the file that a program needs. */
  readonly file: string;
  /** What each program prints. */
  readonly prints: readonly RegExp[];
}

/** Runs each program in the folder, and resolves to what they print. The command ends before the name of the file. */
export async function runGuide(
  { page, language, file }: Guide,
  command: readonly string[],
  { folder, account }: { readonly folder: string; readonly account: Client },
): Promise<string[]> {
  const { baseUrl, site } = inject("service");
  const path = `docs/guide/${page}`;
  const text = readFileSync(join(import.meta.dirname, "../../../..", path), "utf8");
  const programs = codeBlocks({ path, text }).filter((each) => each.language === language && each.notRun === undefined);
  const env = {
    ...process.env,
    SCREEN_CAPTURE_URL: baseUrl,
    SCREEN_CAPTURE_KEY: account.key,
    KEY_ID: String(account.keyId),
    SIGNING_SECRET: account.signingSecret,
  };
  const [program = "", ...args] = command;
  const printed: string[] = [];
  for (const { code } of programs) {
    writeFileSync(join(folder, file), code.replaceAll("https://example.com", `${site}/documents/article`));
    printed.push((await promisify(execFile)(program, [...args, file], { cwd: folder, env })).stdout);
  }
  return printed;
}
