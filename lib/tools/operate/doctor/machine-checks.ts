// Checks of this machine: what building, deploying, and running the service need.
import { existsSync, statfsSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname, resolve } from "node:path";
import { type DoctorCheck, failed, ok, warning } from "./finding.ts";

const MIN_NODE_MAJOR = 24;
const MEBIBYTE = 1024 * 1024;
/** The service needs 512 MB below its data folder; the layers and the bundles of a build take 1 GB. */
const MIN_FREE_MB = 1_536;
/** One Chromium, the engines, and the functions. */
const MIN_MEMORY_MB = 2_048;

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** Such as `24.1.0`. */
  readonly nodeVersion: string;
  readonly freeMb: number;
  readonly memoryMb: number;
}

/** This machine, with the free disk of the file system that has a folder, or will have it. */
export function thisMachine(folder: string): Machine {
  const { bavail, bsize } = statfsSync(existingParent(resolve(folder)));
  return {
    platform: process.platform,
    arch: process.arch,
    nodeVersion: process.versions.node,
    freeMb: Math.floor((bavail * bsize) / MEBIBYTE),
    memoryMb: Math.floor(totalmem() / MEBIBYTE),
  };
}

export function machineChecks(machine: Machine): readonly DoctorCheck[] {
  const { platform, arch, nodeVersion, freeMb, memoryMb } = machine;
  return [
    {
      name: "operating system",
      run: () =>
        platform === "linux" && arch === "x64"
          ? ok("Linux on x86-64")
          : failed(`${platform} on ${arch}`, "Chromium is packed for Linux on x86-64 only. Use such a machine, or CI."),
    },
    {
      name: "Node.js",
      run: () =>
        Number.parseInt(nodeVersion, 10) >= MIN_NODE_MAJOR
          ? ok(nodeVersion)
          : failed(nodeVersion, "Run npm ci, which installs the version that npm's scripts use."),
    },
    {
      name: "free disk",
      run: () =>
        freeMb >= MIN_FREE_MB
          ? ok(`${freeMb} MB`)
          : failed(
              `${freeMb} MB, of ${MIN_FREE_MB} that a build and a service take`,
              "Free some disk, or set DATA_DIR.",
            ),
    },
    {
      name: "memory",
      run: () =>
        memoryMb >= MIN_MEMORY_MB
          ? ok(`${memoryMb} MB`)
          : warning(
              `${memoryMb} MB`,
              `Captures need ${MIN_MEMORY_MB} MB to run next to the engines; deploying does not.`,
            ),
    },
  ];
}

/** `capture` starts the packed Chromium and resolves to whether the picture of a page is right. */
export function chromiumCheck(capture: () => Promise<boolean>): DoctorCheck {
  return {
    name: "Chromium",
    run: async () => {
      const startedAt = performance.now();
      const isRight = await capture();
      const ms = Math.round(performance.now() - startedAt);
      return isRight
        ? ok(`starts and captures a page, ${ms} ms`)
        : failed("starts, but its picture is wrong", "Run npm ci, and then npm test -- test/engine/browser.");
    },
  };
}

function existingParent(folder: string): string {
  return existsSync(folder) ? folder : existingParent(dirname(folder));
}
