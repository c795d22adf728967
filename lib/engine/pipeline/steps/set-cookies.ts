// Sets the caller's cookies.
import type { Cookie } from "../../../options/values/set-cookie.ts";
import { setCookies } from "../../emulation/cookies.ts";
import type { PrepareStep } from "../step-definition.ts";

interface SetCookies {
  readonly cookies: readonly Cookie[];
  /** The page for which a cookie without a domain is set. */
  readonly url: string;
}

export const setCookiesStep: PrepareStep<"set-cookies", SetCookies> = {
  name: "set-cookies",
  phase: "browser",
  run: async ({ session }, { cookies, url }) => {
    await setCookies(session.cdp, cookies, url);
  },
};
