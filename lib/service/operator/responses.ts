// What the routes of the operator answer.
import * as v from "valibot";
import { timestamp } from "../http/response-fields.ts";
import { AuditEntrySchema } from "./audit-log.ts";

export const OperatorSessionResponse = v.object({
  operator: v.object({
    /** Null for a session that began with a link. */
    email: v.nullable(v.string()),
  }),
  /** Is sent in the header `X-CSRF-Token` of each request that changes something. */
  csrf_token: v.string(),
  expires_at: timestamp,
  stage: v.string(),
  shows_pictures: v.boolean(),
});

export const OperatorSignInMethods = v.object({
  /** True when codes are sent by e-mail. */
  email: v.boolean(),
});

/** A page of a list; `next` is sent as `after` for the next one, and is null at the end. */
export const pageOf = <Schema extends v.GenericSchema>(row: Schema) =>
  v.object({ data: v.array(row), next: v.nullable(v.string()) });

export const AuditPage = pageOf(AuditEntrySchema);
