// LOGIN_WALL: the page asks to sign in, to sign up or to subscribe, in place of its content.

import { hasPhrase } from "../phrase-search.ts";
import { paywall, signInPhrases } from "../phrases.ts";
import { type JudgedPage, type ProblemRule, quoted, rectangle } from "../problem-rule.ts";
import { mainTexts, prominentTexts } from "./error-page.ts";

const MIN_SCORE = 5;

/** A sign-in page has little else to read. */
const WORD_SCORES: readonly (readonly [words: number, score: number])[] = [
  [70, 1],
  [120, 0],
  [170, -2],
  [300, -4],
];
const MANY_WORDS_SCORE = -7;
/** A page with so few words has nothing but its form. */
const ONLY_FORM_WORDS = 40;
/** A longer text is about something else, too. */
const MAX_HEADING_WORDS = 14;
/** A sign-in page has a heading, and maybe one next to its form. */
const MAX_HEADINGS = 4;

const PROVIDERS =
  /\b(?:google|apple|facebook|microsoft|github|gitlab|twitter|linkedin|okta|sso|saml|amazon|slack|discord|passkey|eid|itsme|digid|spid|cie|mitid|nemid|smart-id|mobile-id|gesundheitskarte|ausweis|line|yahoo|vk|kakao|naver|wechat|weibo|franceconnect|bankid|azure|auth0|openid)\b|シングルサインオン|パスキー/i;
const ACCOUNT_FIELD =
  /user|login|e-?mail|phone|tel|mobile|account|konto|benutzer|usuario|usuário|utilisateur|identifiant|correo|メール|ユーザー|電話|邮箱|手机|用户名|почта|телефон|логин/;
const SEARCH_FIELD = /search|suche|recherche|buscar|pesquis|検索|搜索|поиск|newsletter/;
const CODE_FIELD = /one-time-code|otp|passcode|verification|code/;
const MEMBER =
  /\b(?:already (?:a |have )?(?:subscri|member|an account|registered)|have an account|bereits (?:abonn|mitglied|registriert|ein konto)|noch kein konto|déjà (?:abonn|membre|inscrit|un compte)|ya (?:eres|es|tienes|tiene|estás|está)|já (?:é|tem|tenho|sou)|don['’]?t have an account|no account|new (?:here|to )|not a member)|アカウントをお持ち|すでに会員|已有(?:账|帐)/i;

export const loginWall: ProblemRule = {
  code: "LOGIN_WALL",
  find(page) {
    const { observed } = page;
    const wall = paywallText(page);
    const score = wall ? paywallScore(page, wall.text) : signInScore(page);
    if (score < MIN_SCORE) return undefined;
    const form =
      observed.fields.find(({ isPassword, isEdge }) => isPassword && !isEdge) ??
      observed.fields.find(({ isEdge }) => !isEdge);
    const heading = wall ?? signInText(page);
    const shown = heading ?? form;
    const what = wall ? "asks to subscribe or to sign in to read its content" : "is a sign-in page";
    return {
      message: `The page ${what}${heading ? `: it says ${quoted(heading.text)}` : ""}. Send the cookies of a visitor who has signed in with 'cookies', or 'authorization'.`,
      evidence: {
        ...(heading && { text: heading.text.slice(0, 200) }),
        ...(shown && { selector: form?.selector ?? shown.selector, rectangle: rectangle(shown.area) }),
      },
    };
  },
};

function wordScore(words: number): number {
  return WORD_SCORES.find(([most]) => words <= most)?.[1] ?? MANY_WORDS_SCORE;
}

/** The text, outside of navigation, that says for whom the content is. */
function paywallText({ observed }: JudgedPage) {
  return observed.texts.find(
    ({ text, words, isEdge, isControl }) => !isEdge && !isControl && words <= 60 && hasPhrase(paywall, text),
  );
}

function signInText(page: JudgedPage) {
  const texts = page.observed.texts.filter(({ isEdge, isControl }) => !isEdge && !isControl);
  return prominentTexts(texts).find(({ text, words }) => words <= MAX_HEADING_WORDS && hasPhrase(signInPhrases, text));
}

function paywallScore(page: JudgedPage, wall: string): number {
  const { observed } = page;
  const layer = observed.layers.find(({ text, share }) => share > 0.15 && hasPhrase(paywall, text));
  const labels = [
    ...observed.controls.filter(({ isEdge }) => !isEdge).map(({ label }) => label),
    ...observed.texts.filter(({ isEdge, words }) => !isEdge && words <= 5).map(({ text }) => text),
  ];
  const asks = labels.some(
    (label) => hasPhrase(signInPhrases, label) || /subscri|abonn|abo\b|suscri|assin|会員|購読|订阅|подпис/i.test(label),
  );
  const isMember = [...observed.texts.map(({ text }) => text), ...labels].some((text) => MEMBER.test(text));
  const isFirm = observed.hasFadedText || layer !== undefined || asks || isMember;
  if (!isFirm) return 0;
  return (
    2 +
    (hasPhrase(signInPhrases, wall) ||
    /subscri|abonn|abo\b|suscri|assin|account|member|mitglied|membre|log|会員|登録|購読|订阅|会员|подпис/i.test(wall)
      ? 1
      : 0) +
    (observed.hasFadedText ? 2 : 0) +
    (layer ? 2 : 0) +
    (asks ? 1 : 0) +
    (isMember ? 1 : 0) +
    (observed.fields.some(({ isPassword }) => isPassword) ? 1 : 0) +
    (observed.mainWords <= 160 ? 1 : observed.mainWords <= 400 ? 0 : -3)
  );
}

function signInScore(page: JudgedPage): number {
  const { observed } = page;
  const fields = observed.fields.filter(({ isEdge, words }) => !isEdge && !SEARCH_FIELD.test(words));
  const hasPassword = fields.some(({ isPassword }) => isPassword);
  const hasAccount = fields.some(({ words }) => ACCOUNT_FIELD.test(words));
  const hasCode = fields.some(({ words }) => CODE_FIELD.test(words));
  const controls = observed.controls.filter(({ isEdge }) => !isEdge);
  const labels = new Set([
    ...controls.map(({ label }) => label),
    ...mainTexts(page)
      .filter(({ words }) => words <= 7)
      .map(({ text }) => text),
  ]);
  const providers = [...labels].filter((label) => label.length < 50 && PROVIDERS.test(label)).length;
  const submits = controls.some(({ label, isLink }) => !isLink && label.length < 40 && hasPhrase(signInPhrases, label));
  const says = signInText(page) !== undefined || hasPhrase(signInPhrases, observed.title);
  const asksInstitution = says && fields.length <= 2 && controls.length > 0;
  if (!hasPassword && !hasAccount && !hasCode && providers === 0 && !asksInstitution) return 0;
  const isOnlyForm = fields.length === 1 || (fields.length === 2 && submits);
  const inBody = mainTexts(page).some(({ text, words }) => words <= 25 && hasPhrase(signInPhrases, text));
  const layerWords = observed.layers.find(({ fields, share }) => fields > 0 && share > 0.2)?.coveredWords ?? 0;
  return (
    (hasPassword ? 3 : 0) +
    (hasAccount && !hasPassword && (says || providers > 0) ? 1 : 0) +
    (hasCode && !hasPassword ? 1 : 0) +
    (asksInstitution && !hasPassword && !hasAccount && providers === 0 ? 1 : 0) +
    Math.min(4, providers === 1 ? 2 : providers) +
    (says ? 3 : inBody ? 1 : 0) +
    (submits ? 1 : 0) +
    (hasPassword && isOnlyForm && observed.mainWords <= ONLY_FORM_WORDS ? 1 : 0) +
    wordScore(observed.mainWords - layerWords) -
    (fields.length > 6 ? 3 : 0) -
    documentationScore(page)
  );
}

/** How much the page looks as if it were about forms. */
function documentationScore(page: JudgedPage): number {
  const main = mainTexts(page);
  const headings = main.filter(({ isHeading, words }) => isHeading && words > 0).length;
  return (main.some(({ isCode, words }) => isCode && words > 2) ? 4 : 0) + Math.max(0, headings - MAX_HEADINGS);
}
