// Stores the report of a capture, with a small picture of its result, as an object in the bucket.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { formatKind } from "../../contract/options/formats.ts";
import { ReportSchema } from "../../contract/problems/capture-report.ts";
import { ProblemsSchema } from "../../contract/problems/problem.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import { lifetimeClass } from "../results/lifetime-class.ts";
import { putResult, readResult } from "../results/result-store.ts";
import type { StoredReport } from "../results/stored-report.ts";

/** Width of the picture in pixels, and the part of a long page that it shows, as a multiple of its width. */
const THUMBNAIL = { width: 640, maxRatio: 1.6, quality: 70 };

const FileSchema = v.object({
  report: ReportSchema,
  mime_type: v.string(),
  size_bytes: v.number(),
  warnings: v.array(v.string()),
  problems: ProblemsSchema,
  /** A `data:` URL; null for a result that is no image. */
  thumbnail: v.nullable(v.string()),
});

/** A report as it is stored, with what its page shows beside it. */
export type ReportFile = v.InferOutput<typeof FileSchema>;

/** Stores the report of a capture for `lifetimeSeconds`; does nothing for a capture without one. */
export async function storeReport(
  bucket: string,
  { report, mimeType, body, format, warnings, problems }: Capture,
  lifetimeSeconds: number,
): Promise<StoredReport | undefined> {
  if (!report) return undefined;
  const file: ReportFile = {
    report,
    mime_type: mimeType,
    size_bytes: body.length,
    warnings: [...warnings],
    problems: [...problems],
    thumbnail: formatKind(format) === "image" ? await thumbnail(body) : null,
  };
  const key = `${lifetimeClass(lifetimeSeconds).name}/${randomBytes(24).toString("base64url")}.report`;
  await putResult(bucket, key, Buffer.from(JSON.stringify(file)), {
    mimeType: "application/json",
    disposition: "attachment",
  });
  return { key, expires_at: Math.ceil(Date.now() / 1000 + lifetimeSeconds) * 1000 };
}

/** Returns a stored report, or undefined when it has been deleted. */
export async function readReport(bucket: string, key: string): Promise<ReportFile | undefined> {
  const file = await readResult(bucket, key);
  return file && v.parse(FileSchema, JSON.parse(file.toString()));
}

/** The top of the image. A picture that cannot be made is left out: the report is about the capture. */
async function thumbnail(image: Buffer): Promise<string | null> {
  try {
    const { default: sharp } = await import("sharp");
    const opened = sharp(image, { limitInputPixels: false, sequentialRead: true });
    const { width = 1, height = 1 } = await opened.metadata();
    const shown = Math.max(1, Math.min(height, Math.round(width * THUMBNAIL.maxRatio)));
    const small = await opened
      .extract({ left: 0, top: 0, width, height: shown })
      .resize({ width: Math.min(width, THUMBNAIL.width) })
      .webp({ quality: THUMBNAIL.quality, effort: 0 })
      .toBuffer();
    return `data:image/webp;base64,${small.toString("base64")}`;
  } catch {
    return null;
  }
}
