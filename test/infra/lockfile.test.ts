// The lockfiles: `npm ci` installs the reviewed packages only, and runs none of their scripts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type LockedPackage,
  type Lockfile,
  packageName,
  readLockfile,
} from "../../lib/tools/operate/supply-chain/lockfile.ts";

const project = join(import.meta.dirname, "../..");

/** The folders with packages of their own, and their packages with install scripts, none of which needs its own. */
const folders = {
  ".": [
    "aws-lambda-ric", // compiles a client in machine code, in whose place the local runner has its own
    "esbuild", // checks the program that an optional package of it brings
  ],
  test: [
    "@fortawesome/fontawesome-free", // prints a notice
  ],
  "test/pages": [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Rules for each entry. A bundled package is covered by the hash of its bundle. */
const rules: Readonly<Record<string, (entry: LockedPackage, path: string, all: Lockfile) => boolean>> = {
  "has a SHA-512 hash of its archive, or of the archive that bundles it": ({ integrity, inBundle }, path, all) =>
    inBundle
      ? hasHash(all[path.replace(/\/node_modules\/(?!.*node_modules\/).*$/, "")]?.integrity)
      : hasHash(integrity),
  "comes from the npm registry, not from git or a URL": ({ resolved }) =>
    resolved === undefined || resolved.startsWith("https://registry.npmjs.org/"),
  "has a published version": ({ version = "" }) => /^\d+\.\d+\.\d+([-+][\w.-]+)?$/.test(version),
  "is not a linked folder": ({ link }) => !link,
};

test("lockfile: native packages that are asked for by name are those of the packages that load them", () => {
  const paths = Object.keys(readLockfile(project));
  for (const name of ["@img/sharp-linux-x64", "@rolldown/binding-linux-x64-gnu"]) {
    expect(paths.filter((path) => packageName(path) === name)).toEqual([`node_modules/${name}`]);
  }
});

describe.each(Object.entries(folders))("lockfile in %s", (name, withScripts) => {
  const folder = join(project, name);
  const lockfile = readLockfile(folder);
  const { "": root = {}, ...packages } = lockfile;

  test("has every optional dependency", () => {
    const names = new Set(Object.keys(lockfile).map(packageName));
    const missing = Object.values(lockfile)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => !names.has(name));
    expect(missing).toEqual([]);
  });

  test.each(Object.entries(rules))("each package %s", (_, isFine) => {
    const wrong = Object.entries(packages).filter(([path, entry]) => !isFine(entry, path, lockfile));
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  test("asks for versions, not URLs", () => {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = root;
    const requested = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(requested.length).toBeGreaterThan(0);
    expect(requested.filter(([, range]) => !/^[\^~]?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
  });

  test("matches package.json", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    for (const kind of ["dependencies", "devDependencies", "optionalDependencies"] as const) {
      expect(root[kind]).toEqual(manifest[kind]);
    }
  });

  test("install scripts are disabled", () => {
    expect(readFileSync(join(folder, ".npmrc"), "utf8").split("\n")).toContain("ignore-scripts=true");
  });

  test("install scripts exist in known packages only, none of which needs its own", () => {
    const wanting = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(wanting.map(([path]) => packageName(path))).toEqual(withScripts);
  });
});

test.each<[string, LockedPackage]>([
  ["without a hash", { version: "1.0.0" }],
  ["with a weak one", { version: "1.0.0", integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }],
  ["from git", { version: "1.0.0", integrity: "sha512-x", resolved: "git+ssh://git@github.com/a/b.git#1" }],
  ["from an address", { version: "1.0.0", integrity: "sha512-x", resolved: "http://registry.npmjs.org/a.tgz" }],
  ["in another's archive that has no hash", { version: "1.0.0", inBundle: true }],
  ["of a folder", { version: "1.0.0", integrity: "sha512-x", link: true }],
])("lockfile: a package %s breaks a rule", (_, entry) => {
  const path = "node_modules/host/node_modules/guest";
  const all = { "node_modules/host": { version: "1.0.0" }, [path]: entry };
  expect(Object.values(rules).every((isFine) => isFine(entry, path, all))).toBe(false);
});

function hasHash(integrity: string | undefined): boolean {
  return integrity?.startsWith("sha512-") ?? false;
}
