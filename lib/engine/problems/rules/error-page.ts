// ERROR_PAGE: the page says that something isn't there, has failed, is refused, or that the domain has no site.

import type { ObservedText } from "../../injected/observation/observe-page.ts";
import type { PhraseStrength } from "../../injected/text/phrase-matcher.ts";
import { hasPhrase, phraseStrength } from "../phrase-search.ts";
import { apology, errorWord, failure, parked, unavailable, wayBack } from "../phrases.ts";
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
/** No page with more words is an error page, unless its status or its server says so. */
const MAX_WORDS = 400;

/** Pages of servers and frameworks, which can be long. */
const SERVER_PAGES =
  /^Welcome to (?:nginx|OpenResty|CentOS|tengine)|Apache2? (?:Ubuntu |Debian |HTTP Server )?(?:Default|Test) Page|HTTP Server Test Page|^IIS Windows(?: Server)?$|^Internet Information Services|Plesk (?:Obsidian|Onyx)|Web Server's Default Page|Default Web Site Page|Default (?:page|site) for|SORRY! If you are the owner of this website|^Apache Tomcat\/\d|HTTP Status \d{3} [–-]|Whitelabel Error Page|^Caddy works|^LiteSpeed Web Server|Congratulations! Your (?:web ?site|server)|Application error: a (?:client|server)-side exception|This page isn['’]t working|Server Error in '\/|There has been a critical error on this website|Error establishing a database connection|The install worked successfully|Yay! You['’]re on Rails|We['’]re sorry, but something went wrong|^Routing Error|^DisallowedHost|^OperationalError at|^TemplateDoesNotExist|^(?:\w+Error|\w+Exception) at \/|^Page not found \(404\)|^Whoops, looks like something went wrong|^Symfony Exception|^ErrorException|^Unhandled Runtime Error|^Failed to compile|^Error 1\d{3}\b|Sorry, you have been blocked|The requested URL was (?:not found on this server|rejected)|default backend - 404|DEPLOYMENT_NOT_FOUND|There isn['’]t a GitHub Pages site here|Heroku \| (?:No such app|Application Error)|Sorry, this shop is currently unavailable/;

/** Pages of servers that have a few words only: an article can be called so, too. */
const TERSE_PAGES =
  /^It works!$|^Index of \/|^Cannot (?:GET|POST|PUT) \/|^Internal Server Error$|^(?:403 )?Forbidden$|^(?:404 )?Not Found$|^(?:502 )?Bad Gateway$|^4\d\d [A-Z]|^50\d [A-Z]|^NoSuchKey|^AccessDenied|^The specified (?:key|bucket) does not exist|^No such app|^This XML file does not appear/;
const MAX_TERSE_WORDS = 70;

const ERROR_NUMBER =
  /^(?:(?:error|fehler|erreur|erro|errore|http|code|status|fout|błąd|ошибка|エラー|错误|خطأ)[\s:#-]*)?(?:4(?:00|01|03|04|05|10|18|29|51)|5(?:00|02|03|04|2\d|30))(?:$|[\s:.–—|-])/i;
const ERROR_NUMBER_ANYWHERE =
  /(?:error|http|code|status|fehler|erreur|codigo|código|kod|код|エラー|コード|错误|代码|خطأ)[\s::]*(?:n[.°º]\s?)?(?:4(?:00|01|03|04|10|29|51)|5(?:00|02|03|04|2\d))(?!\d)/i;

/** What firewalls show, in any language. */
const INCIDENT =
  /\b(?:\d{1,3}\.){3}\d{1,3}\b|\bRay ID\b|\b(?:request|incident|reference|event|support)[ -]?(?:id|no|number)\b/i;
const REFERENCE =
  /(?:fehler(?:nummer|code)|referenz|reference|ref\.|incident|vorgang|ticket|código|codigo|kod|エラーコード|错误代码)[ :#]{1,3}[A-Z]{0,4}-?\d/i;
const BROWSERS = /\b(?:chrome|firefox|safari|edge|opera)\b/gi;
const HOST =
  /(?:^|[\s“"„«(])(?:[\p{L}\p{N}-]+\.)+(?:com|net|org|io|co|app|dev|info|biz|online|shop|site|xyz|eu|[a-z]{2})(?:$|[\s”"“»).,!?:])/iu;
const DOMAIN = /domain|dominio|domaine|domínio|domein|domena|domen[ęy]|домен|ドメイン|域名|도메인|alan ad/i;

/** An article or a documentation has headings, code, and paragraphs. */
const MAX_HEADINGS = 2;
const LONG_TEXT_WORDS = 20;
/** A page that lists so many errors is about them. */
const MANY_ERRORS = 3;

export const errorPage: ProblemRule = {
  code: "ERROR_PAGE",
  find(page) {
    const { observed, status } = page;
    const main = mainTexts(page);
    const prominent = prominentTexts(main);
    const serverPage = [observed.title, ...main.slice(0, 12).map(({ text }) => text)].find(
      (text) => SERVER_PAGES.test(text) || (TERSE_PAGES.test(text) && observed.mainWords <= MAX_TERSE_WORDS),
    );
    const isError = status !== undefined && status >= 400;
    if (observed.mainWords > MAX_WORDS && !serverPage && !isError) return undefined;
    const said = strongest(prominent);
    const inBody = strongest(main.filter((text) => text.words <= 45 && text !== said?.text));
    const isOnlyNamed = prominent.some(({ text }) => isNameOfError(text));
    const saidScore = said ? (said.strength === 1 || !isHeadline(said.text, main) ? 3 : 4) : isOnlyNamed ? 3 : 0;
    const inTitle = saysFailure(observed.title);
    const number = prominent.find(
      ({ text, words }) => words <= 8 && (ERROR_NUMBER.test(text) || ERROR_NUMBER_ANYWHERE.test(text)),
    );
    const isNumberInText = main.some(({ text, words }) => words <= 45 && ERROR_NUMBER_ANYWHERE.test(text));
    const isNumberInTitle = ERROR_NUMBER_ANYWHERE.test(observed.title) || ERROR_NUMBER.test(observed.title);
    const isSorry = prominent.some(({ text }) => hasPhrase(apology, text));
    const hasWayBack = observed.controls.some(
      ({ label, isEdge }) => !isEdge && label.length < 40 && hasPhrase(wayBack, label),
    );
    const signs = technicalSigns(page, main, prominent);
    const isEvident = serverPage || said || isOnlyNamed || inBody || inTitle > 0 || isError || signs > 0;
    if (!isEvident && !(number && (isSorry || hasWayBack || observed.mainWords <= 15))) return undefined;
    const score =
      (serverPage ? 10 : 0) +
      saidScore +
      (inBody ? inBody.strength : 0) +
      inTitle +
      (number ? 2 : isNumberInText ? 1 : 0) +
      (isNumberInTitle ? 1 : 0) +
      (isSorry ? 1 : 0) +
      (hasWayBack ? 1 : 0) +
      (isError ? 5 : 0) +
      signs +
      wordScore(observed.mainWords) -
      (serverPage ? 0 : articleScore(page, main));
    if (score < MIN_SCORE) return undefined;
    const shown = said?.text ?? number ?? inBody?.text ?? main[0];
    const text = (shown?.text ?? serverPage ?? observed.title).slice(0, 200);
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

function strongest(texts: readonly ObservedText[]): { text: ObservedText; strength: 1 | 2 } | undefined {
  let found: { text: ObservedText; strength: 1 | 2 } | undefined;
  for (const text of texts) {
    const strength = saysFailure(text.text);
    if (strength === 2) return { text, strength };
    if (strength === 1) found ??= { text, strength };
  }
  return found;
}

/** True for a heading, and for a text that none is larger than: a paragraph can be about errors. */
function isHeadline({ isHeading, fontSize }: ObservedText, main: readonly ObservedText[]): boolean {
  return isHeading || main.every((other) => other.fontSize <= fontSize);
}

/** True for the name of an error that stands alone, such as "Fehler!" or "Error 500". */
function isNameOfError(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}’'-]+/gu) ?? [];
  return words.filter((word) => !hasPhrase(apology, word)).length === 1 && hasPhrase(errorWord, text);
}

/** How clearly a text says so. What is quoted is not said by the page. */
function saysFailure(text: string): PhraseStrength {
  const own = withoutQuotes(text);
  return Math.max(...[failure, unavailable, parked].map((phrases) => phraseStrength(phrases, own))) as PhraseStrength;
}

/** The closing quotation marks of each opening one. */
const QUOTES: Readonly<Record<string, string>> = { "„": "“”", "“": "”", "«": "»", '"': '"', "「": "」", "『": "』" };

function withoutQuotes(text: string): string {
  let own = "";
  let closing = "";
  let quoted = "";
  for (const character of text) {
    if (closing === "") {
      closing = QUOTES[character] ?? "";
      if (closing === "") own += character;
    } else if (closing.includes(character)) {
      own += " … ";
      [closing, quoted] = ["", ""];
    } else quoted += character;
  }
  return own + quoted;
}

/** Signs of error pages that are the same in all languages. */
function technicalSigns(
  { observed }: JudgedPage,
  main: readonly ObservedText[],
  prominent: readonly ObservedText[],
): number {
  if (observed.mainWords > 110) return 0;
  const text = main.map((each) => each.text).join("\n");
  const browsers = new Set(text.match(BROWSERS)?.map((name) => name.toLowerCase()));
  const isForSale = prominent.some((each) => each.words <= 10 && HOST.test(each.text)) && DOMAIN.test(text);
  return (
    (INCIDENT.test(text) || REFERENCE.test(text) ? 2 : 0) +
    (browsers.size >= 3 ? 4 : browsers.size === 2 ? 3 : 0) +
    (observed.mainWords <= 60 && prominent.some((each) => /java ?script/i.test(each.text)) ? 3 : 0) +
    (isForSale ? 4 : 0)
  );
}

/** How much the page looks like an article, a documentation, or a form. */
function articleScore({ observed }: JudgedPage, main: readonly ObservedText[]): number {
  const headings = main.filter(({ isHeading, words }) => isHeading && words > 0).length;
  const long = main.filter(({ words }) => words >= LONG_TEXT_WORDS).length;
  const numbers = new Set(main.flatMap(({ text }) => text.match(/\b(?:4(?:0[0-5]|10|18|29|51)|50[0-4])\b/g) ?? []));
  const errors = main.filter(({ text, words }) => words <= 12 && saysFailure(text) === 2).length;
  return (
    2 * Math.max(0, headings - MAX_HEADINGS) +
    (long >= 3 ? 2 : 0) +
    (main.some(({ isCode, words }) => isCode && words > 3) ? 3 : 0) +
    (numbers.size >= MANY_ERRORS ? 5 : 0) +
    (errors > MANY_ERRORS ? 3 : 0) +
    (observed.mainMedia > 8 ? 2 : 0) +
    (observed.fields.some(({ isEdge, isPassword }) => isPassword && !isEdge) ? 4 : 0) +
    (observed.fields.filter(({ isEdge }) => !isEdge).length > 2 ? 2 : 0)
  );
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
