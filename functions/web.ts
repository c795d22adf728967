// What needs no account: the website, the state of the service, the OpenAPI document, and requests that no route matches.
import { join } from "node:path";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { environment } from "../lib/service/platform/environment.ts";
import { operatorIdentity } from "../lib/service/platform/operator-identity.ts";
import { openSite } from "../lib/site/serve-site.ts";
import { isSiteRequest, siteHandler } from "../lib/site/site-handler.ts";

const { BASE_URL, SIGN_UP, SIGN_IN_MAIL, KEYLESS_CAPTURES_PER_DAY, OPERATOR_PAGE } = environment(
  "BASE_URL",
  "SIGN_UP",
  "SIGN_IN_MAIL",
  "KEYLESS_CAPTURES_PER_DAY",
  "OPERATOR_PAGE",
);
const serveSite = siteHandler(
  openSite({
    folder: join(import.meta.dirname, "site"),
    baseUrl: BASE_URL,
    signUp: SIGN_UP,
    mail: SIGN_IN_MAIL,
    keylessCaptures: KEYLESS_CAPTURES_PER_DAY > 0 ? "on" : "off",
    operators: OPERATOR_PAGE,
    identity: operatorIdentity(),
  }),
);

export const handler = awslambda.streamifyResponse(async (event: APIGatewayProxyEvent, stream, context) => {
  if (isSiteRequest(event, { operators: OPERATOR_PAGE })) return serveSite(event, stream);
  const { serveService } = await import("../lib/service/health/service-handler.ts"); // pages do without it
  await serveService(event, stream, context);
});
