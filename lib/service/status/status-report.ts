// The state of the service as `status.json` has it: what the checks have found, now and by day, and the incidents.
import { DAY_MS, utcDay } from "../usage/day.ts";
import { type ComponentId, statusComponents } from "./components.ts";
import { type CheckedDay, lastOutcome, SHOWN_DAYS } from "./day-store.ts";
import { affects, type Incident } from "./incident.ts";

/** `unknown`: not checked for longer than the checks take turns. */
export type CheckStatus = "ok" | "failing" | "unknown";

export interface StatusDay {
  /** In UTC, such as `2026-01-31`. */
  readonly date: string;
  readonly checks: number;
  readonly failed: number;
  /** Percent of the checks that succeeded, rounded down to hundredths; null without a check. */
  readonly uptime: number | null;
  /** Ids of the incidents that affected the component on the day. */
  readonly incidents: readonly number[];
}

export interface ComponentStatus {
  readonly id: ComponentId;
  readonly name: string;
  readonly check: string;
  readonly status: CheckStatus;
  readonly checked_at: string | null;
  /** Of all days together. */
  readonly uptime: number | null;
  /** Oldest first, today last. */
  readonly days: readonly StatusDay[];
}

export interface StatusReport {
  /** The worst of all components. */
  readonly status: CheckStatus;
  /** When the checks ran last, in UTC; null before the first run. */
  readonly checked_at: string | null;
  readonly components: readonly ComponentStatus[];
  /** Those that are open, and those that were closed in the days that are shown; newest first. */
  readonly incidents: readonly (Incident & { readonly url: string })[];
}

export interface StatusFacts {
  readonly days: readonly CheckedDay[];
  readonly incidents: readonly Incident[];
  /** Public address of the service without a trailing slash. */
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The address of an incident on the status page, by which the feed identifies it, too. */
export const incidentUrl = (baseUrl: string, id: number): string => `${baseUrl}/status#incident-${id}`;

/** Describes the state at `now`. */
export function statusReport({ days, incidents, baseUrl, now }: StatusFacts): StatusReport {
  const dates = Array.from({ length: SHOWN_DAYS }, (_, index) => utcDay(now - (SHOWN_DAYS - 1 - index) * DAY_MS));
  const shown = incidents.filter(({ closed_at }) => closed_at === null || closed_at.slice(0, 10) >= (dates[0] ?? ""));
  const components = statusComponents.map(({ id, name, check, everyMinutes }): ComponentStatus => {
    const last = lastOutcome(days, id);
    const statusDays = dates.map((date): StatusDay => {
      const { checks = 0, failed = 0 } = days.find(({ day }) => day === date)?.components[id] ?? {};
      const affecting = shown.filter((incident) => affects(incident, id, date)).map((incident) => incident.id);
      return { date, checks, failed, uptime: percent(checks, failed), incidents: affecting };
    });
    const isStale = last === undefined || now - Date.parse(last.at) > missedChecksMs(everyMinutes);
    return {
      id,
      name,
      check,
      status: isStale ? "unknown" : last.isRight ? "ok" : "failing",
      checked_at: last?.at ?? null,
      uptime: percent(sum(statusDays, "checks"), sum(statusDays, "failed")),
      days: statusDays,
    };
  });
  return {
    status: worst(components.map(({ status }) => status)),
    checked_at: components.map(({ checked_at }) => checked_at).reduce(later, null),
    components,
    incidents: shown.map((incident) => ({ ...incident, url: incidentUrl(baseUrl, incident.id) })),
  };
}

/** Three checks that did not take place, and a minute. */
const missedChecksMs = (everyMinutes: number): number => (3 * everyMinutes + 1) * 60_000;

function worst(statuses: readonly CheckStatus[]): CheckStatus {
  return (["failing", "unknown"] as const).find((status) => statuses.includes(status)) ?? "ok";
}

/** Rounded down, so that only days without a failure have 100 %. */
function percent(checks: number, failed: number): number | null {
  return checks === 0 ? null : Math.floor(((checks - failed) / checks) * 10_000) / 100;
}

function sum(days: readonly StatusDay[], field: "checks" | "failed"): number {
  return days.reduce((total, day) => total + day[field], 0);
}

function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}
