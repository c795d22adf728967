// What the routes of the events for the operator answer.
import * as v from "valibot";
import { timestamp } from "../http/response-fields.ts";
import { eventStatuses } from "../operator-events/event-store.ts";
import { operatorEventTypes } from "../operator-events/operator-event.ts";
import { pageOf } from "./responses.ts";

export const OperatorEventRow = v.object({
  id: v.string(),
  type: v.picklist(operatorEventTypes),
  created_at: timestamp,
  account_id: v.number(),
  /** What the webhook has: see `operator-event.ts`. */
  data: v.record(v.string(), v.unknown()),
  delivery: v.object({
    status: v.picklist(eventStatuses),
    /** How many attempts are stored. */
    attempts: v.number(),
    /** When the last attempt started, its response, and why it failed. */
    at: v.nullable(timestamp),
    http_status_code: v.nullable(v.number()),
    error: v.nullable(v.string()),
  }),
});

export const EventPage = pageOf(OperatorEventRow);
