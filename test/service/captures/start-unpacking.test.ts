// Unpacking at the start of a capture function, as Lambda runs it: the import of a module in a process of its own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildChromiumLayer } from "../../../layers/chromium/build.ts";
import { buildFontsLayer } from "../../../layers/fonts/build.ts";

const module = join(import.meta.dirname, "../../../lib/service/captures/start-unpacking.ts");

test("provisioned concurrency: the initialization ends only when Chromium is unpacked, since Lambda freezes it then", () => {
  const folder = mkdtempSync(join(tmpdir(), "provisioned-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = `await import(${JSON.stringify(module)}); process.exit()`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    env: {
      PATH: process.env["PATH"],
      TMPDIR: folder,
      AWS_LAMBDA_INITIALIZATION_TYPE: "provisioned-concurrency",
      CHROMIUM_FILES: join(buildChromiumLayer(), "chromium"),
      FONT_FILES: join(buildFontsLayer(), "fonts"),
    },
  });
  const [unpacked = ""] = readdirSync(folder);
  expect(readdirSync(join(folder, unpacked))).toContain("chromium");
});
