// The committed libraries that protect a function from code that has broken out of Chromium. What they do is tested in
// test/attacks/broken-out.test.ts.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  compile,
  hardeningArchitectures,
  hardeningFolder,
  hardeningLibraries,
  hasPinnedCompiler,
  readHardeningLibrary,
} from "../../layers/hardening/build.ts";

const all = hardeningArchitectures.flatMap((architecture) =>
  hardeningLibraries.map((library) => [architecture, library] as const),
);

/** The machine of an ELF file, at this offset. https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
const MACHINE_OFFSET = 18;
const machines = { x64: 62, arm64: 183 } as const;

describe.each(all)("hardening, %s: %s", (architecture, library) => {
  test("has its checksum, and is for its architecture", () => {
    const content = readHardeningLibrary(architecture, library);
    expect(content.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
    expect(content.readUInt16LE(MACHINE_OFFSET)).toBe(machines[architecture]);
  });

  test.runIf(hasPinnedCompiler(architecture))("is what the pinned compiler makes of the source", () => {
    const folder = mkdtempSync(join(tmpdir(), "hardening-"));
    compile(architecture, library, join(folder, library));
    const made = readFileSync(join(folder, library));
    rmSync(folder, { recursive: true });
    expect(made.equals(readFileSync(join(hardeningFolder(architecture), library)))).toBe(true);
  });
});

test("hardening: sha256sum accepts the list of checksums, which names all libraries", () => {
  const folder = join(hardeningFolder("x64"), "..");
  const checked = execFileSync("sha256sum", ["--check", "--strict", "checksums.txt"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(checked.trim().split("\n").toSorted()).toEqual(
    all.map(([architecture, library]) => `${architecture}/${library}: OK`).toSorted(),
  );
  const committed = hardeningArchitectures.flatMap((architecture) => readdirSync(hardeningFolder(architecture)));
  expect(committed).toHaveLength(all.length);
});
