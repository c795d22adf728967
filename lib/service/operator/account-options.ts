// The options of the routes by which an operator sees and changes accounts.
import * as v from "valibot";
import { choice, coerced, isoTime, text } from "../../contract/options/coercion.ts";
import { inputForm } from "../../contract/options/option.ts";
import { optionParser } from "../../contract/options/parse-options.ts";
import { planNames } from "../../contract/plans.ts";
import { limitNames } from "../account/account.ts";
import { limitBounds } from "../account/limits.ts";
import { reasonOption } from "../account/reason-option.ts";
import { parseId } from "../platform/ids.ts";
import { captureStatuses } from "../usage/capture-log.ts";

const MAX_SEARCH_CHARACTERS = 254; // of an address
const MAX_POSITION_CHARACTERS = 300;

/** Why something is changed, for the audit log. */
const reason = reasonOption({ description: "Why, for the audit log." });
const optionalReason = { reason: v.exactOptional(reason) };

const search = inputForm(
  v.pipe(
    v.string("must be text"),
    v.maxLength(MAX_SEARCH_CHARACTERS, `must have at most ${MAX_SEARCH_CHARACTERS} characters`),
    v.trim(),
  ),
  { type: "string", maxLength: MAX_SEARCH_CHARACTERS },
);

/** `next` of the page before. */
const position = text(MAX_POSITION_CHARACTERS);

export const listAccountsEntries = {
  search: v.optional(search, ""),
  after: v.exactOptional(position),
};

const captureId = coerced<number>({ type: "integer" }, (sent) => {
  const id = parseId(String(sent));
  return Number.isNaN(id) ? { problem: "must be `next` of the page before" } : { value: id };
});

export const listCapturesEntries = {
  after: v.exactOptional(captureId),
  status: v.exactOptional(choice(captureStatuses)),
};

export const changePlanEntries = { plan: choice(planNames), ...optionalReason };
export const reasonEntries = optionalReason;

const limit = v.nullable(
  v.object(
    { value: v.number("must have a number as `value`"), until: v.optional(v.nullable(isoTime()), null) },
    "must have objects with `value` and `until`, or null",
  ),
);
const limits = inputForm(
  v.pipe(
    v.custom<object>((sent) => typeof sent === "object" && !Array.isArray(sent), "must be an object of limits"),
    v.record(v.picklist(limitNames, `must be among ${limitNames.join(", ")}`), limit, "must be an object of limits"),
  ),
  {
    type: "object",
    properties: Object.fromEntries(
      limitNames.map((name) => [name, { type: ["object", "null"], description: boundsOf(name) }]),
    ),
  },
);

function boundsOf(name: (typeof limitNames)[number]): string {
  const { minimum, maximum } = limitBounds[name];
  return `\`value\` from ${minimum} to ${maximum}, and \`until\`; null for that of the plan.`;
}

export const changeLimitsEntries = { limits, ...optionalReason };

const listAccountsSchema = v.object(listAccountsEntries);
const listCapturesSchema = v.object(listCapturesEntries);
const changePlanSchema = v.object(changePlanEntries, "must be sent");
const changeLimitsSchema = v.object(changeLimitsEntries, "must be sent");
const reasonSchema = v.object(reasonEntries);

export type ListAccountsOptions = v.InferOutput<typeof listAccountsSchema>;
export type ListCapturesOptions = v.InferOutput<typeof listCapturesSchema>;
export type ChangePlanOptions = v.InferOutput<typeof changePlanSchema>;
export type ChangeLimitsOptions = v.InferOutput<typeof changeLimitsSchema>;
export type ReasonOptions = v.InferOutput<typeof reasonSchema>;

/** Parse the options of these routes. Each throws `VALIDATION_ERROR`. */
export const parseListAccounts = optionParser({ schema: listAccountsSchema });
export const parseListCaptures = optionParser({ schema: listCapturesSchema });
export const parseChangePlan = optionParser({ schema: changePlanSchema });
export const parseChangeLimits = optionParser({ schema: changeLimitsSchema });
export const parseReason = optionParser({ schema: reasonSchema });
