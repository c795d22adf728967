// Stores the report of a capture, with a small picture of its result, as an object in the bucket.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { ReportSchema } from "../../contract/problems/capture-report.ts";
import { ProblemsSchema } from "../../contract/problems/problem.ts";
import type { Rendered } from "../rendering/renderer.ts";
import { lifetimeClass } from "../results/lifetime-class.ts";
import { putResult, readResult } from "../results/result-store.ts";
import type { StoredReport } from "../results/stored-report.ts";

export const ReportFileSchema = v.object({
  report: ReportSchema,
  mime_type: v.string(),
  size_bytes: v.number(),
  warnings: v.array(v.string()),
  problems: ProblemsSchema,
  /** A `data:` URL; null for a result that is no image. */
  thumbnail: v.nullable(v.pipe(v.string(), v.regex(/^data:image\/webp;base64,[A-Za-z\d+/]+={0,2}$/))),
});

/** A report as it is stored, with what its page shows in addition. */
export type ReportFile = v.InferOutput<typeof ReportFileSchema>;

/** Stores the report of a capture for `lifetimeSeconds`; does nothing for a capture without one. */
export async function storeReport(
  bucket: string,
  { report, reportPicture, mimeType, body, warnings, problems }: Rendered,
  lifetimeSeconds: number,
): Promise<StoredReport | undefined> {
  if (!report) return undefined;
  const file: ReportFile = {
    report,
    mime_type: mimeType,
    size_bytes: body.length,
    warnings: [...warnings],
    problems: [...problems],
    thumbnail: reportPicture ? `data:image/webp;base64,${reportPicture.toString("base64")}` : null,
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
  return file && v.parse(ReportFileSchema, JSON.parse(file.toString()));
}
