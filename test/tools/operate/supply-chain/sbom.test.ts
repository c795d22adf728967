// The bill of materials, as `npm run sbom` prints it.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chromium } from "../../../../lib/engine/browser/chromium-build.ts";
import { deployedPackages } from "../../../../lib/tools/operate/supply-chain/deployed-packages.ts";
import { readLockfile } from "../../../../lib/tools/operate/supply-chain/lockfile.ts";
import type { Bom } from "../../../../lib/tools/operate/supply-chain/sbom.ts";

const project = join(import.meta.dirname, "../../../..");
const lockfile = readLockfile(project);
const deployed = deployedPackages(lockfile);
const bom: Bom = JSON.parse(
  execFileSync(process.execPath, [join(project, "bin/sbom.ts")], { maxBuffer: 2 ** 26 }).toString(),
);
const inside = bom.components.flatMap(({ components = [] }) => components);

test("SBOM: is CycloneDX 1.5 of this project", () => {
  expect(bom).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    metadata: { component: { name: "screen-capture-api", version: lockfile[""]?.version } },
  });
});

test("SBOM: has every deployed package, including those of layers, and no other", () => {
  const listed = bom.components.map(({ name, version }) => `${name}@${version}`);
  expect(listed).toEqual(deployed.map(({ name, version }) => `${name}@${version}`));
});

test("SBOM: each component has a purl, a licence, a hash and a location", () => {
  for (const component of bom.components) {
    expect(component).toMatchObject({
      type: "library",
      scope: "required",
      purl: `pkg:npm/${component.name.replace("@", "%40")}@${component.version}`,
      licenses: [expect.toSatisfy(isLicence)],
      hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      properties: expect.arrayContaining([{ name: "screen-capture-api:deployed-in", value: expect.any(String) }]),
    });
  }
});

test("SBOM: hashes are those of the lockfile", () => {
  const sharp = bom.components.find(({ name }) => name === "sharp");
  const integrity = `sha512-${Buffer.from(sharp?.hashes?.[0]?.content ?? "", "hex").toString("base64")}`;
  expect(integrity).toBe(lockfile["node_modules/sharp"]?.integrity);
});

test("SBOM: names the browser and the native libraries inside packages, for vulnerability scanners", () => {
  expect(inside).toContainEqual(
    expect.objectContaining({
      name: "chromium",
      version: chromium.browser,
      cpe: expect.stringContaining(chromium.browser),
    }),
  );
  expect(inside.map(({ name }) => name)).toEqual(expect.arrayContaining(["vips", "webp", "xml2"]));
});

test("SBOM: every reference exists and is unique", () => {
  const all = [...bom.components, ...inside].map((component) => component["bom-ref"]);
  expect(new Set(all).size).toBe(all.length);
  const known = new Set([...all, `screen-capture-api@${lockfile[""]?.version}`]);
  const used = bom.dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn]);
  expect(used.filter((ref) => !known.has(ref))).toEqual([]);
});

/** Either an identifier or an expression, as the schema has it. */
function isLicence(value: unknown): boolean {
  const { license, expression } = value as { license?: { id?: string }; expression?: string };
  return Boolean(license?.id) !== Boolean(expression);
}
