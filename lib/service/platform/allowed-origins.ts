// Where captures and webhooks of this stage may go although it is not the public internet.
import { type AllowedOrigins, parseAllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { environment } from "./environment.ts";

/**
 * The allowed origins: those of the environment where the stage's settings ask for it, because a variable alone must not
 * open a way. Throws when there are some and the settings do not.
 */
export function allowedOrigins(): AllowedOrigins {
  const { CAPTURE_ALLOW_ORIGINS, CAPTURE_ALLOW_ORIGINS_PERMITTED } = environment(
    "CAPTURE_ALLOW_ORIGINS",
    "CAPTURE_ALLOW_ORIGINS_PERMITTED",
  );
  const allowed = parseAllowedOrigins(CAPTURE_ALLOW_ORIGINS);
  if (allowed.size > 0 && CAPTURE_ALLOW_ORIGINS_PERMITTED !== "true") {
    throw new Error("CAPTURE_ALLOW_ORIGINS is set, but this stage's settings do not ask for allowed origins.");
  }
  return allowed;
}
