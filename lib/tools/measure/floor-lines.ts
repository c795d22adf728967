// The floors that captures are compared with: bare scripts of several kinds.
import type { FloorRequest, FloorResult } from "./floor.ts";
import { type Scenario, smallPage } from "./scenarios.ts";
import type { Workbench } from "./workbench.ts";

export interface FloorLine {
  readonly name: string;
  suits(scenario: Scenario): boolean;
  take(request: FloorRequest, bench: Workbench): Promise<FloorResult>;
}

export const floorLines: readonly FloorLine[] = [
  {
    name: "script",
    suits: () => true,
    take: async (request, bench) => (await bench.floor()).take(request),
  },
  {
    // The same, painted for the picture: what a script can do at best, and hardly any does.
    name: "begin-frame",
    suits: ({ job }) => job.take === "window",
    take: async (request, bench) => (await bench.floor()).take({ ...request, painting: "begin-frame-control" }),
  },
  {
    // What the package brings by itself: its flags are not ours, and one page shows what that is worth.
    name: "package",
    suits: (scenario) => scenario === smallPage,
    take: async (request, bench) => (await bench.packageFloor()).take(request),
  },
];
