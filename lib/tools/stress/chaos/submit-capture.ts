// Submits captures: good, slow and failing pages, large documents, with and without webhooks.
import type { StressOrigins } from "../stress-service.ts";
import type { ChaosCaller } from "./callers.ts";
import { CAPTURE_TIMEOUT_S } from "./chaos-service.ts";

/** A capture that was answered by 202. */
export interface SubmittedCapture {
  readonly caller: ChaosCaller;
  readonly jobId: number;
  /** Its `external_identifier`, by which its log and its webhook are known. */
  readonly name: string;
  readonly kind: CaptureKind;
  readonly webhook: "none" | "always" | "on success";
}

type Source = Readonly<Record<string, unknown>>;

const kinds = {
  fine: ({ site }) => ({ url: `${site}/box` }),
  tall: ({ site }) => ({ url: `${site}/bands?count=20`, full_page: true, format: "webp" }),
  slow: ({ site }) => ({ url: `${site}/slow-images?count=1&after=2000` }), // a delay passes in virtual time
  sheet: () => ({ markdown: "# Chaos\n\nAs a sheet.", format: "pdf" }),
  large: () => ({ html: `<h1>Large</h1>${"<p>So many words.</p>".repeat(15_000)}`, format: "jpeg" }),
  missing: ({ site }) => ({ url: `${site}/not-found` }),
  late: ({ site }) => ({ url: `${site}/never-answers` }),
  outputs: ({ site }) => ({
    url: `${site}/box`,
    outputs: [{ name: "shot" }, { name: "text", format: "text" }, { name: "missing", selector: "#missing" }],
  }),
} satisfies Record<string, (origins: StressOrigins) => Source>;

export type CaptureKind = keyof typeof kinds;

/** More of those that end soon. */
const mixture: readonly CaptureKind[] = [
  "fine",
  "fine",
  "fine",
  "tall",
  "slow",
  "sheet",
  "large",
  "missing",
  "fine",
  "late",
  "outputs",
  "outputs",
];

export interface Submission {
  readonly number: number;
  /** A number from 0 up to 1. */
  random(): number;
}

/** Asks for a capture; resolves to the order, or to the code of the error by which it was refused. */
export async function submit(
  caller: ChaosCaller,
  origins: StressOrigins,
  { number, random }: Submission,
): Promise<SubmittedCapture | string> {
  const kind = pick(mixture, random);
  const webhook = pick(["always", "always", "always", "on success", "none"] as const, random);
  const name = `order-${number}`;
  const answer = await caller.post("/api/v1/screenshot", {
    ...kinds[kind](origins),
    async: true,
    timeout: CAPTURE_TIMEOUT_S,
    external_identifier: name,
    ...(webhook !== "none" && { webhook_url: `${origins.receiver}/to/hook` }),
    ...(webhook === "on success" && { webhook_errors: false }),
  });
  const body = await answer.json();
  return answer.status === 202 ? { caller, jobId: body.request_id, name, kind, webhook } : String(body.code);
}

export function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}
