// Packs the Go client as a static module proxy, which `go get` reads. The same sources give the same bytes.
// Protocol: https://go.dev/ref/mod#goproxy-protocol
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../../clients/typescript/package.json" with { type: "json" };
import { GO_MODULE, GO_PROXY_PATH } from "./client-paths.ts";
import { zipArchive } from "./zip-archive.ts";

const source = join(import.meta.dirname, "../../../clients/go");
const version = `v${manifest.version}`;

interface ProxyFile {
  readonly path: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** The answers of the module proxy: of the version that the service has. */
export function goModuleProxy(): ProxyFile[] {
  const module = `${GO_PROXY_PATH}/${GO_MODULE}`;
  // A time that doesn't depend on the build. Only versions without numbers are compared by theirs.
  const info = JSON.stringify({ Version: version, Time: "1980-01-01T00:00:00Z" });
  return [
    { path: `${module}/@v/list`, type: "text/plain; charset=utf-8", content: Buffer.from(`${version}\n`) },
    { path: `${module}/@v/${version}.info`, type: "application/json", content: Buffer.from(info) },
    { path: `${module}/@latest`, type: "application/json", content: Buffer.from(info) },
    {
      path: `${module}/@v/${version}.mod`,
      type: "text/plain; charset=utf-8",
      content: readFileSync(join(source, "go.mod")),
    },
    { path: `${module}/@v/${version}.zip`, type: "application/zip", content: goModuleZip() },
  ];
}

/** The sources of the module, without its tests. */
export function goModuleZip(): Uint8Array {
  const names = ["LICENSE", "README.md", "go.mod", ...globSync("*.go", { cwd: source }).toSorted()];
  const files = names.map((name) => [`${GO_MODULE}@${version}/${name}`, readFileSync(join(source, name))] as const);
  return zipArchive(Object.fromEntries(files));
}
