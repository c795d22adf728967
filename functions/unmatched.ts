// Requests that no route matches: 204 for a CORS preflight, 405 for a known path, 404 for any other.
import { apiHandler } from "../lib/api/http/api-handler.ts";
import type { PathMethods } from "../lib/api/http/path-methods.ts";
import { answerUnmatched } from "../lib/api/http/unmatched.ts";

/** Defined when the function is bundled: the routes themselves would bring their code with them. */
declare const KNOWN_PATHS: PathMethods;

export const handler = apiHandler((request) => answerUnmatched(request, KNOWN_PATHS));
