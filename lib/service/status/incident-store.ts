// Stores incidents in the Activity table, each change with its entry of the audit log.
import * as v from "valibot";
import { getItem, itemUpdate, queryFirst } from "../aws/items.ts";
import { incidentKey, statusPartition } from "../aws/table-keys.ts";
import { failedCondition, transact, type Write } from "../aws/transaction.ts";
import { createId } from "../platform/ids.ts";
import { type Incident, IncidentSchema, MAX_UPDATES } from "./incident.ts";

/** There is no open incident of this id, or it has all the updates that one can have. */
export class IncidentNotChanged extends Error {}

export type NewIncident = Pick<Incident, "title" | "impact" | "components"> & { readonly text: string };

/**
 * Opens an incident at `now` (milliseconds since 1970). `audit` makes the further writes of the transaction.
 */
export async function openIncident(
  table: string,
  { text, ...facts }: NewIncident,
  now: number,
  audit: (incident: Incident) => readonly Write[],
): Promise<Incident> {
  const at = new Date(now).toISOString();
  const incident: Incident = {
    id: createId(now, Math.random()),
    ...facts,
    state: "open",
    opened_at: at,
    closed_at: null,
    updates: [{ at, text }],
  };
  const Item = { ...incidentKey(incident.id), ...incident };
  const put = { Put: { TableName: table, Item, ConditionExpression: "attribute_not_exists(pk)" } };
  await transact([put, ...audit(incident)]);
  return incident;
}

export interface IncidentChange {
  readonly text: string;
  readonly impact?: Incident["impact"] | undefined;
  readonly components?: Incident["components"] | undefined;
  readonly closes: boolean;
}

/** Adds an update to an open incident, and closes it if the change says so. Throws `IncidentNotChanged`. */
export async function changeIncident(
  table: string,
  id: number,
  { text, impact, components, closes }: IncidentChange,
  { now, further }: { readonly now: number; readonly further: readonly Write[] },
): Promise<Incident> {
  const at = new Date(now).toISOString();
  const sets = [
    "updates = list_append(updates, :updates)",
    ...(impact === undefined ? [] : ["impact = :impact"]),
    ...(components === undefined ? [] : ["components = :components"]),
    ...(closes ? ["#state = :closed", "closed_at = :at"] : []),
  ];
  const update = itemUpdate(table, incidentKey(id), {
    update: `SET ${sets.join(", ")}`,
    condition: "#state = :open AND size(updates) < :most",
    values: {
      ":updates": [{ at, text }],
      ":impact": impact,
      ":components": components,
      ":open": "open",
      ":most": MAX_UPDATES,
      ...(closes && { ":closed": "closed", ":at": at }),
    },
  });
  try {
    await transact([{ Update: update }, ...further]);
  } catch (error) {
    if (!failedCondition(error)) throw error;
    throw new IncidentNotChanged(`There is no open incident ${id} that can have another update.`, { cause: error });
  }
  return v.parse(IncidentSchema, await getItem(table, incidentKey(id)));
}

/** Incidents are few; older ones stay in the table, and are not shown. */
const MAX_LISTED = 200;

/** Lists the last incidents, newest first. */
export async function listIncidents(table: string): Promise<Incident[]> {
  const range = { partition: statusPartition("INCIDENTS"), range: {} };
  const items = await queryFirst(table, range, { limit: MAX_LISTED, isNewestFirst: true });
  return items.map((item) => v.parse(IncidentSchema, item));
}
