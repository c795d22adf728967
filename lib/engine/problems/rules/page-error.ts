// PAGE_ERROR: the page's own script failed, and the element that it should fill is empty. Without a failure, it is STILL_LOADING.
import type { Area } from "../../geometry/area.ts";
import { addressWithoutQuery, textWithoutQueries } from "../../page/record-text.ts";
import { type JudgedPage, type ProblemRule, quoted, rectangle } from "../problem-rule.ts";

/** A page with more words outside of its empty element works without it. */
const MAX_MAIN_WORDS = 40;

/** Words of a page that has nothing, not even a header. */
const MAX_EMPTY_WORDS = 5;

const MIN_ROOT_SHARE = 0.15;
/** Words of headers and footers that are not known as such. */
const MAX_FEW_WORDS = 15;

/** Requests of scripts, and for them, without which an application does not start. */
const CODE = /\.(?:m?js|cjs|json|wasm)(?:$|[?#])|\/api\/|\/graphql/;
/** What Chromium reports as an error, although nothing has failed. */
const HARMLESS = /^ResizeObserver loop/;
const DELAY_S = 10;

export const pageError: ProblemRule = {
  code: "PAGE_ERROR",
  find(page) {
    const { observed, options } = page;
    const why = failureOfScript(page);
    if (why === undefined || !options.javascript || observed.loaders.length > 0) return undefined;
    if (observed.mainWords > MAX_MAIN_WORDS || observed.mainMedia > 3) return undefined;
    const [root] = observed.emptyRoots;
    const isEmpty = isWithoutContent(page);
    // A small element can be empty on purpose, such as one for dialogs.
    const isLarge = root !== undefined && shareOfWindow(root.area, observed.window) >= MIN_ROOT_SHARE;
    const isBroken = root
      ? isLarge || isEmpty || (observed.mainWords <= MAX_FEW_WORDS && observed.mainMedia === 0)
      : isEmpty && observed.allWords <= MAX_EMPTY_WORDS;
    if (!isBroken) return undefined;
    const blocking = (
      ["block_ads", "block_trackers", "block_annoyances", "block_socials", "block_chats"] as const
    ).filter((name) => options[name]);
    return {
      message: `The page's script failed: ${quoted(why)}, and left ${root ? `'${root.selector}'` : "the page"} empty. Check the page in a browser, with its console open.`,
      evidence: {
        ...(root && { selector: root.selector, rectangle: rectangle(root.area) }),
        text: why.slice(0, 300),
      },
      fixes: [
        ...(blocking.length > 0 ? [Object.fromEntries(blocking.map((name) => [name, false]))] : []),
        ...(isRefusedByPolicy(why) ? [{ bypass_csp: true }] : []),
        // What failed may not be what the element waits for, and a request may succeed later.
        { delay: DELAY_S },
      ],
    };
  },
};

/** True where nothing but headers, footers and navigation can be seen. */
export function isWithoutContent({ observed }: JudgedPage): boolean {
  return (
    observed.mainWords <= 3 &&
    observed.mainMedia === 0 &&
    observed.loaders.length === 0 &&
    observed.fields.every(({ isEdge }) => isEdge)
  );
}

export function shareOfWindow(area: Area, window: { readonly width: number; readonly height: number }): number {
  return (area.width * area.height) / (window.width * window.height);
}

/** The error that no script caught, or the request that failed; undefined where nothing has. */
export function failureOfScript({ observed, failures }: JudgedPage): string | undefined {
  const error = observed.errors.find((text) => text !== "" && !HARMLESS.test(text));
  if (error !== undefined) return textWithoutQueries(error);
  const failed = failures.find(({ url }) => CODE.test(url));
  return failed && `${addressWithoutQuery(failed.url)} failed: ${failed.reason}`;
}

function isRefusedByPolicy(text: string): boolean {
  return /content security policy/i.test(text);
}
