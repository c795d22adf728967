// API keys as OpenAPI shows them: what is told of them, and what they are told.

import { scopes } from "../../accounts/account.ts";
import type { JsonSchema } from "../../options/option.ts";
import { object } from "../openapi/object-schema.ts";
import { bodyProperties } from "../openapi/option-schemas.ts";
import { timestamp, timestampOrNull } from "../openapi/timestamp-schemas.ts";
import { keyChangeEntries, newKeyEntries } from "./key-options.ts";

const keyProperties: Readonly<Record<string, JsonSchema>> = {
  id: { type: "integer" },
  label: { type: "string" },
  key_prefix: { type: "string", description: "The first characters of the key, by which its owner knows it." },
  scopes: { type: "array", items: { type: "string", enum: [...scopes] } },
  require_signature: { type: "boolean", description: "True where it is refused as `access_key` in a query." },
  last_used_at: { ...timestampOrNull, description: "When it last sent a request; null when it never did." },
  expires_at: { ...timestampOrNull, description: "When it stops working; null for never." },
  created_at: timestamp,
  revoked_at: { ...timestampOrNull, description: "When it was revoked; null while it is not." },
};

const secrets: Readonly<Record<string, JsonSchema>> = {
  key: { type: "string", pattern: "^cap_[0-9A-Za-z]{46}$", description: "The key itself. It is never shown again." },
  signing_secret: {
    type: "string",
    pattern: "^whsec_",
    description:
      "What webhooks of captures with this key are signed with, and links to captures. It is never shown again.",
  },
};

const example = {
  id: 243680359552001,
  label: "Website",
  key_prefix: "cap_VRnZ3mX8",
  scopes: ["capture", "usage"],
  require_signature: false,
  last_used_at: "2026-11-21T13:37:56.000Z",
  expires_at: null,
  created_at: "2026-10-31T09:30:00.000Z",
  revoked_at: null,
};

export const keySchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Key: { description: "An API key, without what is secret of it.", ...object(keyProperties), examples: [example] },
  IssuedKey: { description: "An API key with its new secrets.", ...object({ ...keyProperties, ...secrets }) },
  Keys: object({
    data: { type: "array", description: "Oldest first.", items: { $ref: "#/components/schemas/Key" } },
  }),
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
});
