// Bot challenge pages as vendors build them, shortened, and pages that only resemble them.
import type { ServerResponse } from "node:http";
import { BOX, GREEN } from "../site-pages.ts";
import { box, css, document, type Pages, script } from "./page.ts";

export interface Wall {
  /** As it is told. */
  readonly name: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly html: string;
  /** True for a refusal that has nothing on it to let a visitor through. */
  readonly isFinal?: boolean;
}

const page = (title: string, body: string) => `<!doctype html><html><head><title>${title}</title></head>${body}</html>`;

/** A page whose script looks at the browser. */
const checking = (title: string, body: string) => page(title, body.replace("</body>", `${script("void 0")}</body>`));

/** By the vendor, and what it shows. */
export const walls: Readonly<Record<string, Wall>> = {
  "cloudflare-challenge": {
    name: "Cloudflare",
    status: 403,
    headers: { "cf-mitigated": "challenge", server: "cloudflare" },
    html: checking("Just a moment...", "<body><div class=main-content><h1>site.test</h1></div></body>"),
  },
  "cloudflare-challenge-without-header": {
    name: "Cloudflare",
    status: 503,
    html: page(
      "Un momento…",
      `<body><div class=main-content><noscript>Enable JavaScript and cookies to continue</noscript></div>
      ${script("(function(){window._cf_chl_opt = {cvId: '3', cType: 'managed', cRay: 'a1'};}());")}</body>`,
    ),
  },
  "cloudflare-refusal": {
    name: "Cloudflare",
    status: 403,
    isFinal: true,
    html: page(
      "Attention Required! | Cloudflare",
      `<body><div id=cf-wrapper><h1>Sorry, you have been blocked</h1><h2>You are unable to access site.test</h2>
      <p>Why have I been blocked? This website uses a service against attacks. What you did set it off.</p>
      <p>Cloudflare Ray ID: 8d1f2a3b4c5d6e7f</p></div></body>`,
    ),
  },
  "cloudflare-rule": {
    name: "Cloudflare",
    status: 403,
    isFinal: true,
    headers: { "content-type": "text/plain; charset=UTF-8" },
    html: "error code: 1020",
  },
  "akamai-refusal": {
    name: "Akamai",
    status: 403,
    isFinal: true,
    html: page(
      "Access Denied",
      `<body><h1>Access Denied</h1>You don't have permission to access "http&#58;&#47;&#47;site&#46;test&#47;" on this
      server.<p>Reference&#32;&#35;18&#46;2d351ab8&#46;1557333295&#46;a4e16ab<p>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net</body>`,
    ),
  },
  "akamai-challenge": {
    name: "Akamai",
    status: 200,
    html: checking(
      "Challenge Validation",
      "<body><div id=sec-if-cpt-container><p>Powered and protected by</div></body>",
    ),
  },
  "human-press-and-hold": {
    name: "HUMAN (PerimeterX)",
    status: 403,
    html: checking(
      "Access to this page has been denied",
      `<body><div id=px-captcha></div><p>Press & Hold to confirm you are a human (and not a bot).</p>
      <p>Reference ID 0f2d5a80</p></body>`,
    ),
  },
  "datadome-captcha": {
    name: "DataDome",
    status: 403,
    html: page(
      "site.test",
      `<body style="margin:0"><p id=cmsg>Please enable JS and disable any ad blocker</p>
      ${script("var dd={'rt':'c','cid':'AHrlqA','host':'geo.captcha-delivery.com'}")}
      <iframe src="http://geo.captcha-delivery.com/captcha/?cid=AHrlqA" style="width:100vw;height:100vh"></iframe></body>`,
    ),
  },
  "imperva-incident": {
    name: "Imperva",
    status: 200,
    html: page(
      "",
      `<body style="margin:0px;height:100%"><iframe id="main-iframe" width="100%" height="100%"
      src="/_Incapsula_Resource?CWUDNSAI=5&xinfo=1-2&incident_id=3-4">Request unsuccessful. Incapsula incident ID: 3-4</iframe></body>`,
    ),
  },
  "aws-waf-challenge": {
    name: "AWS WAF",
    status: 202,
    headers: { "x-amzn-waf-action": "challenge" },
    html: checking("", "<body><div id=challenge-container></div></body>"),
  },
  "aws-waf-captcha": {
    name: "AWS WAF",
    status: 405,
    html: page(
      "Human Verification",
      `<body>${script('window.gokuProps = {"key": "AQ", "iv": "A6", "context": "z1"};')}<div id=captcha-container></div></body>`,
    ),
  },
  kasada: {
    name: "Kasada",
    status: 429,
    html: page(
      "",
      `<body>${script("window.KPSDK={};KPSDK.now=typeof performance;KPSDK.start=KPSDK.now;")}
      <script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39/ips.js"></script></body>`,
    ),
  },
  sucuri: {
    name: "Sucuri",
    status: 403,
    isFinal: true,
    html: page(
      "Sucuri WebSite Firewall - Access Denied",
      "<body><h1>Access Denied - Sucuri Website Firewall</h1><p>If you are the site owner, contact us.</p></body>",
    ),
  },
  "google-sorry": {
    name: "Google",
    status: 429,
    html: checking(
      "https://www.google.test/search",
      `<body><form id=captcha-form action=index method=post><div class=g-recaptcha></div></form><b>About this page</b>
      Our systems have detected unusual traffic from your computer network.</body>`,
    ),
  },
  "fastly-challenge": {
    name: "Fastly",
    status: 200,
    html: page(
      "Client Challenge",
      `<body><noscript>JavaScript is disabled in your browser.</noscript>
      <script src="/_fs-ch-1T1wmsGaOgGaSxcX/script.js"></script></body>`,
    ),
  },
  "vercel-checkpoint": {
    name: "Vercel",
    status: 429,
    headers: { "x-vercel-mitigated": "challenge" },
    html: checking("Vercel Security Checkpoint", "<body><p id=header-text>We're verifying your browser</p></body>"),
  },
  "ddos-guard": {
    name: "DDoS-Guard",
    status: 403,
    html: page(
      "DDoS-Guard",
      `<body><h1>Checking your browser before accessing site.test</h1>
      <script src="/.well-known/ddos-guard/js-challenge/index.js"></script></body>`,
    ),
  },
  stackpath: {
    name: "StackPath",
    status: 403,
    html: page("Site verification", '<body><iframe src="/sbbi/?sbbpg=sbbShell&gprid=N&sbbgs=1"></iframe></body>'),
  },
  f5: {
    name: "F5",
    status: 200,
    isFinal: true,
    html: page(
      "Request Rejected",
      `<body>The requested URL was rejected. Please consult with your administrator.<br><br>
      Your support ID is: 12345678901234567890<br><br><a href="javascript:history.back();">[Go Back]</a></body>`,
    ),
  },
  anubis: {
    name: "Anubis",
    status: 200,
    html: checking(
      "Making sure you're not a bot!",
      `<body><script id=anubis_challenge type=application/json>{"rules":{}}</script><h1>Making sure you're not a bot!</h1></body>`,
    ),
  },
  wordfence: {
    name: "Wordfence",
    status: 503,
    isFinal: true,
    html: page(
      "Your access to this site has been limited by the site owner",
      "<body><h1>Your access to this site has been limited by the site owner</h1><p>HTTP response code 503</p></body>",
    ),
  },
  "hcaptcha-alone": {
    name: "hCaptcha",
    status: 200,
    html: checking(
      "One more step",
      "<body><h1>Are you a human?</h1><form method=post><div class=h-captcha data-sitekey=a></div><button>Go on</button></form></body>",
    ),
  },
  "recaptcha-alone": {
    name: "reCAPTCHA",
    status: 403,
    html: checking(
      "Zugriff",
      "<body><p>Bitte bestätigen Sie, dass Sie kein Roboter sind.</p><div class=g-recaptcha data-sitekey=a></div></body>",
    ),
  },
};

const prose = "<p>A challenge page says «Just a moment...» and asks for patience while it looks at the browser. </p>";

/** What says or has what walls do, without being one: all with a green box in the place of the red one. */
const noWalls: Readonly<Record<string, string>> = {
  /** As an article, it quotes the pages of many vendors. */
  article: page(
    "Just a moment... what bot walls say",
    `<body><h1>Sorry, you have been blocked</h1><p>Incapsula incident ID: 1-2. Press & Hold to confirm you are a human.
    The requested URL was rejected. Please consult with your administrator. Cloudflare Ray ID: 1.
    Our systems have detected unusual traffic from your computer network.</p>${prose.repeat(20)}</body>`,
  ),
  /** Says its one phrase in a few sentences, as the stub of an article or a question does. */
  question: page(
    "What is an Incapsula incident ID?",
    `<body><h1>What is an Incapsula incident ID?</h1>${prose.repeat(5)}<a href="/">Ask another</a></body>`,
  ),
  "login-with-captcha": page(
    "Sign in",
    `<body><h1>Sign in</h1><p>We want to be sure that you are human.</p><form><input type=email name=email>
    <input type=password name=password><div class=h-captcha data-sitekey=a></div><button>Sign in</button></form></body>`,
  ),
  "invisible-captcha": page(
    "Robots for the garden",
    "<body><h1>Robots for the garden</h1><div class=g-recaptcha data-size=invisible data-sitekey=a></div></body>",
  ),
  /** Let through, the vendors' watching scripts are in the page. */
  watched: page(
    "Shop",
    `<body><h1>Shop</h1><script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3"></script>
    <script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>
    ${script("window._pxAppId='PX1';window.ddjskey='A1';window.__CF$cv$params={r:'8d'}")}</body>`,
  ),
  scant: page("Just a moment...", "<body></body>"),
};

export const noWallPages = Object.keys(noWalls);

const green = `${box.replace("background:red", `background:${css(GREEN)}`)}`;

/** A wall goes away after so long by itself, in milliseconds. */
const PASSING_MS = 700;

function answerWall(answer: ServerResponse, { status, headers, html }: Wall): string | undefined {
  answer.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
  answer.end(html);
  return undefined;
}

export const wallPages: Pages = {
  /** The wall called `vendor`. */
  "/wall": (query, answer) => {
    const wall = walls[query.get("vendor") ?? ""];
    return wall ? answerWall(answer, wall) : undefined;
  },
  /** The page called `page`, which is no wall. */
  "/no-wall": (query) => {
    return noWalls[query.get("page") ?? ""]?.replace("</body>", `${green}</body>`);
  },
  /** The wall called `vendor`, until a script of its own has set a cookie and loads the page anew; that is the green box. */
  "/wall-that-opens": (query, answer) => {
    const wall = walls[query.get("vendor") ?? ""];
    if (!wall || /\bpassed=1/.test(answer.req.headers.cookie ?? "")) return document(green);
    const opening = script(`setTimeout(()=>{document.cookie="passed=1";location.reload()},${PASSING_MS})`);
    return answerWall(answer, { ...wall, html: `${wall.html}${opening}` });
  },
  /** The wall called `vendor` with the status 200, in whose place a script puts the green box. */
  "/wall-that-dissolves": (query, answer) => {
    const wall = walls[query.get("vendor") ?? ""];
    const opening = script(
      `setTimeout(()=>{document.title="";document.documentElement.innerHTML=${JSON.stringify(`<body style="margin:0">${green}`)}},${PASSING_MS})`,
    );
    return wall && answerWall(answer, { ...wall, status: 200, headers: {}, html: `${wall.html}${opening}` });
  },
  /** A page with a link to the wall called `vendor`. */
  "/leads-to-wall": (query) =>
    document(`<a id="on" href="/wall?vendor=${query.get("vendor")}" style="position:absolute;left:${BOX.x}px">on</a>`),
};
