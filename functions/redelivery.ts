// POST /api/v1/screenshot/{id}/webhook/redeliver: sends the webhook of a job once more.
import { ApiError } from "../lib/contract/errors.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";

export const handler = apiHandler(() => {
  throw new ApiError("CONFLICT", "Webhooks are not delivered yet.");
});
