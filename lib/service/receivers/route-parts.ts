// What the routes of saved receivers of webhooks have in common.
import type { JsonSchema } from "../../contract/options/option.ts";
import type { Caller } from "../account/account.ts";
import { requireScope } from "../account/authenticate.ts";

export const PATH = "/api/v1/webhooks/receivers";
export const tag = "Webhooks";

export const pathParameters: readonly JsonSchema[] = [
  { name: "id", in: "path", required: true, description: "The `id` of the receiver.", schema: { type: "string" } },
];

/**
 * Webhooks contain links to the results of captures, and their signatures make programs believe them: who decides where they go needs
 * the scope of captures in addition to that of secrets. Throws `FORBIDDEN`.
 */
export const requireCaptureScope = ({ caller }: { readonly caller: Caller }): void => requireScope(caller, "capture");

/** What routes that change a receiver, or show its secret, say of their API key. */
export const NEEDS_SCOPES = "Requires an API key with the scopes `keys` and `capture`.";
