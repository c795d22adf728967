// The signatures of the Ruby client: valid RBS, for every public method.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { canRun, skipWithout } from "../support/runtimes.ts";

test("Ruby client: the signatures are valid, and every public method has one", async (context) => {
  skipWithout(canRun("ruby", ["-e", "require 'rbs'"]), context, "the signatures of the Ruby client", "ruby with rbs");
  const program = join(import.meta.dirname, "../../clients/ruby/tests/check_signatures.rb");
  expect(await promisify(execFile)("ruby", [program])).toEqual({ stdout: "OK\n", stderr: "" });
});
