// The lockfile: what `npm ci` insists on, whichever npm it is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Package {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test("holds every optional package that another one names", () => {
  const text = readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8");
  const packages: Record<string, Package> = JSON.parse(text).packages;
  const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, "")));
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !names.has(name));
  expect(missing).toEqual([]);
});
