// GET /api/v1/openapi.json: the OpenAPI document. Needs no key.

import { json } from "../lib/api/http/response.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { openapiDocument } from "../lib/api/openapi/document.ts";
import { environment } from "../lib/platform/environment.ts";

const { BASE_URL } = environment("BASE_URL");
const document = openapiDocument(BASE_URL);

/** It changes only with a deployment. */
const headers = { "Cache-Control": "public, max-age=3600" };

export const handler = streamingRouteHandler<"GET /api/v1/openapi.json">(() => json(200, document, headers));
