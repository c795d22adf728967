// The operator's reason for a change of an account.
import { coerced } from "../../contract/options/coercion.ts";
import { option } from "../../contract/options/option.ts";
import { oneLine } from "../mail/one-line.ts";

/** Characters of a reason: that of a suspension is a part of each item by which a request of the account is authenticated. */
const MAX_REASON_CHARACTERS = 500;

/** A reason of one line. `missing` is the problem of an empty one; without it, a reason can be empty. */
export function reasonOption({ description, missing }: { readonly description: string; readonly missing?: string }) {
  const minimum = missing === undefined ? {} : { minLength: 1 };
  const schema = coerced<string>({ type: "string", ...minimum, maxLength: MAX_REASON_CHARACTERS }, (sent) => {
    if (typeof sent !== "string") return { problem: "must be text" };
    const value = oneLine(sent.toWellFormed()).trim();
    if (value === "" && missing !== undefined) return { problem: missing };
    if (value.length > MAX_REASON_CHARACTERS)
      return { problem: `must have at most ${MAX_REASON_CHARACTERS} characters` };
    return { value };
  });
  return option(schema, { description });
}
