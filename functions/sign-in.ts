// /sign-in/code and /session/account/email: sends codes by e-mail and redeems them.
import { serveRoutes } from "../lib/api/http/serve-routes.ts";
import * as session from "../lib/api/session/routes.ts";

export const handler = await serveRoutes([
  session.sendSignInCode,
  session.signInByCode,
  session.sendCodeToCurrentAddress,
  session.proveCurrentAddress,
  session.sendCodeToNewAddress,
  session.changeAddress,
  session.undoAddressChange,
]);
