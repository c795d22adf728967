// GET /api/v1/openapi.json: the description of the API for programs. Needs no key.
import { openapiDocument } from "../lib/contract/openapi/document.ts";
import { environment } from "../lib/platform/environment.ts";
import { json } from "../lib/runtime/answer.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";

const { BASE_URL } = environment("BASE_URL");
const document = openapiDocument(BASE_URL);

/** It changes with a deployment only. */
const headers = { "Cache-Control": "public, max-age=3600" };

export const handler = apiHandler(() => json(200, document, headers));
