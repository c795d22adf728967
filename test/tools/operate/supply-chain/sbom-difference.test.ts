// The difference of two bills of materials, as the weekly workflow reports it.
import { expect, test } from "vitest";
import type { Bom } from "../../../../lib/tools/operate/supply-chain/sbom.ts";
import { compareBoms, describeDifference } from "../../../../lib/tools/operate/supply-chain/sbom-difference.ts";

interface Entry {
  readonly name: string;
  readonly version: string;
  readonly hash?: string;
  readonly components?: readonly Entry[];
}

const component = ({ name, version, hash = name + version, components = [] }: Entry): Bom["components"][number] => ({
  "bom-ref": `${name}@${version}`,
  type: "library",
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
  hashes: [{ alg: "SHA-512", content: hash }],
  components: components.map(component),
});

const bomOf = (...entries: Entry[]): Bom => ({
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  metadata: { component: component({ name: "project", version: "1.0.0" }) },
  components: entries.map(component),
  dependencies: [],
});

test("SBOM difference: components that are new, gone, or of another version, also inside of others and with several versions", () => {
  const before = bomOf(
    { name: "a", version: "1.0.0" },
    { name: "b", version: "1.0.0" },
    { name: "e", version: "1.0.0" },
    { name: "shell", version: "1.0.0", components: [{ name: "chromium", version: "152" }] },
  );
  const after = bomOf(
    { name: "a", version: "1.1.0" },
    { name: "c", version: "2.0.0" },
    { name: "e", version: "1.0.0" },
    { name: "e", version: "2.0.0" },
    { name: "shell", version: "1.0.0", components: [{ name: "chromium", version: "153" }] },
  );
  expect(compareBoms(before, after)).toEqual({
    added: ["c 2.0.0"],
    removed: ["b 1.0.0"],
    changed: ["a 1.0.0 -> 1.1.0", "chromium 152 -> 153", "e 1.0.0 -> 1.0.0, 2.0.0"],
    replaced: [],
  });
  expect(describeDifference(compareBoms(before, after))).toContain("**Added**\n\n- c 2.0.0\n");
});

test("SBOM difference: a version whose content is another is named, because registries never replace one", () => {
  const [before, after] = ["1", "2"].map((hash) => bomOf({ name: "a", version: "1.0.0", hash }));
  expect(compareBoms(before as Bom, after as Bom)).toEqual({
    added: [],
    removed: [],
    changed: [],
    replaced: ["a 1.0.0"],
  });
});

test("SBOM difference: the same bill has none, and says so", () => {
  const bom = bomOf({ name: "a", version: "1.0.0" });
  expect(describeDifference(compareBoms(bom, bom))).toBe("No component has changed.\n");
});
