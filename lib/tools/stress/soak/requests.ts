// The requests of a soak run: good pages, each with the check of its response, and resource bombs.
import { setTimeout } from "node:timers/promises";
import { readPdf } from "../../../../test/fixtures/pdf.ts";
import { decode } from "../../../../test/fixtures/png.ts";
import { bombOptions, bombs } from "../../../../test/fixtures/site-pages/bombs.ts";
import { BOX, bandColour, RED } from "../../../../test/fixtures/site-pages.ts";
import { receivedAt } from "../../../../test/fixtures/webhook-receiver.ts";
import type { StressOrigins } from "../stress-service.ts";

export interface ReceivedResponse {
  readonly status: number;
  readonly body: Buffer;
}

export interface Request {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Seconds within which it must be answered. */
  readonly timeout: number;
  /** What is wrong with its answer; undefined when nothing is. */
  findProblem(answer: ReceivedResponse, asking: CheckContext): Promise<string | undefined>;
  readonly isBomb: boolean;
  /** How many captures it makes. */
  readonly captures: number;
}

/** How the answer of a request can be followed up. */
export interface CheckContext extends StressOrigins {
  get(address: string): Promise<ReceivedResponse>;
}

const GOOD_TIMEOUT_S = 20;
const BOMB_TIMEOUT_S = 2;
const JOB_PATIENCE_MS = 60_000;

interface GoodKind {
  /** How often, against the others. */
  readonly weight: number;
  options(origins: StressOrigins, number: number): Readonly<Record<string, unknown>>;
  isRight(answer: ReceivedResponse, asking: CheckContext, number: number): Promise<boolean>;
  readonly isJob?: boolean;
  /** @default 1 */
  readonly captures?: number;
}

const showsBox = async (picture: Buffer, tolerance = 0) => {
  const colour = (await decode(picture)).colourAt(BOX.x + 5, BOX.y + 5);
  return colour.every((value, channel) => Math.abs(value - (RED[channel] ?? 0)) <= tolerance);
};

const BANDS = 20;

const goods: Readonly<Record<string, GoodKind>> = {
  "a picture": {
    weight: 8,
    options: ({ site }) => ({ url: `${site}/box` }),
    isRight: ({ body }) => showsBox(body),
  },
  "a full page": {
    weight: 4,
    options: ({ site }) => ({
      url: `${site}/bands?count=${BANDS}`,
      full_page: true,
      format: "webp",
      image_quality: 100,
    }),
    isRight: async ({ body }) => {
      const { columnColours } = await decode(body);
      const near = (colour: readonly number[], band: number) =>
        colour.every((value, channel) => Math.abs(value - (bandColour(band)[channel] ?? 0)) <= 12);
      const colours = columnColours(50, 100);
      return colours.length === BANDS && colours.every(near);
    },
  },
  "a sheet": {
    weight: 3,
    options: (_, number) => ({ markdown: `# Soak ${number}\n\nAs a sheet.`, format: "pdf" }),
    isRight: async ({ body }, _, number) => readPdf(body).texts[0] === `Soak ${number} As a sheet.`,
  },
  HTML: {
    weight: 3,
    options: () => ({ html: "<body style='background:#ff0000'>", format: "jpeg", viewport_width: 800 }),
    isRight: async ({ body }) => (await decode(body)).width === 800 && showsBox(body, 8),
  },
  "a stored picture": {
    weight: 3,
    options: ({ site }) => ({ url: `${site}/box`, response_type: "json", selector: "body", viewport_height: 300 }),
    isRight: async ({ body }, { get }) => showsBox((await get(JSON.parse(body.toString()).url)).body),
  },
  facts: {
    weight: 2,
    options: ({ site }) => ({ url: `${site}/box`, format: "json", metadata_page_title: true }),
    isRight: async ({ body }) => JSON.parse(body.toString()).page_title === "Fixture",
  },
  text: {
    weight: 2,
    options: (_, number) => ({ html: `<h1>Soak ${number}</h1>`, format: "markdown" }),
    isRight: async ({ body }, _, number) => body.toString().trim() === `# Soak ${number}`,
  },
  outputs: {
    weight: 2,
    captures: 2,
    options: ({ site }) => ({ url: `${site}/box`, outputs: [{ name: "shot" }, { name: "page", format: "text" }] }),
    async isRight({ body }, { get }) {
      const { loads, outputs } = JSON.parse(body.toString());
      return loads === 1 && outputs.length === 2 && showsBox((await get(outputs[0].url)).body);
    },
  },
  "a video": {
    weight: 1,
    options: ({ site }) => ({ url: `${site}/box`, format: "gif", video_duration: 1, video_fps: 2, video_width: 320 }),
    isRight: async ({ body }) => body.subarray(0, 6).toString() === "GIF89a",
  },
  "a job": {
    weight: 1,
    isJob: true,
    options: ({ site, receiver }, number) => ({
      url: `${site}/box`,
      async: true,
      webhook_url: `${receiver}/to/${number}`,
    }),
    async isRight({ body }, { get, receiver }, number) {
      const { request_id } = JSON.parse(body.toString());
      for (const until = Date.now() + JOB_PATIENCE_MS; Date.now() < until; await setTimeout(250)) {
        const job = JSON.parse((await get(`/api/v1/screenshot/${request_id}`)).body.toString());
        if (job.status === "failed") return false;
        const [report] = await receivedAt(receiver, String(number));
        if (job.status === "success" && report) {
          return JSON.parse(report.body).data.request_id === request_id && showsBox((await get(job.url)).body);
        }
      }
      return false;
    },
  },
};

const weighted = Object.entries(goods).flatMap(([name, good]) =>
  Array<[string, GoodKind]>(good.weight).fill([name, good]),
);

/** A good page, by a number that no other request has and a choice from 0 up to 1. */
export function goodRequest(number: number, choice: number, origins: StressOrigins): Request {
  const [name, good] = weighted[Math.floor(choice * weighted.length)] as [string, GoodKind];
  return requestFor(name, good, { number, origins });
}

/** Each of the good pages once, with numbers from `first` on. */
export function everyGoodRequest(first: number, origins: StressOrigins): Request[] {
  return Object.entries(goods).map(([name, good], index) => requestFor(name, good, { number: first + index, origins }));
}

/** A good one that takes so many seconds at least: of a page with a slow image, since a delay passes in virtual time. */
export function slowRequest(seconds: number, origins: StressOrigins): Request {
  const slow: GoodKind = {
    weight: 0,
    options: ({ site }) => ({ url: `${site}/slow-images?count=1&after=${seconds * 1_000}` }),
    isRight: async ({ body }) => (await decode(body)).colourAt(5, 5).every((value, at) => value === bandColour(0)[at]),
  };
  return requestFor("a slow picture", slow, { number: 0, origins });
}

function requestFor(
  name: string,
  good: GoodKind,
  { number, origins }: { number: number; origins: StressOrigins },
): Request {
  const expected = good.isJob ? 202 : 200;
  return {
    name,
    options: { timeout: GOOD_TIMEOUT_S, ...good.options(origins, number) },
    timeout: GOOD_TIMEOUT_S,
    isBomb: false,
    captures: good.captures ?? 1,
    async findProblem(answer, asking) {
      if (answer.status !== expected) return `was answered by ${shown(answer)}`;
      return (await good.isRight(answer, asking, number)) ? undefined : "is not what it should be";
    },
  };
}

const kinds = Object.entries(bombs);

export function bombRequest(choice: number, { site }: StressOrigins): Request {
  const [name, bomb] = kinds[Math.floor(choice * kinds.length)] as (typeof kinds)[number];
  return {
    name,
    options: { ...bombOptions(name, bomb, site), timeout: BOMB_TIMEOUT_S },
    timeout: BOMB_TIMEOUT_S,
    isBomb: true,
    captures: 1,
    async findProblem(answer) {
      const outcome = answer.status === 200 ? "captured" : errorCode(answer);
      const ends: readonly string[] = [...bomb.ends, "CAPTURE_TIMEOUT"]; // several at a time are slow
      return ends.includes(outcome) ? undefined : `was answered by ${shown(answer)}`;
    },
  };
}

/** The code of an answer that is an error; empty for another one. */
export function errorCode({ body }: ReceivedResponse): string {
  try {
    return JSON.parse(body.toString()).code ?? "";
  } catch {
    return "";
  }
}

function shown({ status, body }: ReceivedResponse): string {
  return `${status} ${body.subarray(0, 300).toString("utf8")}`;
}
