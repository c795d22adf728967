// The options of the operator's routes, other than those of signing in, which are the same as for customers.
import * as v from "valibot";
import { inputForm } from "../../contract/options/option.ts";
import { optionParser } from "../../contract/options/parse-options.ts";
import { EVENT_ID } from "../operator-events/operator-event.ts";

const auditPosition = inputForm(
  v.pipe(
    v.string("must be text"),
    v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w-]{12}$/, "must be `next` of the page before"),
  ),
  { type: "string" },
);

const eventId = inputForm(v.pipe(v.string("must be text"), v.regex(EVENT_ID, "must be `next` of the page before")), {
  type: "string",
});

export const eventEntries = { after: v.exactOptional(eventId) };
const eventsSchema = v.object(eventEntries);
export type EventsOptions = v.InferOutput<typeof eventsSchema>;

/** Parses the options of a page of the events. Throws `VALIDATION_ERROR`. */
export const parseEvents = optionParser({ schema: eventsSchema });

export const auditEntries = { after: v.exactOptional(auditPosition) };
const auditSchema = v.object(auditEntries);
export type AuditOptions = v.InferOutput<typeof auditSchema>;

/** Parses the options of a page of the audit log. Throws `VALIDATION_ERROR`. */
export const parseAudit = optionParser({ schema: auditSchema });
