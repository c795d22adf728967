// What videos cost, beside a bare script that takes as many pictures as they have frames and makes no video of them.
import type { Captures } from "./captures.ts";
import { median, table } from "./figures.ts";
import type { FloorJob } from "./floor.ts";
import type { Floor } from "./floor-process.ts";
import { peakDuring } from "./memory.ts";
import { processorTimeDuring } from "./processor.ts";

const SECONDS = 5;

/** What a video holds it holds from its beginning to its end: looking at the memory more often would cost time. */
const SAMPLE_MS = 250;

/** The same part of a page, filmed in several formats. */
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
export interface VideoScenario {
  readonly name: string;
  readonly scene: Scene;
  readonly format: string;
}

export const videos: readonly VideoScenario[] = scenes.flatMap((scene) =>
  scene.formats.map((format) => ({ name: `${scene.name}, ${format}`, scene, format })),
);

export interface VideoBench {
  readonly floor: Floor;
  readonly captures: Captures;
  /** Origin of the pages. */
  readonly origin: string;
  readonly runs: number;
}

/** Measures some of `videos`, and tells the figures as a text. Those of one scene take turns with one floor. */
export async function measureVideos(wanted: readonly VideoScenario[], bench: VideoBench): Promise<string> {
  const rows = [["per second of video", "runs", "floor", "CPU", "memory", "ours", "CPU", "memory", "size", "ratio"]];
  for (const scene of scenes) {
    const ofScene = wanted.filter((video) => video.scene === scene);
    if (ofScene.length > 0) rows.push(...(await measureScene(scene, ofScene, bench)));
  }
  const heading = `Videos of ${SECONDS} s, launch and load included; the floor takes as many pictures and makes no video:`;
  return `${heading}\n\n${table(rows)}`;
}

/** Medians, but of the memory, which is the most. */
interface Cost {
  readonly milliseconds: number;
  readonly processorSeconds: number;
  readonly memory: number;
  readonly bytes: number;
}

async function measureScene(scene: Scene, wanted: readonly VideoScenario[], bench: VideoBench): Promise<string[][]> {
  const { floor, captures, origin, runs } = bench;
  const { width, height, fps, path } = scene;
  const url = `${origin}${path}`;
  const job: FloorJob = { take: "frames", count: SECONDS * fps, width, height };
  const size = { viewport_width: String(width), viewport_height: String(height) };
  const length = { video_duration: String(SECONDS), video_fps: String(fps) };

  const floors: Cost[] = [];
  const ours = new Map<VideoScenario, Cost[]>(wanted.map((video) => [video, []]));
  await captures.take(url, { ...size, format: "jpeg" }); // so that there is a process to look at
  for (let run = 0; run < runs; run++) {
    floors.push(await costOf(floor.pid, () => floor.take({ url, job })));
    for (const [video, costs] of ours) {
      const { pid } = await captures.sandbox();
      costs.push(await costOf(pid, () => captures.take(url, { ...size, ...length, format: video.format })));
    }
  }

  const ofFloor = summary(floors);
  return [...ours].map(([{ name }, costs]) => {
    const ofOurs = summary(costs);
    const ratio = (ofOurs.milliseconds / ofFloor.milliseconds).toFixed(2);
    console.log(`${name}: done, ratio ${ratio}`);
    return [
      name,
      String(runs),
      ...figures(ofFloor),
      ...figures(ofOurs),
      `${(ofOurs.bytes / 1000).toFixed(0)} KB`,
      ratio,
    ];
  });
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
  return [...seconds, `${(memory / 2 ** 20).toFixed(0)} MB`];
}
