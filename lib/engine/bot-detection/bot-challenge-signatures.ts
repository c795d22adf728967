// What the pages of bot walls are known by: pure data, a line of it for each thing that only a wall's own page has.

/** One of each kind is enough; all but headers count only on a page that has hardly any other text. */
export interface BotChallengeSignature {
  /** As it is told. */
  readonly name: string;
  /** Headers, in lower case, that come with nothing but the wall. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** Elements, as a CSS selector. */
  readonly marks?: string;
  /** In the addresses of its scripts, frames and forms, and in what its own scripts begin with. */
  readonly loads?: RegExp;
  /** In its title and text. Pages about walls say it, too, so it counts where the status or the brevity agree. */
  readonly says?: RegExp;
}

/**
 * Walls that stand before pages. What they also put into pages that they let through must not be here: the scripts that
 * watch visitors, such as Cloudflare's `jsd/main.js`, DataDome's `tags.js` and Imperva's `SWJIYLWA`.
 */
export const botChallengeSignatures: readonly BotChallengeSignature[] = [
  {
    name: "Cloudflare",
    headers: { "cf-mitigated": /^challenge/i },
    marks: 'form#challenge-form[action*="__cf_chl"], #cf-challenge-running',
    loads: /_cf_chl_opt|\/cdn-cgi\/challenge-platform\/\S*orchestrate\//,
    // Refusals by rule or by rate; the other errors that begin with 1 are those of the site behind it.
    says: /Sorry, you have been blocked.*Cloudflare|\berror( code:)? 10(0[5-9]|10|12|15|20)\b/is,
  },
  {
    name: "Akamai",
    marks: "#sec-if-cpt-container, #sec-cpt-if",
    loads: /\/_sec\/cp_challenge\//,
    says: /You don't have permission to access .*Reference\s*#\s*\d+\.[0-9a-f]+\.\d+/is,
  },
  {
    name: "HUMAN (PerimeterX)",
    marks: "#px-captcha, #px-captcha-wrapper",
    loads: /captcha\.px-(cdn|cloud)\.net/,
    says: /Press & Hold to confirm you are|Access to this page has been denied because we believe/i,
  },
  { name: "DataDome", headers: { "x-dd-b": /^[12]$/ }, loads: /captcha-delivery\.com/ },
  {
    name: "Imperva",
    loads: /_Incapsula_Resource\?\S*(CWUDNSAI|incident_id)/,
    says: /Incapsula incident ID|Pardon Our Interruption/i,
  },
  {
    name: "AWS WAF",
    headers: { "x-amzn-waf-action": /^(challenge|captcha)/i },
    loads: /\.awswaf\.com\/\S*(challenge|captcha)(\.compact)?\.js|\bgokuProps\b/,
  },
  {
    name: "Kasada",
    loads: /\bKPSDK\.(now|start|scriptStart)\s*=|\/149e9513-01fa-4fb0-aad4-566afd725d1b\/\S*\/ips\.js/,
  },
  { name: "Sucuri", loads: /sucuri_cloudproxy/, says: /Sucuri Web\s?Site Firewall/i },
  {
    name: "Google",
    marks: 'form#captcha-form, form[action^="/sorry/"]',
    says: /unusual traffic from your computer network/i,
  },
  { name: "Fastly", loads: /\/_fs-ch-/ },
  {
    name: "Vercel",
    headers: { "x-vercel-mitigated": /^(challenge|deny)/i },
    loads: /\.well-known\/vercel\/security\//,
    says: /^Vercel Security Checkpoint/,
  },
  { name: "DDoS-Guard", loads: /\.well-known\/ddos-guard\/|check\.ddos-guard\.net/, says: /^DDoS-Guard$/m },
  { name: "StackPath", loads: /\/sbbi\/\?sbbpg=/, says: /\bStackPath\b.*Reference ID/is },
  {
    name: "F5",
    loads: /\/TSPD\/\S*\?type=/,
    says: /The requested URL was rejected\. Please consult with your administrator|Your support ID is:? *<?\d{6}/i,
  },
  { name: "Radware", loads: /validate\.perfdrive\.com|\bshieldsquare\b/i, says: /Radware (Captcha|Bot Manager)/i },
  { name: "Wordfence", says: /Your access to this site has been limited by the site owner/i },
  { name: "Anubis", marks: "#anubis_challenge", loads: /\.within\.website\/x\/cmd\/anubis\// },
  { name: "Imunify360", says: /protect(ion|ed) by Imunify360/i },
  { name: "Azure WAF", says: /The request is blocked\..*\b\d{8}T\d{6}Z-[0-9a-z]+|Azure WAF/is },
  { name: "Amazon", marks: 'form[action*="/errors/validateCaptcha"]' },
  { name: "Alibaba", loads: /\bx5secdata\b|_____tmd_____\/punish/ },
  { name: "Yandex", marks: 'form[action^="/checkcaptcha"]' },
  { name: "Qrator", loads: /\/__qrator\// },
  { name: "SiteGround", loads: /\.well-known\/(sg)?captcha\// },
  { name: "Reddit", says: /You've been blocked by network security/i },
];

/** Puzzles that are also part of ordinary forms: alone on a page that speaks of robots they are a wall. */
export const captchaSelectors: readonly { readonly name: string; readonly selector: string }[] = [
  { name: "hCaptcha", selector: '.h-captcha:not([data-size=invisible]), iframe[src*="hcaptcha.com/captcha"]' },
  {
    name: "reCAPTCHA",
    selector: '.g-recaptcha:not([data-size=invisible]), iframe[src*="/recaptcha/"]:not([src*="size=invisible"])',
  },
  { name: "Turnstile", selector: '.cf-turnstile, iframe[src*="challenges.cloudflare.com"]' },
  { name: "Arkose Labs", selector: 'iframe[src*="arkoselabs.com"], iframe[src*="funcaptcha.com"]' },
  { name: "GeeTest", selector: ".geetest_holder, .geetest_box, .geetest_captcha" },
  { name: "Friendly Captcha", selector: ".frc-captcha" },
];

/** How walls with such a puzzle speak. */
export const captchaWords =
  /\b(ro)?bots?\b|\bhuman(ity)?\b|unusual (traffic|activity)|automated (requests|access|traffic)|security (check|verification)|captcha|roboter|menschen|humain|humano|robô|umano|робот|человек|机器人|人机|ロボット|로봇/i;
