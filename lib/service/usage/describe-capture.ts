// A capture of the log with its details, as the API answers it.
import * as v from "valibot";
import type { ResponseBody } from "../http/response-fields.ts";
import { resultLink } from "../results/result-link.ts";
import { CaptureDetailsSchema } from "./capture-details.ts";
import type { CaptureRow } from "./capture-row.ts";
import type { DescribedCaptureResponse } from "./responses.ts";

export interface DetailsView {
  /** The base URL of links, and the secret that signs them; undefined for a caller who gets none. */
  readonly links: { readonly baseUrl: string; readonly secret: string } | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The row with its details as they are stored; logs of before there were details have none. */
export function describeCapture(
  row: CaptureRow,
  stored: unknown,
  { links, now }: DetailsView,
): ResponseBody<typeof DescribedCaptureResponse> {
  const { phases, warnings, problems, report, blocked, final_url, result } = v.parse(
    CaptureDetailsSchema,
    stored ?? {},
  );
  return {
    ...row,
    phases,
    warnings,
    problems,
    blocked: blocked ?? null,
    final_url: final_url ?? null,
    report_url:
      links && report && report.expires_at > now ? `${links.baseUrl}/api/v1/screenshot/${row.id}/report` : null,
    result:
      links && result && result.expires_at > now
        ? {
            url: resultLink({ ...links, key: result.key, expiresAt: result.expires_at }),
            mime_type: result.mime_type,
            expires_at: new Date(result.expires_at).toISOString(),
          }
        : null,
  };
}
