// /session, /sessions and /sign-in: signs in and out, and lists and ends sessions.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import * as session from "../lib/api/session/routes.ts";

export const handler = await serveRoutes([
  session.signIn,
  session.getSession,
  session.signOut,
  session.listSessions,
  session.endOtherSessions,
  session.endSession,
  session.getSignInDoors,
]);
