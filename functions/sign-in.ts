// /sign-in/code and /session/account/email: sends codes by e-mail and redeems them.
import { streamingApiHandler } from "../lib/api/http/api-handler.ts";
import { serveSignIn } from "../lib/api/session/serve-sign-in.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "BASE_URL");

export const handler = streamingApiHandler((request) => serveSignIn(request, env));
