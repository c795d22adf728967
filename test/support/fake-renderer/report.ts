// The report of a capture in which nothing happened.
import type { CaptureReport } from "../../../lib/contract/problems/capture-report.ts";
import type { PictureSize } from "./results.ts";

export const emptyReport = (size: PictureSize): CaptureReport => ({
  quality: 100,
  duration_ms: 1,
  clock: "virtual",
  phases: [],
  steps: [],
  waits: [],
  requests: { count: 0, failed: 0, blocked: 0, bytes: 0, by_type: {}, failures: [], slowest: [], first: [] },
  errors: [],
  redirects: [],
  connection: { address: null, tls: null },
  fonts: [],
  images: { total: 0, failed: 0, pending: 0 },
  page: { ...size, elements: 0, judged_elements: 0 },
  actions: { blocked_requests: 0, cookie_banner: null, dialogs: 0, unlocked: false, clicked: [], hidden: [] },
  limits: [],
  attempts: [],
});
