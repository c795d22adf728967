// The resources of the bench (pages, services, floors), each started on first use.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "../../service/aws/clients/once.ts";
import { synthesize } from "../local/assembly/synthesize.ts";
import { type Captures, startCaptures } from "./captures.ts";
import type { Named } from "./command.ts";
import { type Floor, startFloor, startPackageFloor } from "./floor-process.ts";
import type { Report } from "./measurement.ts";
import { type BenchSite, startBenchSite } from "./pages.ts";

/** A group of measurements with one report. */
export interface BenchGroup extends Named {
  /** Measures those of its parts that are wanted. */
  measure(wanted: readonly string[], bench: Workbench): Promise<Report>;
}

export interface Workbench extends AsyncDisposable {
  readonly project: string;
  /** How often each thing is measured, where it is not too slow for that. */
  readonly runs: number;
  /** Whether parts were requested by their names, so that there is time for more of them. */
  readonly isChosen: boolean;
  /** Folder of the cloud assembly. */
  readonly assembly: () => Promise<string>;
  readonly site: () => Promise<BenchSite>;
  readonly captures: () => Promise<Captures>;
  /** Another one, which has several captures to take at a time, in as many processes. */
  readonly crowded: () => Promise<Captures>;
  readonly floor: () => Promise<Floor>;
  readonly packageFloor: () => Promise<Floor>;
  /** A new temporary folder, removed at the end. */
  folder(): string;
  /** Reports progress. */
  done(what: string): void;
}

export interface WorkbenchOptions extends Pick<Workbench, "project" | "runs" | "isChosen" | "done"> {}

export function openWorkbench(options: WorkbenchOptions): Workbench {
  const started = new AsyncDisposableStack();
  const { project } = options;
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), "bench-"));
    started.defer(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
    return path;
  };
  const kept = <T extends { close(): unknown }>(start: () => Promise<T>) =>
    once(async () => started.adopt(await start(), async (each) => void (await each.close())));

  const assembly = once(() => synthesize({ project, output: folder(), context: { stage: "local" } }));
  const site = kept(() => startBenchSite());
  const service = async () => {
    const allow = [new URL((await site()).origin).host];
    return startCaptures({ project, assembly: await assembly(), dataDir: folder(), allow });
  };
  return {
    ...options,
    folder,
    assembly,
    site,
    captures: kept(service),
    crowded: kept(service),
    floor: kept(() => startFloor(folder())),
    packageFloor: kept(async () => (await startPackageFloor(folder())).floor),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
