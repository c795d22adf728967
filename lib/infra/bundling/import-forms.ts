// The form of imports that means one thing in Node.js, where modules are tested, and another in a bundle, which is deployed.
import type { Metafile } from "esbuild";

/**
 * Throws for a bundle in which `import()` loads a CommonJS module. There it has no other export than `default`, while
 * Node.js gives it named ones as well. A static import is the same in both.
 * https://nodejs.org/api/esm.html#commonjs-namespaces
 */
export function refuseDynamicCommonJs({ inputs }: Pick<Metafile, "inputs">): void {
  const found = Object.entries(inputs).flatMap(([from, { imports }]) =>
    imports
      .filter(({ kind, path }) => kind === "dynamic-import" && inputs[path]?.format === "cjs" && !isKnown(from, path))
      .map(({ path }) => `  ${from} imports ${path}`),
  );
  if (found.length === 0) return;
  const fix = "Import it statically, in a module of its own that is imported on demand.";
  throw new Error(`import() of a CommonJS module has no named exports in a bundle. ${fix}\n${found.join("\n")}`);
}

/**
 * True for built-in modules that packages import and `bundle.ts` wraps in CommonJS: the HTTP handler of the AWS SDK takes
 * their default export. Its look-up of the region of an EC2 instance doesn't, but Lambda sets the region.
 */
function isKnown(from: string, to: string): boolean {
  return from.startsWith("node_modules/") && to.startsWith("lib/infra/bundling/builtin-wrappers/");
}
