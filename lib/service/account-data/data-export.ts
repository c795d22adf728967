// An export of an account's data: what is stored of it, and what its reader gets to know.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import type { ResponseBody } from "../http/response-fields.ts";
import { createId } from "../platform/ids.ts";
import { internalPrefixes } from "../results/lifetime-class.ts";
import { resultLink } from "../results/result-link.ts";
import { DAY_MS, utcDay } from "../usage/day.ts";
import { type ExportType, exportTypes } from "../usage/usage-options.ts";
import { emptyGzip } from "./gzip-parts.ts";
import type { DataExportResponse } from "./responses.ts";

/** `account`: all data of the account, for its owner. `captures`: the captures that match a filter. */
export const exportKinds = ["account", "captures"] as const;

/** Where an export goes on: with the items of a section before a sort key, or with all of its items. */
export const PositionSchema = v.object({ section: v.number(), before: v.optional(v.string()) });
export type ExportPosition = v.InferOutput<typeof PositionSchema>;

export const DataExportSchema = v.object({
  id: v.number(),
  account_id: v.number(),
  kind: v.picklist(exportKinds),
  output: v.picklist(exportTypes),
  /** Filters of captures, as they were parsed. */
  filter: v.record(v.string(), v.unknown()),
  status: v.picklist(["running", "ready", "failed"]),
  /** Milliseconds since 1970. What was captured later is not exported. */
  created_at: v.number(),
  /** Number of the step that runs or comes next. */
  step: v.number(),
  position: PositionSchema,
  /** Captures to read; undefined until the first step has counted them. */
  total: v.optional(v.number()),
  /** Captures that were read. */
  read: v.number(),
  /** Lines that were written, without the header of CSV. */
  lines: v.number(),
  file: v.object({
    key: v.string(),
    /** The multipart upload, once there is one. */
    upload_id: v.optional(v.string()),
    /** ETags of its parts, in their order. */
    parts: v.array(v.string()),
    /** Key of the object with what a step has added after the last part. */
    rest: v.optional(v.string()),
    /** Size of the parts. */
    bytes: v.number(),
    /** Of the text: see `GzipState`. */
    crc: v.number(),
    text_bytes: v.number(),
  }),
  /** What the file has, from when it is completed. */
  final: v.optional(v.object({ lines: v.number(), read: v.number(), bytes: v.number() })),
});
export type DataExport = v.InferOutput<typeof DataExportSchema>;

/** How long a file is kept. */
export const EXPORT_DAYS = internalPrefixes.exports.days;

/** Lifetime of a link to a file: the state of the export has a new one each time it is read. In milliseconds. */
const LINK_LIFETIME_MS = 60 * 60 * 1000;

export interface ExportRequest {
  readonly accountId: number;
  readonly kind: DataExport["kind"];
  readonly output: ExportType;
  readonly filter: Readonly<Record<string, unknown>>;
}

/** A new export at `now` (milliseconds since 1970), before its first step. */
export function newExport({ accountId, kind, output, filter }: ExportRequest, now: number): DataExport {
  return {
    id: createId(now, Math.random()),
    account_id: accountId,
    kind,
    output,
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    status: "running",
    created_at: now,
    step: 0,
    position: { section: 0 },
    read: 0,
    lines: 0,
    file: {
      key: `${internalPrefixes.exports.name}/${randomBytes(24).toString("base64url")}.${output}.gz`,
      parts: [],
      bytes: 0,
      crc: emptyGzip.crc,
      text_bytes: emptyGzip.textBytes,
    },
  };
}

/** The name of the file of an export, as it is downloaded. */
export function exportFileName({ kind, account_id, created_at, output }: DataExport): string {
  const name = kind === "account" ? `account-${account_id}` : `captures-${utcDay(created_at)}`;
  return `${name}.${output}.gz`;
}

/** When an export and its file are deleted, in milliseconds since 1970. */
export function exportExpiry({ created_at }: Pick<DataExport, "created_at">): number {
  return created_at + EXPORT_DAYS * DAY_MS;
}

/** What a reader of an export gets to know at `now` (milliseconds since 1970). `secret` signs the link to the file. */
export function describeExport(
  data: DataExport,
  { baseUrl, secret, now }: { readonly baseUrl: string; readonly secret: string; readonly now: number },
): ResponseBody<typeof DataExportResponse> {
  const { id, output, status, created_at, lines, file, final } = data;
  const isReady = status === "ready";
  const expiresAt = Math.min(now + LINK_LIFETIME_MS, exportExpiry(data));
  return {
    id,
    status,
    output,
    progress: isReady ? 100 : progress(data),
    lines,
    size_bytes: (isReady && final?.bytes) || null,
    created_at: new Date(created_at).toISOString(),
    expires_at: new Date(exportExpiry(data)).toISOString(),
    download_url: isReady ? resultLink({ baseUrl, key: file.key, expiresAt, secret }) : null,
  };
}

/** The share of the captures that were read, in percent; 99 until the file is ready. */
function progress({ total = 0, read }: Pick<DataExport, "total" | "read">): number {
  return total === 0 ? 0 : Math.min(99, Math.floor((100 * read) / total));
}
