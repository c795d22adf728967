// Runs the shared list of behaviours with the client of a language, as customers get it from the website.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, test } from "vitest";
import { openClient } from "../../../support/client.ts";
import { skipWithout } from "../../../support/runtimes.ts";
import { behaviours, type Trial } from "./behaviours.ts";
import { type Driver, startDriver } from "./driver.ts";

interface TestedClient {
  readonly language: string;
  /** What this machine lacks to run the client; undefined if nothing. */
  readonly missing: string | undefined;
  /** Installs the client into the folder, with its driver, and resolves to the command that runs the driver. */
  readonly install: (folder: string) => Promise<readonly string[]>;
  /** From the command of the driver, that of the client's own tests, for what only its language has. */
  readonly ownTests?: (driver: readonly string[]) => readonly string[];
}

/** Declares the tests. */
export function testClient({ language, missing, install, ownTests }: TestedClient): void {
  describe(`${language} client`, () => {
    const drivers: Driver[] = [];
    let folder: string;
    let command: readonly string[];
    let trial: Trial;

    beforeAll(async () => {
      if (missing !== undefined) return;
      folder = mkdtempSync(join(tmpdir(), "client-"));
      command = await install(folder);
      const startWith = (environment: Readonly<Record<string, string>>) => {
        const driver = startDriver(command, environment);
        drivers.push(driver);
        return driver;
      };
      trial = { driver: startWith({}), account: await openClient(), startWith };
    });
    afterAll(() => {
      for (const driver of drivers) driver.close();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    test.for(behaviours)("$title", async ({ run }, context) => {
      skipWithout(missing === undefined, context, `the ${language} client`, missing ?? "");
      await run(trial);
    });

    if (ownTests) {
      test("passes tests of its own", async (context) => {
        skipWithout(missing === undefined, context, `the ${language} client`, missing ?? "");
        const [program = "", ...args] = ownTests(command);
        await promisify(execFile)(program, args, { cwd: folder });
      });
    }
  });
}
