// The private origins that a stage lets its callers capture, as the environment names them, and the functions that can read them.
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, expect, test, vi } from "vitest";
import { buildOptions } from "../../../lib/infra/bundling/bundle.ts";
import { allowedOrigins } from "../../../lib/service/platform/allowed-origins.ts";
import { sampled } from "../../support/slow-run.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("allowed origins: are refused where the stage's settings do not ask for them", () => {
  vi.stubEnv("CAPTURE_ALLOW_ORIGINS", "127.0.0.1:8080");
  expect(allowedOrigins).toThrow(/this stage's settings do not ask/);
  vi.stubEnv("CAPTURE_ALLOW_ORIGINS_PERMITTED", "true");
  expect([...allowedOrigins()]).toEqual(["127.0.0.1 8080"]);
});

test("allowed origins: one that is not address:port is refused", () => {
  vi.stubEnv("CAPTURE_ALLOW_ORIGINS", "localhost:8080");
  vi.stubEnv("CAPTURE_ALLOW_ORIGINS_PERMITTED", "true");
  expect(allowedOrigins).toThrow(/'localhost:8080', which is not address:port/);
});

const project = join(import.meta.dirname, "../../..");

sampled(test, 3).each([
  ["try", false], // anyone's requests, whichever environment the function has
  ["screenshot", true],
  ["renderer", true],
])("allowed origins: the code of the function %s has what reads them: %s", (name, hasThem) => {
  const options = buildOptions(join(project, `functions/${name}.ts`), join(project, "unwritten"), {
    nativePackages: ["sharp"],
    withPageScripts: true,
  });
  const { metafile } = buildSync({ ...options, write: false, metafile: true });
  expect("lib/service/platform/allowed-origins.ts" in metafile.inputs).toBe(hasThem);
});
