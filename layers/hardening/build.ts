// Builds the libraries that protect a function from code that has broken out of Chromium. They are committed, with checksums,
// because a service must not depend on a compiler. After a change of the sources, with the compilers below:
// apt-get install gcc-12 gcc-12-aarch64-linux-gnu linux-libc-dev linux-libc-dev-arm64-cross && node layers/hardening/build.ts
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BROWSER_FILTER_FILE, CLOSED_PROCESS_FILE } from "../../lib/engine/browser/protection.ts";

/** Architectures by Node's names, with the prefix of their tools. */
const prefixes = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" } as const;

export type HardeningArchitecture = keyof typeof prefixes;
export const hardeningArchitectures = Object.keys(prefixes) as readonly HardeningArchitecture[];

const sources = { [CLOSED_PROCESS_FILE]: "closed-process.c", [BROWSER_FILTER_FILE]: "browser-filter.c" } as const;

export type HardeningLibrary = keyof typeof sources;
export const hardeningLibraries = Object.keys(sources) as readonly HardeningLibrary[];

/** The tools of Debian 12. Others make other bytes of the same source. */
const COMPILER_VERSION = /-gcc-12 \(Debian 12\.2\.0-14\S*\) 12\.2\.0$/m;
const LINKER_VERSION = /^GNU ld \(GNU Binutils for Debian\) 2\.40$/m;

const flags = [
  ...["-std=c11", "-Os", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden", "-s"],
  // Without a C library.
  ...["-ffreestanding", "-nostdlib", "-fno-stack-protector", "-fno-asynchronous-unwind-tables"],
  // The same bytes on each machine, and few of them.
  ...["-fno-ident", "-Wl,--build-id=none", "-Wl,--hash-style=gnu", "-Wl,-z,noseparate-code,-z,norelro,-z,now"],
];

const checksumFile = join(import.meta.dirname, "checksums.txt");

/** Folder of the committed libraries. */
export function hardeningFolder(architecture: HardeningArchitecture): string {
  return join(import.meta.dirname, architecture);
}

/** Reads a committed library. Throws when it doesn't have its checksum. */
export function readHardeningLibrary(architecture: HardeningArchitecture, library: HardeningLibrary): Buffer {
  const content = readFileSync(join(hardeningFolder(architecture), library));
  const line = checksumLine(`${architecture}/${library}`, content);
  if (!readFileSync(checksumFile, "utf8").includes(line)) throw new Error(`${line.trim()} isn't in ${checksumFile}.`);
  return content;
}

/** Compiles a library. Throws when the compiler fails. */
export function compile(architecture: HardeningArchitecture, library: HardeningLibrary, target: string): void {
  const source = join(import.meta.dirname, sources[library]);
  execFileSync(`${prefixes[architecture]}-gcc-12`, [...flags, "-o", target, source], { stdio: "inherit" });
}

/** True where the compiler and the linker are those that make the committed bytes. */
export function hasPinnedCompiler(architecture: HardeningArchitecture): boolean {
  const version = (tool: string) =>
    spawnSync(`${prefixes[architecture]}-${tool}`, ["--version"], { encoding: "utf8" }).stdout ?? "";
  return COMPILER_VERSION.test(version("gcc-12")) && LINKER_VERSION.test(version("ld"));
}

/** A line that `sha256sum --check` reads. */
function checksumLine(name: string, content: Buffer): string {
  return `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
}

function buildAll(): void {
  const lines = hardeningArchitectures.flatMap((architecture) => {
    if (!hasPinnedCompiler(architecture)) throw new Error(`The compiler for ${architecture} isn't that of Debian 12.`);
    mkdirSync(hardeningFolder(architecture), { recursive: true });
    return hardeningLibraries.map((library) => {
      const target = join(hardeningFolder(architecture), library);
      compile(architecture, library, target);
      chmodSync(target, 0o644); // loaded, never run
      return checksumLine(`${architecture}/${library}`, readFileSync(target));
    });
  });
  writeFileSync(checksumFile, lines.join(""));
}

if (import.meta.main) buildAll();
