// Events for the operator: what owners ask for or change of their plans, and what becomes of invoices. The operator gets each as a webhook.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { planNames } from "../../contract/plans.ts";
import type { Account } from "../account/account.ts";

const plan = v.picklist(planNames);
const timestamp = v.string();
/** The account as it was at the event. */
const account = v.object({ label: v.string(), email: v.nullable(v.string()) });
const invoice = v.object({
  account,
  number: v.string(),
  period: v.object({ start: timestamp, end: timestamp }),
  plan,
  currency: v.string(),
  /** Decimal text. */
  total: v.string(),
});

const event = <Type extends string, Data extends v.GenericSchema>(type: Type, data: Data) =>
  v.object({
    /** `evt_` and 32 hexadecimal digits, in the order of the events. */
    id: v.string(),
    type: v.literal(type),
    created_at: timestamp,
    account_id: v.number(),
    data,
  });

export const OperatorEventSchema = v.variant("type", [
  /** The owner asks for another plan. */
  event("plan.requested", v.object({ account, from: plan, plan })),
  /** The owner has cancelled the plan, which ends at `ends_at`. */
  event("plan.cancelled", v.object({ account, plan, ends_at: timestamp })),
  /** The owner changes to a smaller plan, from `effective_at` on. */
  event("plan.downgraded", v.object({ account, from: plan, plan, effective_at: timestamp })),
  /** The owner keeps the plan: a cancellation or a downgrade was taken back. */
  event("plan.continued", v.object({ account, plan })),
  /** A billing period has ended, and its invoice is final. */
  event("invoice.closed", invoice),
  /** An invoice was not paid in time. */
  event("invoice.overdue", invoice),
]);
export type OperatorEvent = v.InferOutput<typeof OperatorEventSchema>;
export type OperatorEventType = OperatorEvent["type"];

/** The types of events, in the order of the documentation. */
export const operatorEventTypes: readonly OperatorEventType[] = OperatorEventSchema.options.map(
  ({ entries }) => entries.type.literal,
);

type WithoutFacts<Event> = Event extends OperatorEvent ? Omit<Event, "id" | "created_at"> : never;
/** What an event reports. */
export type OperatorEventInput = WithoutFacts<OperatorEvent>;

/** Creates an event of `now` (milliseconds since 1970). Store it by `operatorEventWrites` in the transaction of its change. */
export function operatorEvent(input: OperatorEventInput, now: number): OperatorEvent {
  return { id: createEventId(now), created_at: new Date(now).toISOString(), ...input } as OperatorEvent;
}

/** The facts of an account that are in the data of each event. */
export function eventAccount({ label, email }: Pick<Account, "label" | "email">): {
  label: string;
  email: string | null;
} {
  return { label, email };
}

/** What the id of an event looks like. */
export const EVENT_ID = /^evt_[0-9a-f]{32}$/;
const TIME_DIGITS = 12;
const RANDOM_BYTES = 10;

/** The time comes first, so that ids are in the order of time, and an id is enough to find its event. */
function createEventId(now: number): string {
  return `evt_${now.toString(16).padStart(TIME_DIGITS, "0")}${randomBytes(RANDOM_BYTES).toString("hex")}`;
}

/** The time in the id of an event, in milliseconds since 1970. */
export function eventTime(id: string): number {
  return Number.parseInt(id.slice("evt_".length, "evt_".length + TIME_DIGITS), 16);
}
