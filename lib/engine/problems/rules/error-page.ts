// ERROR_PAGE: the page says that something isn't there, has failed, is refused, or that the domain has no site.

import type { ObservedText } from "../../injected/observation/observe-page.ts";
import { hasPhrase } from "../phrase-pattern.ts";
import { apology, failure, parked, unavailable, wayBack } from "../phrases.ts";
import { type JudgedPage, type ProblemRule, quoted, rectangle } from "../problem-rule.ts";

/** From this score on, a page is an error page. */
const MIN_SCORE = 5;

/** Error pages have a few sentences: the more words, the more the page is about errors instead. */
const WORD_SCORES: readonly (readonly [words: number, score: number])[] = [
  [60, 1],
  [110, 0],
  [160, -2],
  [300, -4],
];
const MANY_WORDS_SCORE = -8;

/** Pages of servers and frameworks, which can be long. */
const DEFAULT_PAGES =
  /^Welcome to nginx|Apache2? (?:Ubuntu |Debian |HTTP Server )?(?:Default|Test) Page|^It works!$|^IIS Windows(?: Server)?$|Plesk (?:Obsidian|Onyx)|Web Server's Default Page|Default Web Site Page|SORRY! If you are the owner of this website|^Index of \/$|^Apache Tomcat\/\d|HTTP Status \d{3} [–-]|Whitelabel Error Page|Cannot (?:GET|POST) \/|^Caddy works|^LiteSpeed Web Server|Congratulations! Your (?:web ?site|server)|Application error: a (?:client|server)-side exception|This page isn['’]t working|Internal Server Error$|Server Error in '\/'|There has been a critical error on this website|Error establishing a database connection|The install worked successfully|Yay! You['’]re on Rails|We['’]re sorry, but something went wrong|Routing Error|DisallowedHost|OperationalError at|TemplateDoesNotExist|Page not found \(404\)|Whoops, looks like something went wrong|Symfony Exception|ErrorException|Unhandled Runtime Error|Failed to compile|Error 1\d{3}\b.*Ray ID|Sorry, you have been blocked|The requested URL was (?:not found on this server|rejected)|^403 Forbidden|^404 Not Found|^50[0-4] |default backend - 404|NoSuchKey|AccessDenied|The specified (?:key|bucket) does not exist|DEPLOYMENT_NOT_FOUND|There isn['’]t a GitHub Pages site here|No such app|Heroku \| (?:No such app|Application Error)|Sorry, this shop is currently unavailable|Unfortunately, Microsoft Edge/;

const ERROR_NUMBER =
  /^(?:(?:error|fehler|erreur|erro|errore|http|code|status|エラー|错误)[\s:#-]*)?(?:4(?:00|01|03|04|05|10|18|29|51)|5(?:00|02|03|04|2\d|30))(?:$|[\s:.–—|-])/i;
const ERROR_NUMBER_ANYWHERE =
  /\b(?:error|http|code|status|fehler|erreur)[\s:]*(?:4(?:00|01|03|04|10|29|51)|5(?:00|02|03|04|2\d))\b/i;

export const errorPage: ProblemRule = {
  code: "ERROR_PAGE",
  find(page) {
    const { observed, status } = page;
    const main = mainTexts(page);
    const prominent = prominentTexts(main);
    const defaultPage = [observed.title, ...main.slice(0, 12).map(({ text }) => text)].find((text) =>
      DEFAULT_PAGES.test(text),
    );
    const said = prominent.find(({ text }) => saysFailure(text));
    const inTitle =
      saysFailure(observed.title) || ERROR_NUMBER_ANYWHERE.test(observed.title) || ERROR_NUMBER.test(observed.title);
    const inBody = main.find(({ text, words }) => words <= 45 && saysFailure(text));
    const number = prominent.find(
      ({ text, words }) => words <= 8 && (ERROR_NUMBER.test(text) || ERROR_NUMBER_ANYWHERE.test(text)),
    );
    const isSorry = prominent.some(({ text }) => hasPhrase(apology, text));
    const hasWayBack = observed.controls.some(
      ({ label, isEdge }) => !isEdge && label.length < 40 && hasPhrase(wayBack, label),
    );
    if (!defaultPage && !said && !inBody && !number && !inTitle) return undefined;
    const score =
      (defaultPage ? 10 : 0) +
      (said ? 4 : 0) +
      (inTitle ? 2 : 0) +
      (inBody && inBody !== said ? 2 : 0) +
      (number ? 2 : 0) +
      (isSorry ? 1 : 0) +
      (hasWayBack ? 1 : 0) +
      (status !== undefined && status >= 400 ? 4 : 0) +
      wordScore(observed.mainWords) -
      (observed.mainMedia > 8 ? 2 : 0) -
      (observed.fields.filter(({ isEdge }) => !isEdge).length > 2 ? 2 : 0);
    if (score < MIN_SCORE) return undefined;
    const shown = said ?? number ?? inBody;
    const text = (shown?.text ?? defaultPage ?? observed.title).slice(0, 200);
    return {
      message: `The page is an error page: it says ${quoted(text)}.${statusHint(status)} Check the URL, and what the page needs, such as cookies.`,
      evidence: {
        text,
        ...(shown && { selector: shown.selector, rectangle: rectangle(shown.area) }),
      },
      fixes: fixes(page, text),
    };
  },
};

function saysFailure(text: string): boolean {
  return hasPhrase(failure, text) || hasPhrase(unavailable, text) || hasPhrase(parked, text);
}

/** Texts of the page itself: without navigation, and without the labels of controls. */
export function mainTexts({ observed }: JudgedPage): readonly ObservedText[] {
  return observed.texts.filter(({ isEdge, isControl }) => !isEdge && !isControl);
}

/** The largest texts, and the first headings. */
export function prominentTexts(texts: readonly ObservedText[]): readonly ObservedText[] {
  const short = texts.filter(({ words }) => words <= 30);
  const largest = short.toSorted((one, other) => other.fontSize - one.fontSize).slice(0, 3);
  const headings = short.filter(({ isHeading }) => isHeading).slice(0, 3);
  return [...new Set([...largest, ...headings])];
}

function wordScore(words: number): number {
  return WORD_SCORES.find(([most]) => words <= most)?.[1] ?? MANY_WORDS_SCORE;
}

/** The usual status is no hint. */
function statusHint(status: number | undefined): string {
  return status === undefined || status < 400 ? "" : ` Its HTTP status is ${status}.`;
}

/** What the page asks for. */
function fixes({ options }: JudgedPage, text: string): Readonly<Record<string, unknown>>[] {
  if (/java ?script/i.test(text) && !options.javascript) return [{ javascript: true }];
  if (hasPhrase(unavailable, text) && /browser|navegador|navigateur|ブラウザ|浏览器/i.test(text))
    return [{ stealth: true }];
  if (/denied|forbidden|blocked|verweigert|refusé|denegado|negado|拒否/i.test(text)) return [{ stealth: true }];
  return [];
}
