// Starts the floor and asks it for captures, one at a time.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { buildChromiumLayer } from "../../layers/chromium/build.ts";
import { buildFontsLayer } from "../../layers/fonts/build.ts";
import type { FloorRequest, FloorResult } from "./floor.ts";

export interface Floor {
  readonly pid: number;
  /** Rejects when the floor has ended. */
  take(request: FloorRequest): Promise<FloorResult>;
  close(): void;
}

/** `folder` is for its temporary files. */
export async function startFloor(folder: string): Promise<Floor> {
  const child = fork(join(import.meta.dirname, "floor.ts"), {
    env: {
      ...process.env,
      CHROMIUM_FILES: join(buildChromiumLayer(), "chromium"),
      FONT_FILES: join(buildFontsLayer(), "fonts"),
      TMPDIR: folder,
    },
  });
  await answer(child);
  return {
    pid: child.pid ?? 0,
    take: async (request) => {
      child.send(request);
      return (await answer(child)) as FloorResult;
    },
    close: () => void child.kill(),
  };
}

async function answer(child: ChildProcess): Promise<unknown> {
  const waiting = new AbortController();
  const ended = once(child, "exit", waiting).then(([code]) => {
    throw new Error(`The floor ended with exit code ${code}.`);
  });
  try {
    const [message] = await Promise.race([once(child, "message", waiting), ended]);
    return message;
  } finally {
    waiting.abort();
    ended.catch(() => undefined);
  }
}
