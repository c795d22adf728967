// What the generated files of all clients are made of.
import type { ErrorCode } from "../../../contract/errors/error-kinds.ts";
import type { JsonSchema } from "../../../contract/options/option.ts";
import { apiRoutes } from "../../routes.ts";
import { openapiDocument } from "../document.ts";
import { queryParameters } from "../option-schemas.ts";

export interface ClientContract {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export function clientContract(): ClientContract {
  return openapiDocument("") as unknown as ClientContract;
}

/** The query parameters of the routes that list, by the name of their type. */
export function filterSchemas(): Readonly<Record<string, JsonSchema>> {
  const schemas = apiRoutes.flatMap(({ path, entries = {}, operation: { queryType } }) => {
    if (queryType === undefined) return [];
    const properties = queryParameters(entries).map(({ name, schema, description }) => [
      name,
      { ...(schema as JsonSchema), description },
    ]);
    const description = `Query parameters of \`GET ${path}\`.`;
    return [[queryType, { description, properties: Object.fromEntries(properties) }] as const];
  });
  return Object.fromEntries(schemas);
}

/** `TARGET_TLS_ERROR` becomes `TargetTlsError`, `QUOTA_EXCEEDED` becomes `QuotaExceededError`. */
export function errorClassName(code: ErrorCode): string {
  const words = code.replace(/_ERROR$/, "").split("_");
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join("")}Error`;
}
