// The bodies of requests for API keys, as the OpenAPI document shows them.
import type { JsonSchema } from "../../options/option.ts";
import { bodyProperties } from "../openapi/option-schemas.ts";
import { keyChangeEntries, newKeyEntries, rotationEntries } from "./key-options.ts";

export const keyRequestSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  NewKey: {
    type: "object",
    required: ["label"],
    properties: bodyProperties(newKeyEntries),
    additionalProperties: false,
    examples: [{ label: "Website", scopes: ["capture"], expires_at: "2027-01-31T00:00:00Z" }],
  },
  KeyChanges: {
    type: "object",
    properties: bodyProperties(keyChangeEntries),
    additionalProperties: false,
    examples: [{ label: "Old website", expires_at: null }],
  },
  KeyRotation: {
    type: "object",
    properties: bodyProperties(rotationEntries),
    additionalProperties: false,
    examples: [{ link_grace_period: 3600 }],
  },
});
