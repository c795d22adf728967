// The assembly of the local stage with the fake renderer as the code of the function `renderer`. No other function differs.
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { localAssembly } from "../local-assembly.ts";

const project = resolve(import.meta.dirname, "../../..");
const CODE = "asset.fake-renderer";

/** Puts the assembly into `output`, a folder that does not exist yet. */
export async function fakeRendererAssembly(output: string): Promise<string> {
  await localAssembly(output);
  await Promise.all([bundleFake(join(output, CODE)), replaceRenderer(output)]);
  return output;
}

async function bundleFake(folder: string): Promise<void> {
  await build({
    entryPoints: { index: join(import.meta.dirname, "handler.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    platform: "node",
    target: "node24",
    format: "esm",
    bundle: true,
    splitting: true,
    mainFields: ["module", "main"],
    external: ["sharp"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  await symlink(join(project, "node_modules"), join(folder, "node_modules"));
}

interface Template {
  readonly Resources: Record<string, { readonly Type: string; readonly Properties: { Code: { S3Key: string } } }>;
}

/** Points the function at the fake's code. The files in the folder are copies; only what they name is shared with the cache. */
async function replaceRenderer(output: string): Promise<void> {
  const files = (await readdir(output)).filter((file) => file.endsWith(".template.json"));
  let replaced = 0;
  for (const file of files) {
    const path = join(output, file);
    const template: Template = JSON.parse(await readFile(path, "utf8"));
    for (const [logicalId, { Type, Properties }] of Object.entries(template.Resources)) {
      if (Type !== "AWS::Lambda::Function" || !/^Renderer[0-9A-F]{8}$/.test(logicalId)) continue;
      Properties.Code.S3Key = CODE;
      await addAsset(path.replace(/\.template\.json$/, ".assets.json"));
      await writeFile(path, JSON.stringify(template));
      replaced++;
    }
  }
  if (replaced !== 1) throw new Error(`The assembly has ${replaced} functions 'Renderer', not one.`);
}

async function addAsset(path: string): Promise<void> {
  const manifest = JSON.parse(await readFile(path, "utf8"));
  const destinations = { local: { objectKey: CODE } };
  manifest.files[CODE] = { source: { path: CODE, packaging: "zip" }, destinations };
  await writeFile(path, JSON.stringify(manifest));
}
