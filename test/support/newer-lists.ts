// Publishes newer filter lists in a registry of a test.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { consentPackageFiles } from "../../layers/blocking/consent.ts";
import { type ContentPackage, contentPackages, requirePackageFolder } from "../../layers/blocking/content-packages.ts";
import { listFiles } from "../../layers/blocking/lists.ts";
import type { TestRegistry } from "./npm-registry.ts";

/** Publishes the installed packages as version 99.0.0 of 2099-01-02, with one more rule in AdGuard's list of annoyances. */
export async function publishNewerLists(registry: TestRegistry, rule: string): Promise<void> {
  const read = (name: string, files: readonly string[]) =>
    Object.fromEntries(files.map((file) => [`package/${file}`, readFileSync(join(requirePackageFolder(name), file))]));
  const publish = (which: ContentPackage, files: Record<string, string | Buffer>) => {
    const name = contentPackages[which];
    const manifest = { "package/package.json": JSON.stringify({ name, version: "99.0.0" }) };
    return registry.publish(name, { version: "99.0.0", files: { ...files, ...read(name, ["LICENSE"]), ...manifest } });
  };
  const lists = read(contentPackages.lists, listFiles);
  const changed = "package/dist/filters/declarative/ruleset_21/ruleset_21.json";
  const [head, ...rest] = JSON.parse(String(lists[changed]));
  head.metadata.rawFilterList = `${head.metadata.rawFilterList}\n${rule}`.replace(
    /^! TimeUpdated: .*$/m,
    "! TimeUpdated: 2099-01-02T00:00:00+00:00",
  );
  await publish("lists", { ...lists, [changed]: JSON.stringify([head, ...rest]) });
  await publish("consent", read(contentPackages.consent, consentPackageFiles));
}
