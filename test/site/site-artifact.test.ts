// The sources of which the website is made, by which its folder is named.
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { siteSources } from "../../lib/site/site-artifact.ts";

const projectRoot = join(import.meta.dirname, "../..");

test("website: a change of any module that builds it changes the name of its folder", async () => {
  const { metafile } = await build({
    entryPoints: ["lib/site/build-site.ts"],
    absWorkingDir: projectRoot,
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outdir: "out",
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.length).toBeGreaterThan(50);
  expect(inputs.filter((input) => !siteSources.some((source) => input.startsWith(`${source}/`)))).toEqual([]);
});
