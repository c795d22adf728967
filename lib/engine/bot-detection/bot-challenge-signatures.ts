// Signatures of bot challenges: data that only the page of a challenge has.

/** Any one of them identifies the challenge; all but headers only on a page with little text. */
export interface BotChallengeSignature {
  /** The vendor's name, for warnings and errors. */
  readonly name: string;
  /** Response headers, in lower case, that only the challenge has. */
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** CSS selector of elements. */
  readonly selector?: string;
  /** In the URLs of scripts, frames and forms, and at the beginning of inline scripts. */
  readonly loads?: RegExp;
  /** In the title and text. Articles about challenges have it too, so it counts only with a matching status or length. */
  readonly text?: RegExp;
}

/**
 * Must not include scripts that vendors also put into pages they let through, such as Cloudflare's `jsd/main.js`,
 * DataDome's `tags.js` and Imperva's `SWJIYLWA`.
 */
export const botChallengeSignatures: readonly BotChallengeSignature[] = [
  {
    name: "Cloudflare",
    headers: { "cf-mitigated": /^challenge/i },
    selector: 'form#challenge-form[action*="__cf_chl"], #cf-challenge-running',
    loads: /_cf_chl_opt|\/cdn-cgi\/challenge-platform\/\S*orchestrate\//,
    // Blocked by rule or rate limit; other errors from 1000 on are those of the origin server.
    text: /Sorry, you have been blocked.*Cloudflare|\berror( code:)? 10(0[5-9]|10|12|15|20)\b/is,
  },
  {
    name: "Akamai",
    selector: "#sec-if-cpt-container, #sec-cpt-if",
    loads: /\/_sec\/cp_challenge\//,
    text: /You don't have permission to access .*Reference\s*#\s*\d+\.[0-9a-f]+\.\d+/is,
  },
  {
    name: "HUMAN (PerimeterX)",
    selector: "#px-captcha, #px-captcha-wrapper",
    loads: /captcha\.px-(cdn|cloud)\.net/,
    text: /Press & Hold to confirm you are|Access to this page has been denied because we believe/i,
  },
  { name: "DataDome", headers: { "x-dd-b": /^[12]$/ }, loads: /captcha-delivery\.com/ },
  {
    name: "Imperva",
    loads: /_Incapsula_Resource\?\S*(CWUDNSAI|incident_id)/,
    text: /Incapsula incident ID|Pardon Our Interruption/i,
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
  { name: "Sucuri", loads: /sucuri_cloudproxy/, text: /Sucuri Web\s?Site Firewall/i },
  {
    name: "Google",
    selector: 'form#captcha-form, form[action^="/sorry/"]',
    text: /unusual traffic from your computer network/i,
  },
  { name: "Fastly", loads: /\/_fs-ch-/ },
  {
    name: "Vercel",
    headers: { "x-vercel-mitigated": /^(challenge|deny)/i },
    loads: /\.well-known\/vercel\/security\//,
    text: /^Vercel Security Checkpoint/,
  },
  { name: "DDoS-Guard", loads: /\.well-known\/ddos-guard\/|check\.ddos-guard\.net/, text: /^DDoS-Guard$/m },
  { name: "StackPath", loads: /\/sbbi\/\?sbbpg=/, text: /\bStackPath\b.*Reference ID/is },
  {
    name: "F5",
    loads: /\/TSPD\/\S*\?type=/,
    text: /The requested URL was rejected\. Please consult with your administrator|Your support ID is:? *<?\d{6}/i,
  },
  { name: "Radware", loads: /validate\.perfdrive\.com|\bshieldsquare\b/i, text: /Radware (Captcha|Bot Manager)/i },
  { name: "Wordfence", text: /Your access to this site has been limited by the site owner/i },
  { name: "Anubis", selector: "#anubis_challenge", loads: /\.within\.website\/x\/cmd\/anubis\// },
  { name: "Imunify360", text: /protect(ion|ed) by Imunify360/i },
  { name: "Azure WAF", text: /The request is blocked\..*\b\d{8}T\d{6}Z-[0-9a-z]+|Azure WAF/is },
  { name: "Amazon", selector: 'form[action*="/errors/validateCaptcha"]' },
  { name: "Alibaba", loads: /\bx5secdata\b|_____tmd_____\/punish/ },
  { name: "Yandex", selector: 'form[action^="/checkcaptcha"]' },
  { name: "Qrator", loads: /\/__qrator\// },
  { name: "SiteGround", loads: /\.well-known\/(sg)?captcha\// },
  { name: "Reddit", text: /You've been blocked by network security/i },
];

/** CAPTCHAs, which ordinary forms have too: on a page without fields that has words of `captchaWords`, a challenge. */
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

/** Words of challenges with a CAPTCHA. */
export const captchaWords =
  /\b(ro)?bots?\b|\bhuman(ity)?\b|unusual (traffic|activity)|automated (requests|access|traffic)|security (check|verification)|captcha|roboter|menschen|humain|humano|robô|umano|робот|человек|机器人|人机|ロボット|로봇/i;
