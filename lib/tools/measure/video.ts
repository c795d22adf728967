// The cost of videos, compared with a bare script that takes one screenshot per frame without encoding.
import { figureTable, inMegabytes, kilobytes, median, megabytes, pairwiseRatios } from "./figures.ts";
import type { FloorJob } from "./floor.ts";
import type { Measurement } from "./measurement.ts";
import { peakDuring } from "./memory.ts";
import { processorTimeDuring } from "./processor.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

const SECONDS = 5;

/** What a video holds it holds from its beginning to its end: looking at the memory more often would cost time. */
const SAMPLE_MS = 250;

/** The same part of a page, recorded in several formats. */
interface Scene {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly formats: readonly string[];
}

const hd = { width: 1280, height: 720 };
const fullHd = { width: 1920, height: 1080 };
const streams = { fps: 30, formats: ["mp4", "webm"] };
const animations = { fps: 10, formats: ["gif", "animated_webp"] };

const scenes: readonly Scene[] = [
  { name: "video of a card, 720p30", path: "/card", ...hd, ...streams },
  { name: "video of a card, 1080p30", path: "/card", ...fullHd, ...streams },
  { name: "video of a card, 720p10", path: "/card", ...hd, ...animations },
  { name: "video of 1,500 circles, 720p30", path: "/circles", ...hd, ...streams },
  { name: "video of 1,500 circles, 1080p30", path: "/circles", ...fullHd, ...streams },
  { name: "video of 1,500 circles, 720p10", path: "/circles", ...hd, ...animations },
];

/** A scene in one format. */
interface VideoScenario {
  readonly name: string;
  readonly scene: Scene;
  readonly format: string;
}

const videos: readonly VideoScenario[] = scenes.flatMap((scene) =>
  scene.formats.map((format) => ({ name: `${scene.name}, ${format}`, scene, format })),
);

/** A round of all videos takes a minute and a half: one is enough unless videos are selected. */
const RUNS = { among: 1, chosen: 3 };

export const video: BenchGroup = {
  name: "video",
  parts: videos.map(({ name }) => name),
  async measure(wanted, bench) {
    const runs = Math.min(bench.runs, bench.isChosen ? RUNS.chosen : RUNS.among);
    const head = ["per second of video", "runs", "script", "CPU", "memory", "ours", "CPU", "memory", "size", "ratio"];
    const measured: MeasuredVideo[] = [];
    for (const scene of scenes) {
      const ofScene = videos.filter((each) => each.scene === scene && wanted.includes(each.name));
      if (ofScene.length > 0) measured.push(...(await measureScene(scene, ofScene, { bench, runs })));
    }
    const rows = measured.map(({ row }) => row);
    const heading = `Videos of ${SECONDS} s, launch and load included; the script takes as many pictures and makes no video:`;
    const measurements = measured.flatMap((each) => each.measurements);
    return { text: `${heading}\n\n${figureTable([head, ...rows])}`, measurements, failures: [] };
  },
};

/** Medians, but of the memory, which is the most. */
interface Cost {
  readonly milliseconds: number;
  readonly processorSeconds: number;
  readonly memory: number;
  readonly bytes: number;
}

interface MeasuredVideo {
  readonly row: readonly string[];
  readonly measurements: readonly Measurement[];
}

/** The videos of a scene take turns with one floor. */
async function measureScene(
  scene: Scene,
  wanted: readonly VideoScenario[],
  { bench, runs }: { bench: Workbench; runs: number },
): Promise<MeasuredVideo[]> {
  const [floor, captures, { origin }] = [await bench.floor(), await bench.captures(), await bench.site()];
  const { width, height, fps, path } = scene;
  const url = `${origin}${path}`;
  const job: FloorJob = { take: "frames", count: SECONDS * fps, width, height };
  const size = { viewport_width: String(width), viewport_height: String(height) };
  const length = { video_duration: String(SECONDS), video_fps: String(fps) };

  const floors: Cost[] = [];
  const ours = new Map<VideoScenario, Cost[]>(wanted.map((each) => [each, []]));
  await captures.take(url, { ...size, format: "jpeg" }); // so that there is a process to look at
  for (let run = 0; run < runs; run++) {
    floors.push(await costOf(floor.pid, () => floor.take({ url, job })));
    for (const [each, costs] of ours) {
      const { pid } = captures.sandbox();
      costs.push(await costOf(pid, () => captures.take(url, { ...size, ...length, format: each.format })));
    }
  }

  const ofFloor = summary(floors);
  return [...ours].map(([{ name }, costs]) => {
    const ofOurs = summary(costs);
    const ratio = (ofOurs.milliseconds / ofFloor.milliseconds).toFixed(2);
    bench.done(`${name}, ratio ${ratio}`);
    const row = [name, String(runs), ...figures(ofFloor), ...figures(ofOurs), kilobytes(ofOurs.bytes), ratio];
    return { row, measurements: toMeasurements(name, costs, floors) };
  });
}

function toMeasurements(name: string, ours: readonly Cost[], floors: readonly Cost[]): Measurement[] {
  const times = ours.map((cost) => cost.milliseconds);
  const ofFloor = floors.map((cost) => cost.milliseconds);
  return [
    { name: `video: ${name}, ours`, unit: "ms", samples: times },
    { name: `video: ${name}, ours against script`, unit: "ratio", samples: pairwiseRatios(times, ofFloor) },
    { name: `video: ${name}, ours, memory`, unit: "MB", samples: ours.map(({ memory }) => inMegabytes(memory)) },
  ];
}

async function costOf(pid: number, take: () => Promise<Pick<Cost, "milliseconds" | "bytes">>): Promise<Cost> {
  const { outcome, seconds } = await processorTimeDuring(pid, () => peakDuring(pid, take, SAMPLE_MS));
  const { milliseconds, bytes } = outcome.outcome;
  return { milliseconds, bytes, processorSeconds: seconds, memory: outcome.peak };
}

function summary(costs: readonly Cost[]): Cost {
  return {
    milliseconds: median(costs.map((cost) => cost.milliseconds)),
    processorSeconds: median(costs.map((cost) => cost.processorSeconds)),
    memory: Math.max(...costs.map((cost) => cost.memory)),
    bytes: median(costs.map((cost) => cost.bytes)),
  };
}

function figures({ milliseconds, processorSeconds, memory }: Cost): string[] {
  const seconds = [milliseconds / 1000, processorSeconds].map((each) => `${(each / SECONDS).toFixed(2)} s`);
  return [...seconds, megabytes(memory)];
}
