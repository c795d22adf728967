// The files of the built website: a manifest that names them by their path, and what they contain.
import type { ContentCoding } from "../service/http/content-coding.ts";
import { type Html, rawHtml } from "./html.ts";

/** A file that is sent as it is, compressed at build. */
export interface Asset {
  readonly type: string;
  /** Content codings of which a variant exists beside the file, such as `page.css.br`. */
  readonly encodings: readonly ContentCoding[];
}

/** A text with placeholders for the address of the service. It is completed and compressed when it is first requested. */
export interface Page {
  readonly type: string;
  /** Name of the file in `pages/`. */
  readonly file: string;
}

/** Keys are paths below the base URL, such as `/docs` or `/assets/site-ABC.css`. */
export interface SiteManifest {
  readonly pages: Readonly<Record<string, Page>>;
  readonly assets: Readonly<Record<string, Asset>>;
}

export const encodingSuffixes: Readonly<Record<ContentCoding, string>> = { br: ".br", gzip: ".gz" };

export const MANIFEST_FILE = "manifest.json";

/** Stands for the path of the base URL: empty, or such as `/live`. */
export const BASE_PATH = "%BASE_PATH%";

/** Stands for the base URL without a trailing slash. */
export const BASE_URL = "%BASE_URL%";

/** Whether a new e-mail address gets an account. Set by the operator, so pages have both texts until they are served. */
export type SignUp = "open" | "closed";

const SIGN_UP_OPEN = "%SIGN_UP_OPEN%";
const SIGN_UP_CLOSED = "%SIGN_UP_CLOSED%";
const SIGN_UP_END = "%SIGN_UP_END%";

/** A part of a page that depends on the state of sign-up. Such parts can't contain each other. */
export const bySignUp = (texts: Readonly<Record<SignUp, Html>>): Html =>
  rawHtml(`${SIGN_UP_OPEN}${texts.open}${SIGN_UP_CLOSED}${texts.closed}${SIGN_UP_END}`);

/** The page with the parts of one state of sign-up. */
export function withSignUp(page: string, signUp: SignUp): string {
  return page
    .split(SIGN_UP_OPEN)
    .map((part, index) => {
      if (index === 0) return part;
      const [open = "", others = ""] = part.split(SIGN_UP_CLOSED);
      const [closed = "", rest = ""] = others.split(SIGN_UP_END);
      return `${signUp === "open" ? open : closed}${rest}`;
    })
    .join("");
}

/** The path of the dashboard, and the start of the paths of its screens. */
export const DASHBOARD_PATH = "/app";

/** The path at which a visitor signs in to the dashboard. */
export const SIGN_IN_PATH = `${DASHBOARD_PATH}/sign-in`;

/** The path of the page that is sent with status 404. */
export const NOT_FOUND_PATH = "/404";

/** A text that is served below the base URL. */
export interface SiteFile {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}
