// Which of autoconsent's rules concern a document, and what they are called and look at. Pure.
import type { ConsentRule, ConsentStep } from "./autoconsent-files.ts";

export interface DocumentKind {
  readonly url: string;
  readonly isTop: boolean;
}

/** The rules a document is to be held against. */
export function rulesFor(rules: readonly ConsentRule[], { url, isTop }: DocumentKind): ConsentRule[] {
  return rules.filter(({ runContext: { main = true, frame = false, urlPattern } = {} }) => {
    return (isTop ? main : frame) && (!urlPattern || new RegExp(urlPattern).test(url));
  });
}

/** Frames that have a rule of their own, known by their address. */
export function concernsFrame(rules: readonly ConsentRule[], url: string): boolean {
  if (!/^https?:/.test(url)) return false;
  return FRAMES.test(url) || rulesFor(rules, { url, isTop: false }).some(({ runContext }) => runContext?.urlPattern);
}

/** Sourcepoint's documents, known by their parameters or host, and Piano's. Frames with neither are mostly ads. */
const FRAMES =
  /[?&](message_id|requestUUID|consentUUID)=|^https?:\/\/ccpa-(notice|pm)\.sp-prod\.net|^https?:\/\/[^/]*\.(piano\.io|tinypass\.com)[:/]/;

export interface BannerParts {
  /** As long as one of these is to be seen, the banner is. A list leads through shadow roots. */
  readonly box: readonly (string | string[])[];
  /** What comes and goes with it, such as a veil over the page. */
  readonly around: readonly string[];
}

/** What a banner consists of; nothing where its rule does not say. */
export function bannerParts(rules: readonly ConsentRule[], name: string): BannerParts {
  const rule = rules.find((each) => each.name === name);
  if (!rule) return builtIn[name] ?? { box: [], around: [] };
  const box = rule.detectPopup.flatMap(lookedAt);
  const around = rule.prehideSelectors ?? [];
  return { box: box.length > 0 ? box : around, around };
}

/** What a step wants to see. */
function lookedAt(step: ConsentStep): (string | string[])[] {
  if (step.negated || step.check === "none") return [];
  const within = [...(step.any ?? []), ...(step.then ?? []), ...(step.else ?? [])].flatMap(lookedAt);
  return [step.visible, step.waitForVisible, ...within].filter((selector) => selector !== undefined);
}

/** Of the platforms that the script knows by code and not by a rule. */
const builtIn: Readonly<Record<string, BannerParts>> = {
  "TrustArc-top": {
    box: ["#truste-consent-content, #trustarc-banner-overlay, #truste-consent-track"],
    around: [".truste_popframe, .truste_overlay, .truste_box_overlay"],
  },
  Cybotcookiebot: { box: ["#CybotCookiebotDialog"], around: ["#CybotCookiebotDialogBodyUnderlay"] },
  "consentmanager.net": { box: ["#cmpbox"], around: ["#cmpbox2"] },
  Evidon: { box: ["#_evidon_banner"], around: ["#_evidon-background, #evidon-prefdiag-overlay"] },
  Onetrust: { box: ["#onetrust-banner-sdk, #onetrust-pc-sdk"], around: [".onetrust-pc-dark-filter"] },
  Klaro: { box: [".klaro > .cookie-notice, .klaro > .cookie-modal"], around: [] },
  Uniconsent: { box: [".unic .unic-box, .unic .unic-bar, .unic .unic-modal"], around: [".modal:has(.unic)"] },
  Conversant: { box: [".cmp-root .cmp-receptacle"], around: [] },
};

/** A platform as it calls itself; for a banner that one site has made, the name of the site. */
export function platformName(rule: string): string {
  const site = /^auto_[A-Z]{2}_(.+?)_[^_]+(?:_\+\d+)?$/.exec(rule)?.[1];
  return site ?? properNames[rule] ?? rule;
}

const properNames: Readonly<Record<string, string>> = {
  "TrustArc-top": "TrustArc",
  "TrustArc-newcm": "TrustArc",
  Cybotcookiebot: "Cookiebot",
  "Sourcepoint-frame": "Sourcepoint",
  "consentmanager.net": "Consentmanager",
  "consentmanager-ncmp": "Consentmanager",
  Onetrust: "OneTrust",
  didomi: "Didomi",
  quantcast: "Quantcast",
  inmobi: "InMobi",
  "usercentrics-api": "Usercentrics",
  "usercentrics-button": "Usercentrics",
  cookieyes: "CookieYes",
  "cookie-law-info": "CookieYes",
  "Complianz banner": "Complianz",
  // These rules are named after a product that has used the library: what they detect is the markup of the library
  // itself, Cookie Consent by Osano (https://github.com/osano/cookieconsent), before by Insites and Silktide.
  "Complianz categories": "Osano Cookie Consent",
  "Complianz notice": "Osano Cookie Consent",
  "Complianz opt-out": "Osano Cookie Consent",
  "Complianz optin": "Osano Cookie Consent",
  cc_banner: "Osano Cookie Consent",
  // Named after the builder of sites for which Finsweet makes its components.
  webflow: "Finsweet",
  finsweet: "Finsweet",
  termsfeed: "TermsFeed",
  termsfeed3: "TermsFeed",
  om: "OM Cookie Manager",
  osano: "Osano",
  "civic-cookie-control": "Civic",
  borlabs: "Borlabs",
  "hu-manity": "Cookie Notice",
  "tarteaucitron deny": "tarteaucitron",
  "tarteaucitron.js": "tarteaucitron",
  axeptio: "Axeptio",
  "cookiefirst.com": "CookieFirst",
  ketch: "Ketch",
  shopify: "Shopify",
  "funding-choices": "Google Funding Choices",
  "Cookie Information Banner": "Cookie Information",
  "real-cookie-banner": "Real Cookie Banner",
  "cookie-script": "CookieScript",
  "eu-cookie-compliance-banner": "EU Cookie Compliance",
  hubspot: "HubSpot",
  "piano.io": "Piano",
  "google-consent-standalone": "Google",
  "jetpack-eu-cookie-law": "Jetpack",
  pandectes: "Pandectes",
  wix: "Wix",
  "squarespace-cookie-banner": "Squarespace",
  cookieconsent3: "CookieConsent",
  cookieconsent2: "CookieConsent",
};
