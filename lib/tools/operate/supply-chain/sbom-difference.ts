// What has changed between two bills of materials: components that are new, gone, or of another version or content.
import type { Bom, SbomComponent } from "./sbom.ts";

export interface BomDifference {
  /** As `name version`, or `name versions -> versions`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** The same version with another hash. A registry never allows that. */
  readonly replaced: readonly string[];
}

/** Compares the components, with those inside of others, by their names. A name can have several versions. */
export function compareBoms(before: Bom, after: Bom): BomDifference {
  const [old, current] = [versionsOf(before), versionsOf(after)];
  const names = [...new Set([...old.keys(), ...current.keys()])].toSorted();
  const difference = {
    added: [] as string[],
    removed: [] as string[],
    changed: [] as string[],
    replaced: [] as string[],
  };
  for (const name of names) {
    const [from, to] = [old.get(name), current.get(name)];
    if (!from) difference.added.push(`${name} ${listed(to)}`);
    else if (!to) difference.removed.push(`${name} ${listed(from)}`);
    else if (listed(from) !== listed(to)) difference.changed.push(`${name} ${listed(from)} -> ${listed(to)}`);
    for (const [version, hash] of to ?? []) {
      const known = from?.get(version);
      if (known !== undefined && known !== hash) difference.replaced.push(`${name} ${version}`);
    }
  }
  return difference;
}

/** The difference as lines of Markdown. */
export function describeDifference({ added, removed, changed, replaced }: BomDifference): string {
  const groups = { Replaced: replaced, Added: added, Removed: removed, Changed: changed };
  const lines = Object.entries(groups).flatMap(([title, names]) =>
    names.length === 0 ? [] : [`**${title}**`, "", ...names.map((name) => `- ${name}`), ""],
  );
  return lines.length === 0 ? "No component has changed.\n" : lines.join("\n");
}

/** The hashes by version, by name. What is inside of a component has no hash. */
function versionsOf({ components }: Bom): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  const visit = ({ name, version, hashes, components: inner = [] }: SbomComponent) => {
    const versions = found.get(name) ?? new Map<string, string>();
    found.set(name, versions.set(version, hashes?.map(({ content }) => content).join() ?? ""));
    inner.forEach(visit);
  };
  components.forEach(visit);
  return found;
}

function listed(versions: ReadonlyMap<string, string> = new Map()): string {
  return [...versions.keys()].toSorted().join(", ");
}
