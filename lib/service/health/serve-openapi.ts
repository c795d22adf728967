// The OpenAPI document of this service.
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { withOperator } from "../openapi/operator-info.ts";
import { operatorIdentity } from "../platform/operator-identity.ts";
import type { OpenapiDocument } from "./responses.ts";

/** Stands for the address of the service in `OPENAPI_DOCUMENT`, because that is known after the deployment only. */
export const PLACEHOLDER_URL = "https://service.invalid";

/** The document as JSON. Defined when the function is bundled: to generate it takes the routes, which bring their code with them. */
declare const OPENAPI_DOCUMENT: string;

/** It changes only with a deployment. */
const headers = { "Cache-Control": "public, max-age=3600" };

let document: ResponseBody<typeof OpenapiDocument> | undefined;

export function getOpenapiDocument({
  env,
}: RouteCall<"public", unknown, "BASE_URL">): ApiResponse<ResponseBody<typeof OpenapiDocument>> {
  document ??= withOperator(
    JSON.parse(OPENAPI_DOCUMENT.replaceAll(PLACEHOLDER_URL, env.BASE_URL)) as ResponseBody<typeof OpenapiDocument>,
    operatorIdentity(),
  );
  return json(200, document, headers);
}
