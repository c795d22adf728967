// Describes one attempt at a capture for its report: what the page requested, what it had, and what was done to it.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import {
  type CaptureReport,
  MAX_REPORT_CHARACTERS,
  MAX_REPORT_ENTRIES,
} from "../../../contract/problems/capture-report.ts";
import type { BlockReport } from "../../adblock/block-report.ts";
import type { PageObservation } from "../../injected/observation/observe-page.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import type { PageRecord } from "../../page/page-record.ts";
import { addressWithoutQuery, textWithoutQueries, truncate } from "../../page/record-text.ts";
import type { UsedFont } from "../metadata/used-fonts.ts";
import type { RequestTiming, RequestTimings } from "./request-timings.ts";

/** The part of a report that belongs to one attempt. */
export type AttemptReport = Pick<
  CaptureReport,
  | "clock"
  | "frame_step_ms"
  | "requests"
  | "errors"
  | "errors_omitted"
  | "redirects"
  | "connection"
  | "fonts"
  | "images"
  | "page"
  | "actions"
  | "limits"
>;

/** A page that was captured, with what was recorded of it. */
export interface ReportedPage extends CapturedPage {
  readonly options: EngineOptions;
  readonly blocked: BlockReport;
  readonly record?: PageRecord;
  readonly timings?: RequestTimings;
  readonly observed?: PageObservation;
  readonly fonts?: readonly UsedFont[];
}

/** `startedAt` is when the capture started, on the clock of `performance.now()`. */
export function describeAttempt(page: ReportedPage, startedAt: number): AttemptReport {
  const { options, activity, session, observed, blocked, fonts = [], frameScheduler } = page;
  const { errors, omitted } = consoleErrors(page);
  const states = observed?.images.map(({ state }) => state) ?? [];
  return {
    clock: options.deterministic ? "exact" : frameScheduler?.virtualTime ? "virtual" : "real",
    ...(frameScheduler?.virtualTime?.isExact && { frame_step_ms: frameScheduler.virtualTime.exactStepMs }),
    requests: describeRequests(page, startedAt),
    errors,
    ...(omitted > 0 && { errors_omitted: omitted }),
    redirects: (activity.document.response?.redirects ?? []).map(({ url, status }) => ({
      url: addressWithoutQuery(url),
      status_code: status,
    })),
    connection: describeConnection(page),
    fonts: fonts.slice(0, MAX_REPORT_ENTRIES.fonts),
    images: {
      total: states.length,
      failed: states.filter((state) => state === "failed").length,
      pending: states.filter((state) => state === "pending").length,
    },
    page: {
      width: Math.round(observed?.page.width ?? 0),
      height: Math.round(observed?.page.height ?? 0),
      elements: observed?.elements ?? 0,
      judged_elements: observed?.looked ?? 0,
    },
    actions: {
      blocked_requests: blocked.requests,
      cookie_banner: blocked.cookie_banner
        ? `${blocked.cookie_banner.closed_by} (${blocked.cookie_banner.platform})`
        : null,
      dialogs: blocked.dialogs,
      unlocked: blocked.unlocked,
      clicked: [...(options.click ?? [])],
      hidden: [...(options.hide_selectors ?? [])],
    },
    limits: nearLimits(session, page),
  };
}

function describeRequests({ timings, activity }: ReportedPage, startedAt: number): AttemptReport["requests"] {
  const requests = timings?.requests ?? [];
  const byType: Record<string, { count: number; bytes: number }> = {};
  for (const { type, bytes } of requests) {
    const known = byType[type] ?? { count: 0, bytes: 0 };
    byType[type] = { count: known.count + 1, bytes: known.bytes + bytes };
  }
  const describe = (request: RequestTiming) => ({
    url: request.url,
    type: request.type,
    status_code: request.statusCode,
    starts_at_ms: milliseconds(request.startedAt - startedAt),
    duration_ms: request.endedAt === null ? null : milliseconds(request.endedAt - request.startedAt),
    bytes: request.bytes,
    failed: request.failed,
  });
  const duration = ({ startedAt: from, endedAt }: RequestTiming) => (endedAt ?? performance.now()) - from;
  const count = timings?.count ?? 0;
  const first = requests.slice(0, MAX_REPORT_ENTRIES.requests);
  return {
    count,
    failed: activity.failures.length,
    blocked: requests.filter(({ isBlocked }) => isBlocked).length,
    bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0),
    by_type: byType,
    failures: activity.failures
      .slice(0, MAX_REPORT_ENTRIES.failures)
      .map(({ url, reason }) => ({ url: addressWithoutQuery(url), reason })),
    slowest: requests
      .toSorted((one, other) => duration(other) - duration(one))
      .slice(0, MAX_REPORT_ENTRIES.slowest)
      .map(describe),
    first: first.map(describe),
    ...(count > first.length && { omitted: count - first.length }),
  };
}

function consoleErrors({ record, observed }: ReportedPage): { errors: string[]; omitted: number } {
  const written =
    record?.console.filter(({ type }) => type === "error" || type === "exception" || type === "assert") ?? [];
  const all = [...new Set([...written.map(({ text }) => text), ...(observed?.errors ?? [])])];
  const errors = all
    .slice(0, MAX_REPORT_ENTRIES.errors)
    .map((text) => truncate(textWithoutQueries(text), MAX_REPORT_CHARACTERS));
  return { errors, omitted: all.length - errors.length };
}

function describeConnection({ options, activity, session, timings }: ReportedPage): AttemptReport["connection"] {
  const { url, proxy } = options;
  const host = url === undefined ? undefined : URL.parse(activity.document.url)?.hostname;
  const tls = url === undefined ? undefined : timings?.tls;
  return {
    address: host === undefined || proxy !== undefined ? null : (session.proxy.dialledAddress(host) ?? null),
    tls: tls
      ? { protocol: tls.protocol, issuer: tls.issuer, valid_until: new Date(tls.validTo * 1000).toISOString() }
      : null,
  };
}

const NEAR_SHARE = 0.5;

function nearLimits({ limits, proxy }: CapturedPage["session"], { observed }: ReportedPage): AttemptReport["limits"] {
  const { requests, bytes } = proxy.traffic();
  const used = [
    { limit: "requests", used: requests, allowed: limits.requests },
    { limit: "page_megabytes", used: Math.round(bytes / 1e6), allowed: limits.page_megabytes },
    { limit: "dom_nodes", used: observed?.elements ?? 0, allowed: limits.dom_nodes },
  ];
  return used.filter((each) => each.used > NEAR_SHARE * each.allowed);
}

function milliseconds(value: number): number {
  return Math.max(0, Math.round(value * 10) / 10);
}
