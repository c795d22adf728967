// Who runs a service, in the OpenAPI document that it serves.
// https://spec.openapis.org/oas/v3.1.1#info-object
import { isEmailAddress, type OperatorIdentity } from "../../contract/operator-identity.ts";

/** An OpenAPI document with the support as its contact, and the terms of service, as far as they are set. */
export function withOperator<Document extends Readonly<Record<string, unknown>>>(
  document: Document,
  { support, terms }: OperatorIdentity,
): Document {
  const contact = support !== undefined && {
    contact: { name: "Support", ...(isEmailAddress(support) ? { email: support } : { url: support }) },
  };
  const info = { ...(document["info"] as object), ...(terms !== undefined && { termsOfService: terms }), ...contact };
  return { ...document, info };
}
