// Selects autoconsent's rules for a document, and reads the names and selectors of their banners.
import type { ConsentRule, ConsentStep } from "../adblock/autoconsent-files.ts";

export interface DocumentKind {
  readonly url: string;
  readonly isTop: boolean;
}

/** The rules that apply to a document. */
export function rulesFor(rules: readonly ConsentRule[], { url, isTop }: DocumentKind): ConsentRule[] {
  return rules.filter(({ runContext: { main = true, frame = false, urlPattern } = {} }) => {
    return (isTop ? main : frame) && (!urlPattern || new RegExp(urlPattern).test(url));
  });
}

/** True for a frame that has rules of its own, by its URL. */
export function concernsFrame(rules: readonly ConsentRule[], url: string): boolean {
  if (!/^https?:/.test(url)) return false;
  return FRAMES.test(url) || rulesFor(rules, { url, isTop: false }).some(({ runContext }) => runContext?.urlPattern);
}

/** Documents of Sourcepoint, by parameters or host, and of Piano. Most other frames are ads. */
const FRAMES =
  /[?&](message_id|requestUUID|consentUUID)=|^https?:\/\/ccpa-(notice|pm)\.sp-prod\.net|^https?:\/\/[^/]*\.(piano\.io|tinypass\.com)[:/]/;

export interface BannerParts {
  /** The banner is visible as long as one of these is. A list leads through shadow roots. */
  readonly banner: readonly (string | string[])[];
  /** Elements that appear with it, such as a backdrop. */
  readonly around: readonly string[];
}

/** The selectors of a banner; empty when its rule has none. */
export function bannerParts(rules: readonly ConsentRule[], name: string): BannerParts {
  const rule = rules.find((each) => each.name === name);
  if (!rule) return builtIn[name] ?? { banner: [], around: [] };
  const banner = rule.detectPopup.flatMap(visibleSelectors);
  const around = rule.prehideSelectors ?? [];
  return { banner: banner.length > 0 ? banner : around, around };
}

/** The selectors that a step expects to be visible. */
function visibleSelectors(step: ConsentStep): (string | string[])[] {
  if (step.negated || step.check === "none") return [];
  const within = [...(step.any ?? []), ...(step.then ?? []), ...(step.else ?? [])].flatMap(visibleSelectors);
  return [step.visible, step.waitForVisible, ...within].filter((selector) => selector !== undefined);
}

/** The platforms that the content script implements in code, without a rule. */
const builtIn: Readonly<Record<string, BannerParts>> = {
  "TrustArc-top": {
    banner: ["#truste-consent-content, #trustarc-banner-overlay, #truste-consent-track"],
    around: [".truste_popframe, .truste_overlay, .truste_box_overlay"],
  },
  Cybotcookiebot: { banner: ["#CybotCookiebotDialog"], around: ["#CybotCookiebotDialogBodyUnderlay"] },
  "consentmanager.net": { banner: ["#cmpbox"], around: ["#cmpbox2"] },
  Evidon: { banner: ["#_evidon_banner"], around: ["#_evidon-background, #evidon-prefdiag-overlay"] },
  Onetrust: { banner: ["#onetrust-banner-sdk, #onetrust-pc-sdk"], around: [".onetrust-pc-dark-filter"] },
  Klaro: { banner: [".klaro > .cookie-notice, .klaro > .cookie-modal"], around: [] },
  Uniconsent: { banner: [".unic .unic-box, .unic .unic-bar, .unic .unic-modal"], around: [".modal:has(.unic)"] },
  Conversant: { banner: [".cmp-root .cmp-receptacle"], around: [] },
};

/** The platform's own name; for a rule of one site, the name of the site. */
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
  // These rules are named after a product that uses the library, but match the markup of the library itself: Cookie
  // Consent by Osano (https://github.com/osano/cookieconsent), formerly by Insites and Silktide.
  "Complianz categories": "Osano Cookie Consent",
  "Complianz notice": "Osano Cookie Consent",
  "Complianz opt-out": "Osano Cookie Consent",
  "Complianz optin": "Osano Cookie Consent",
  cc_banner: "Osano Cookie Consent",
  // Named after the site builder that Finsweet's components are for.
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
