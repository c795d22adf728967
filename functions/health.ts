// GET /health: says that the service answers. Needs no key.

import { json } from "../lib/runtime/answer.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";

export const handler = apiHandler(() => json(200, { status: "ok" }));
