// PAGE_ERROR: the page's own script failed, and the element that it should fill is empty.
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

/** Types of requests without which an application does not start. */
const CODE = /\.(?:m?js|json|wasm)(?:$|\?)|\/api\/|\/graphql|\/_next\/|\/assets\//;

export const pageError: ProblemRule = {
  code: "PAGE_ERROR",
  find(page) {
    const { observed, options } = page;
    const [root] = observed.emptyRoots;
    const isEmpty =
      observed.mainWords <= 3 &&
      observed.mainMedia === 0 &&
      observed.loaders.length === 0 &&
      observed.fields.every(({ isEdge }) => isEdge);
    if (!options.javascript || observed.mainWords > MAX_MAIN_WORDS || observed.mainMedia > 3) return undefined;
    const why = failureOfScript(page);
    // A small element can be empty on purpose, such as one for dialogs.
    const isLarge = root !== undefined && shareOfWindow(root.area, observed.window) >= MIN_ROOT_SHARE;
    const isBroken = root
      ? (why !== undefined &&
          (isLarge || isEmpty || (observed.mainWords <= MAX_FEW_WORDS && observed.mainMedia === 0))) ||
        (isEmpty && observed.hasScripts && page.pending.length === 0)
      : isEmpty && observed.allWords <= MAX_EMPTY_WORDS && why !== undefined && observed.errors.length > 0;
    if (!isBroken || observed.loaders.length > 0) return undefined;
    const reason = why ? `: ${quoted(why)}` : "";
    const blocking = (
      ["block_ads", "block_trackers", "block_annoyances", "block_socials", "block_chats"] as const
    ).filter((name) => options[name]);
    return {
      message: `The page's script failed${reason}, and left ${root ? `'${root.selector}'` : "the page"} empty. Check the page in a browser, with its console open.`,
      evidence: {
        ...(root && { selector: root.selector, rectangle: rectangle(root.area) }),
        ...(why && { text: why.slice(0, 300) }),
      },
      fixes: [
        ...(blocking.length > 0 ? [Object.fromEntries(blocking.map((name) => [name, false]))] : []),
        ...(isRefusedByPolicy(why) ? [{ bypass_csp: true }] : []),
      ],
    };
  },
};

function shareOfWindow(area: Area, window: { readonly width: number; readonly height: number }): number {
  return (area.width * area.height) / (window.width * window.height);
}

/** The page's error, or the request that failed. */
function failureOfScript({ observed, failures }: JudgedPage): string | undefined {
  const [error] = observed.errors;
  const failed =
    failures.find(({ url }) => CODE.test(url)) ??
    failures.find(({ url }) => !/\.(?:png|jpe?g|gif|webp|svg|ico|css|woff2?)(?:$|\?)/.test(url));
  return textWithoutQueries(error ?? "") || (failed && `${addressWithoutQuery(failed.url)} failed: ${failed.reason}`);
}

function isRefusedByPolicy(text: string | undefined): boolean {
  return /content security policy/i.test(text ?? "");
}
