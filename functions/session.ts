// /session, /sessions and /sign-in: signs in and out, and lists and ends sessions.
import { apiHandler } from "../lib/api/http/api-handler.ts";
import { serveSession } from "../lib/api/session/serve-session.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "BASE_URL");

export const handler = apiHandler((request) => serveSession(request, env));
