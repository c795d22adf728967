// Sets the caller's cookies.
import type { Cookie } from "../../../options/values/set-cookie.ts";
import { setCookies } from "../../emulation/cookies.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

interface SetCookies {
  readonly cookies: readonly Cookie[];
  /** The page for which a cookie without a domain is set. */
  readonly url: string;
}

export const setCookiesStep: StepFactory<PrepareStep, SetCookies> = prepareStep({
  name: "set-cookies",
  phase: "browser",
  run: async ({ session }, { cookies, url }) => {
    await setCookies(session.cdp, cookies, url);
  },
});
