// The routes by which the operator sees the events of accounts, and sends one again.
import { defineRoute } from "../http/define-route.ts";
import { EventPage } from "./event-responses.ts";
import { eventEntries, parseEvents } from "./operator-options.ts";

const handlers = () => import("./serve-events.ts");

const operator = { functionName: "operator", access: "operator" } as const;

export const listOperatorEventsRoute = defineRoute({
  ...operator,
  method: "GET",
  path: "/operator/api/events",
  env: ["ACTIVITY_TABLE"],
  options: { entries: eventEntries, parse: parseEvents },
  responses: { 200: { description: "A page of the events, newest first.", json: [EventPage] } },
  handler: async () => (await handlers()).listEvents,
});

export const sendOperatorEventRoute = defineRoute({
  ...operator,
  method: "POST",
  path: "/operator/api/events/{id}/send",
  env: ["ACTIVITY_TABLE", "WEBHOOK_QUEUE_URL"],
  responses: { 202: { description: "The event is queued." } },
  handler: async () => (await handlers()).sendEvent,
});
