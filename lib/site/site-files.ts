// The files of the built website: a manifest that names them by their path, and what they contain.
import type { OperatorIdentity } from "../contract/operator-identity.ts";
import type { ContentCoding } from "../service/http/content-coding.ts";
import { type Html, rawHtml } from "./html.ts";

/** A file that is sent as it is, compressed at build. */
export interface Asset {
  readonly type: string;
  /** Content codings with a variant next to the file, such as `page.css.br`. */
  readonly encodings: readonly ContentCoding[];
  /** True for a file that is there only where the service has operators. */
  readonly needsOperators?: true;
}

/** A file whose name stays while its content changes with the version of the service. */
export interface Download {
  readonly type: string;
  readonly etag: string;
}

/** A text with placeholders for the address of the service. It is completed and compressed when it is first requested. */
export interface Page {
  readonly type: string;
  /** Name of the file in `pages/`. */
  readonly file: string;
  /** True for a page that is there only where the service has operators. */
  readonly needsOperators?: true;
}

/** Keys are paths below the base URL, such as `/docs` or `/assets/site-ABC.css`. */
export interface SiteManifest {
  readonly pages: Readonly<Record<string, Page>>;
  readonly assets: Readonly<Record<string, Asset>>;
  readonly downloads: Readonly<Record<string, Download>>;
}

export const encodingSuffixes: Readonly<Record<ContentCoding, string>> = { br: ".br", gzip: ".gz" };

export const MANIFEST_FILE = "manifest.json";

/** Stands for the path of the base URL: empty, or such as `/live`. */
export const BASE_PATH = "%BASE_PATH%";

/** Stands for the base URL without a trailing slash. */
export const BASE_URL = "%BASE_URL%";

/** Whether a new e-mail address gets an account. */
export type SignUp = "open" | "closed";

/** What the operator has set, as far as pages differ by it. They have the texts of all values until they are served. */
export interface SiteSettings {
  readonly signUp: SignUp;
  /** Whether the service sends e-mail, such as codes to sign in with. */
  readonly mail: "on" | "off";
  /** Whether visitors can capture without an API key. */
  readonly keylessCaptures: "on" | "off";
  /** Whether the service has operators, who have a page of their own. */
  readonly operators: "on" | "off";
  /** Who runs the service. */
  readonly identity: OperatorIdentity;
}

/** What parts of pages differ by, and its values. */
interface PartSettings extends Pick<SiteSettings, "signUp" | "mail" | "keylessCaptures"> {
  /** Whether customers have an address to write to. */
  readonly support: "set" | "unset";
}

/** A part of a page that depends on a setting. It can't contain parts that depend on the same one. */
export const bySetting = <Name extends keyof PartSettings>(
  name: Name,
  texts: Readonly<Record<PartSettings[Name], Html>>,
): Html => {
  const parts = Object.entries<Html>(texts).map(([value, text]) => `%${name}:${value}%${text}`);
  return rawHtml(`${parts.join("")}%${name}:${END}%`);
};

/** A part of a page that depends on the state of sign-up. */
export const bySignUp = (texts: Readonly<Record<SignUp, Html>>): Html => bySetting("signUp", texts);

const END = "end";

/** The page with the parts of these settings. */
export function withSettings(
  page: string,
  { signUp, mail, keylessCaptures, identity }: Omit<SiteSettings, "operators">,
): string {
  const support = identity.support === undefined ? "unset" : "set";
  const parts: PartSettings = { signUp, mail, keylessCaptures, support };
  return Object.entries(parts).reduce(withSetting, page);
}

function withSetting(page: string, [name, set]: readonly [name: string, value: string]): string {
  return page
    .split(`%${name}:`)
    .map((part, index) => {
      if (index === 0) return part;
      const [value = ""] = part.split("%", 1);
      return value === set || value === END ? part.slice(value.length + 1) : "";
    })
    .join("");
}

/** The path of the dashboard, and the start of the paths of its screens. */
export const DASHBOARD_PATH = "/app";

/** The path of the list of captures, and the start of the paths of their pages. */
export const CAPTURES_PATH = `${DASHBOARD_PATH}/captures`;

/** The path of the document of a capture, whose script shows the capture of the address. */
export const CAPTURE_PATH = `${CAPTURES_PATH}/id`;

/** The path of the document for addresses of the dashboard that no screen has. */
export const DASHBOARD_NOT_FOUND_PATH = `${DASHBOARD_PATH}/not-found`;

/** The path at which a visitor signs in to the dashboard. */
export const SIGN_IN_PATH = `${DASHBOARD_PATH}/sign-in`;

/** The path of the operator's page, and the start of the paths of its screens. */
export const OPERATOR_PATH = "/operator";

/** The path of the status page, which API Gateway serves from the bucket, with its data and its feed. */
export const STATUS_PATH = "/status";

/** The page without its content, in the folder of the built website: the canary completes it. */
export const STATUS_FRAME_FILE = "status-frame.html";

/** The path of the icon that browsers and programs ask for without having read a page. */
export const ICON_PATH = "/favicon.ico";

/** The path of the OpenAPI document. */
export const OPENAPI_PATH = "/openapi.json";

/** The path of the page that is sent with status 404. */
export const NOT_FOUND_PATH = "/404";

/** A text that is served below the base URL. */
export interface SiteFile {
  readonly path: string;
  readonly type: string;
  readonly text: string;
  /** True for a file that is there only where the service has operators. */
  readonly needsOperators?: true;
}
