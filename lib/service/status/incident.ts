// Incidents: what the operator writes about a disturbance or maintenance, for the status page and its feed.
import * as v from "valibot";
import { type ComponentId, componentIds } from "./components.ts";

export const incidentImpacts = ["minor", "major", "maintenance"] as const;
export type IncidentImpact = (typeof incidentImpacts)[number];

const MAX_TITLE_LENGTH = 120;
const MAX_TEXT_LENGTH = 2_000;
/** Of one incident: its item stays far below the 400 KB of DynamoDB. */
export const MAX_UPDATES = 50;

const IncidentUpdateSchema = v.object({ at: v.string(), text: v.string() });
export const IncidentSchema = v.object({
  id: v.number(),
  title: v.string(),
  impact: v.picklist(incidentImpacts),
  components: v.array(v.picklist(componentIds)),
  state: v.picklist(["open", "closed"]),
  opened_at: v.string(),
  closed_at: v.nullable(v.string()),
  /** Oldest first; the first one is that with which the incident was opened. */
  updates: v.array(IncidentUpdateSchema),
});
export type Incident = v.InferOutput<typeof IncidentSchema>;

/** Control characters have no place in a text, and most of them none in XML, which the feed is. */
const text = (maxLength: number, control: RegExp) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, "must not be empty"),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
    v.check((value) => value.isWellFormed() && !control.test(value), "must not contain control characters"),
  );

/** Parses the title of an incident, which is one line. */
export const TitleSchema = text(MAX_TITLE_LENGTH, /[\p{Cc}\uFFFE\uFFFF]/u);

/** Parses the text of an update, which can have several lines. */
export const TextSchema = text(MAX_TEXT_LENGTH, /[^\P{Cc}\n]|[\uFFFE\uFFFF]/u);

/** Parses ids of components that are separated by commas. */
export const ComponentsSchema = v.pipe(
  v.string(),
  v.transform((names) => [...new Set(names.split(",").map((name) => name.trim()))]),
  v.array(v.picklist(componentIds, `must name components, separated by commas: ${componentIds.join(", ")}`)),
);

/** Whether an incident affected a component on a UTC day, which is written `2026-01-31`. */
export function affects({ components, opened_at, closed_at }: Incident, id: ComponentId, day: string): boolean {
  const isOver = closed_at !== null && closed_at.slice(0, 10) < day;
  return components.includes(id) && opened_at.slice(0, 10) <= day && !isOver;
}

/** When an incident was changed last, in UTC. */
export function changedAt({ updates, opened_at }: Incident): string {
  return updates.at(-1)?.at ?? opened_at;
}
