// `npm run client -- [folder]`: packs the clients as the website serves them.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { TARBALL_NAME } from "../lib/site/client-packages/client-paths.ts";
import { composerPackage } from "../lib/site/client-packages/composer-package.ts";
import { goModuleZip } from "../lib/site/client-packages/go-module.ts";
import { javaSources } from "../lib/site/client-packages/java-sources.ts";
import { npmTarball } from "../lib/site/client-packages/npm-tarball.ts";
import { pythonWheel } from "../lib/site/client-packages/python-wheel.ts";
import { rubyGem } from "../lib/site/client-packages/ruby-gem.ts";
import manifest from "../package.json" with { type: "json" };

const [folder = "dist"] = process.argv.slice(2);
mkdirSync(resolve(folder), { recursive: true });
const wheel = pythonWheel();
const php = composerPackage();
const gem = (await rubyGem()).find(({ path }) => path.endsWith(".gem"));
for (const [name, content] of [
  [TARBALL_NAME, await npmTarball()],
  [wheel.name, wheel.content],
  [basename(php.path), php.content],
  ...(gem ? [[basename(gem.path), gem.content] as const] : []),
  [`screen-capture-client-go-${manifest.version}.zip`, goModuleZip()],
  [`screen-capture-client-java-${manifest.version}.tgz`, await javaSources()],
] as const) {
  const path = join(resolve(folder), name);
  writeFileSync(path, content);
  console.log(path);
}
