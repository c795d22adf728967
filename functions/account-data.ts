// GET|HEAD /session/account/export and DELETE /session/account: exports and deletes all data of an account.
import { streamingApiHandler } from "../lib/api/http/api-handler.ts";
import { serveAccountData } from "../lib/api/session/account-data.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "RESULTS_BUCKET", "BASE_URL");

export const handler = streamingApiHandler((request) => serveAccountData(request, env));
