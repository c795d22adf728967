// What the resource of API keys answers.
import * as v from "valibot";
import { ApiKeySchema } from "../account/account.ts";
import { countField, integerField, timestamp } from "../http/response-fields.ts";

const { label, key_prefix, scopes } = ApiKeySchema.entries;

const nullableTimestamp = v.nullable(timestamp);

const keyEntries = {
  id: integerField,
  label,
  key_prefix: v.pipe(key_prefix, v.description("The first characters of the key, to recognize it by.")),
  previous_texts: v.pipe(
    v.array(
      v.object({
        key_prefix: v.pipe(key_prefix, v.description("The first characters of the previous text.")),
        ends_at: v.pipe(timestamp, v.description("When the previous text stops working.")),
      }),
    ),
    v.description("The texts from before rotations that still work, latest first."),
  ),
  scopes,
  require_signature: v.pipe(
    v.boolean(),
    v.description("`true` if the key is rejected as the query parameter `access_key`."),
  ),
  test: v.pipe(v.boolean(), v.description("`true` for a key for tests, whose captures are free and carry a mark.")),
  monthly_limit: v.pipe(
    v.nullable(countField),
    v.description("How many captures with the key can succeed in a billing period. `null` without a limit."),
  ),
  monthly_used: v.pipe(
    countField,
    v.description(
      "Number of captures with the key that succeeded in the current billing period. Those of keys for tests aren't counted.",
    ),
  ),
  last_used_at: v.pipe(nullableTimestamp, v.description("When the key last sent a request. `null` if it never did.")),
  expires_at: v.pipe(nullableTimestamp, v.description("When the key expires. `null` if it doesn't expire.")),
  created_at: timestamp,
  revoked_at: v.pipe(nullableTimestamp, v.description("When the key was revoked. `null` if it wasn't.")),
};

export const Key = v.pipe(
  v.object(keyEntries),
  v.description("An API key without its secrets."),
  v.examples([
    {
      id: 243680359552001,
      label: "Website",
      key_prefix: "cap_VRnZ3mX8",
      previous_texts: [{ key_prefix: "cap_8BDDiltG", ends_at: "2026-11-22T09:30:00.000Z" }],
      scopes: ["capture" as const, "usage" as const],
      require_signature: false,
      test: false,
      monthly_limit: 1_000,
      monthly_used: 312,
      last_used_at: "2026-11-21T13:37:56.000Z",
      expires_at: null,
      created_at: "2026-10-31T09:30:00.000Z",
      revoked_at: null,
    },
  ]),
);

export const IssuedKeyResponse = v.pipe(
  v.object({
    ...keyEntries,
    key: v.pipe(
      v.string(),
      v.metadata({ pattern: "^cap_(test_)?[0-9A-Za-z]{46}$" }),
      v.description("The API key. It's shown only once."),
    ),
    signing_secret: v.pipe(
      v.string(),
      v.startsWith("whsec_"),
      v.description("The secret that signs the webhooks and signed links of this key. It's shown only once."),
    ),
  }),
  v.description("An API key with its new secrets."),
);

export const Keys = v.object({
  data: v.pipe(v.array(Key), v.description("The API keys, oldest first.")),
});
