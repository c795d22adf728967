// What the routes answer by which an operator sees and changes accounts.
import * as v from "valibot";
import { planNames } from "../../contract/plans.ts";
import { limitNames, scopes } from "../account/account.ts";
import { countField, formatField, integerField, microsecondTimestamp, timestamp } from "../http/response-fields.ts";
import { captureStatuses } from "../usage/capture-log.ts";
import { pageOf } from "./responses.ts";

const plan = v.picklist(planNames);
const textOrNull = v.nullable(v.string());
const timeOrNull = v.nullable(timestamp);

const rowEntries = {
  id: integerField,
  label: v.string(),
  email: textOrNull,
  plan,
  requested_plan: v.nullable(plan),
  created_at: timestamp,
  suspension: v.nullable(v.object({ reason: v.string(), at: timestamp })),
  /** Of the current billing period. */
  quotas: v.array(v.object({ name: v.string(), used: countField, limit: countField })),
  /** When an API key last sent a request. */
  last_used_at: timeOrNull,
};

export const AccountRow = v.object(rowEntries);

export const AccountRows = v.object({
  ...pageOf(AccountRow).entries,
  /** False where accounts from before there was a directory may be missing: `npm run accounts -- index` adds them. */
  is_complete: v.boolean(),
});

const Limit = v.object({ value: v.nullable(v.number()), until: timeOrNull, is_override: v.boolean() });

export const OperatedAccount = v.object({
  ...rowEntries,
  limits: v.object(v.entriesFromList(limitNames, Limit)),
  keys: v.array(
    v.object({
      id: integerField,
      label: v.string(),
      key_prefix: v.string(),
      scopes: v.array(v.picklist(scopes)),
      created_at: timestamp,
      expires_at: timeOrNull,
      revoked_at: timeOrNull,
      last_used_at: timeOrNull,
    }),
  ),
  receivers: v.array(v.object({ id: v.string(), name: textOrNull, origin: v.string(), status: v.string() })),
  invoices: v.array(
    v.object({
      period: v.object({ start: timestamp, end: timestamp }),
      status: v.string(),
      plan: v.string(),
      payment: textOrNull,
      total: v.string(),
      currency: v.string(),
    }),
  ),
});

/** A capture without its address, options, and caller, other than the host. */
export const OperatedCapture = v.object({
  id: integerField,
  created_at: microsecondTimestamp,
  host: textOrNull,
  format: formatField,
  status: v.picklist(captureStatuses),
  code: textOrNull,
  blame: textOrNull,
  response_time_ms: countField,
  bytes: v.nullable(countField),
  cached: v.boolean(),
  api_key_id: integerField,
  /** True where `picture` has a thumbnail, in a stage that shows pictures. */
  has_picture: v.boolean(),
});

export const OperatedCaptures = pageOf(OperatedCapture);
