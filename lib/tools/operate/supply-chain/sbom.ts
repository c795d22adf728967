// The software bill of materials (SBOM) in CycloneDX 1.5: npm's own, reduced to deployed packages, plus the browser and the
// native libraries, which npm does not know. https://cyclonedx.org/docs/1.5/json/
import type { DeployedPackage } from "./deployed-packages.ts";

export interface SbomComponent {
  readonly "bom-ref": string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope?: string;
  readonly cpe?: string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly components?: readonly SbomComponent[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

export interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: SbomComponent };
  readonly components: readonly SbomComponent[];
  readonly dependencies: readonly Dependency[];
}

export interface ShippedSoftware {
  readonly deployed: readonly DeployedPackage[];
  /** The shipped Chromium: its npm package, and the version of the browser. */
  readonly browser: { readonly package: string; readonly version: string; readonly browser: string };
  /** Versions of the libraries that are linked into libvips, by name. */
  readonly libraries: Readonly<Record<string, string>>;
}

/**
 * Reduces npm's SBOM of the whole lockfile to the deployed packages. npm itself can only omit all development dependencies,
 * which include those of the layers. Throws for a package that npm's SBOM lacks.
 */
export function createBom(bom: Bom, { deployed, browser, libraries }: ShippedSoftware): Bom {
  const refs = new Map(bom.components.map((component) => [component["bom-ref"], component]));
  const components = deployed.map(({ name, version, licence, sha512, locations }) => {
    const component = refs.get(`${name}@${version}`);
    if (!component) throw new Error(`npm's bill of materials lacks ${name}@${version}.`);
    const properties = locations.map((value) => ({ name: "screen-capture-api:deployed-in", value }));
    const inside = listEmbedded(name, { browser, libraries });
    // npm lists one of several copies of a version, which can be one that another package bundles.
    const hashes = [{ alg: "SHA-512", content: Buffer.from(sha512, "base64").toString("hex") }];
    const { licenses = [{ license: { id: licence } }] } = component; // npm reads manifests alone
    const facts = { scope: "required", licenses, properties, hashes };
    return { ...component, ...facts, ...(inside.length > 0 && { components: inside }) };
  });
  const root = bom.metadata.component["bom-ref"];
  const kept = new Set([root, ...components.map((component) => component["bom-ref"])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  // npm uses the name of the folder as that of the project.
  const component = { ...bom.metadata.component, name: "screen-capture-api" };
  return { ...bom, metadata: { ...bom.metadata, component }, components, dependencies };
}

/** Software in a package that is not a package itself. */
function listEmbedded(name: string, { browser, libraries }: Omit<ShippedSoftware, "deployed">): SbomComponent[] {
  if (name === browser.package) {
    const cpe = `cpe:2.3:a:google:chrome:${browser.browser}:*:*:*:*:*:*:*`;
    return [{ ...generic("application", "chromium", browser.browser), cpe }];
  }
  if (!name.startsWith("@img/sharp-libvips-")) return [];
  return Object.entries(libraries).map(([library, version]) => generic("library", library, version));
}

function generic(type: string, name: string, version: string): SbomComponent {
  const purl = `pkg:generic/${encodeURIComponent(name)}@${encodeURIComponent(version)}`;
  return { "bom-ref": purl, type, name, version, purl };
}
