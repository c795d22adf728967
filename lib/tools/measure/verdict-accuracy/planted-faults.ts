// Faults that are planted into right pages of npm packages, in three languages: each kind of problem, in three designs for each
// half. The rules are written with the open half; the reserved one only measures them.
import type { ProblemCode } from "../../../contract/problems/problem-kinds.ts";
import type { Half } from "./package-sites.ts";

export type FaultLanguage = "en" | "de" | "pt";

export interface PlantedFault {
  readonly name: string;
  readonly code: ProblemCode;
  readonly language: FaultLanguage;
  /** Which of the half's pages it is planted into. */
  readonly site: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Options of the capture, beyond the usual ones. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Files that the page gets, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The page with the fault. */
  readonly plant: (html: string) => string;
}

/** A fault in all languages. */
interface Design extends Omit<PlantedFault, "language" | "site" | "plant"> {
  readonly plant: (html: string, say: Say) => string;
}

type Texts = Readonly<Record<FaultLanguage, string>>;
type Say = (en: string, de: string, pt: string) => string;

const languages: readonly FaultLanguage[] = ["en", "de", "pt"];

/** The pages that are broken, all of them right before. */
export const plantingSites: Readonly<Record<Half, readonly { readonly spec: string; readonly page: string }[]>> = {
  open: [
    { spec: "startbootstrap-sb-admin@7.0.7", page: "dist/tables.html" },
    { spec: "admin-lte@4.0.0", page: "dist/docs/introduction.html" },
    { spec: "hls.js@0.12.4", page: "coverage/lcov-report/src/utils/index.html" },
    { spec: "@tabler/preview@1.2.0", page: "dist/cards.html" },
  ],
  reserved: [
    { spec: "sneat-bootstrap-html-admin-template-free@1.0.0", page: "html/ui-typography.html" },
    { spec: "equation-admin-template@1.0.0", page: "ltr/ui_typography.html" },
    { spec: "ckeditor4@4.25.2", page: "samples/index.html" },
    { spec: "adminbsb-materialdesign@1.0.7", page: "pages/ui/list-group.html" },
  ],
};

const inHead = (html: string, part: string) => html.replace(/<\/head>/i, () => `${part}</head>`);
const atEnd = (html: string, part: string) =>
  /<\/body>/i.test(html) ? html.replace(/<\/body>/i, () => `${part}</body>`) : html + part;
const atStart = (html: string, part: string) => html.replace(/<body[^>]*>/i, (tag) => tag + part);
/** The page's head, with another body. */
const withBody = (html: string, body: string, attributes = "") =>
  `${html.slice(0, Math.max(0, html.search(/<body/i)))}<body ${attributes}>${body}</body></html>`;
/** Without the styles and scripts of the page, as another application has it. */
const page = (title: string, body: string, head = "") =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width">${head}</head>${body}</html>`;

const repeat = (times: number, make: (index: number) => string) =>
  Array.from({ length: times }, (_, i) => make(i)).join("");

const story: Texts = {
  en: "The orchard above the village was planted by hand, and each spring the whole school walks up to count the blossoms. ",
  de: "Der Obstgarten über dem Dorf wurde von Hand gepflanzt, und jeden Frühling zählt die ganze Schule dort die Blüten. ",
  pt: "O pomar acima da aldeia foi plantado à mão, e a cada primavera a escola inteira sobe para contar as flores. ",
};

const nav = (say: Say) =>
  `<nav style="display:flex;gap:24px;padding:16px 24px;border-bottom:1px solid #ddd;background:#fff"><b>Pomona</b><a href="#">${say("Products", "Produkte", "Produtos")}</a><a href="#">${say("About us", "Über uns", "Sobre nós")}</a><a href="#">${say("Contact", "Kontakt", "Contato")}</a></nav>`;

const openDesigns: readonly Design[] = [
  { code: "BLANK", name: "body-without-content", plant: (html) => withBody(html, "") },
  {
    code: "BLANK",
    name: "anti-flicker-style",
    plant: (html) => inHead(html, "<style>body{display:none!important}</style>"),
  },
  {
    code: "BLANK",
    name: "page-kept-transparent",
    plant: (html) => inHead(html, "<style>html{opacity:0!important}</style>"),
  },
  {
    code: "BOT_CHALLENGE",
    name: "cloudflare",
    status: 403,
    headers: { "cf-mitigated": "challenge", server: "cloudflare" },
    plant: (_, say) =>
      page(
        say("Just a moment...", "Nur einen Moment…", "Um momento…"),
        `<body><div class="main-wrapper"><h1>shop.test</h1><p>${say("Verify you are human by completing the action below.", "Bestätigen Sie, dass Sie ein Mensch sind.", "Confirme que você é humano.")}</p><div id="challenge-stage"></div></div><script>window._cf_chl_opt={cvId:"3",cType:"managed"}</script><script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script></body>`,
      ),
  },
  {
    code: "BOT_CHALLENGE",
    name: "datadome",
    status: 403,
    headers: { "x-datadome": "protected" },
    plant: (_, say) =>
      page(
        "shop.test",
        `<body><p id="cmsg">${say("Please enable JS and disable any ad blocker", "Bitte aktivieren Sie JavaScript", "Ative o JavaScript")}</p><script>var dd={'rt':'c','cid':'AHrl','hsh':'1','t':'bv','s':1,'host':'geo.captcha-delivery.com'}</script><script src="https://ct.captcha-delivery.com/c.js"></script></body>`,
      ),
  },
  {
    code: "BOT_CHALLENGE",
    name: "perimeterx",
    status: 403,
    plant: (_, say) =>
      page(
        say(
          "Access to this page has been denied",
          "Zugriff auf diese Seite verweigert",
          "O acesso a esta página foi negado",
        ),
        `<body><h1>${say("Press & Hold to confirm you are a human", "Gedrückt halten, um zu bestätigen", "Pressione e segure para confirmar")}</h1><div id="px-captcha"></div><script>window._pxAppId='PXabc123';window._pxUuid='1'</script><script src="https://client.perimeterx.net/PXabc123/main.min.js"></script></body>`,
      ),
  },
  {
    code: "ERROR_PAGE",
    name: "not-found-in-the-template",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<main style="padding:80px 24px;text-align:center"><h1>${say("We can't find that page", "Diese Seite gibt es nicht", "Não encontramos essa página")}</h1><p>${say("It may have been moved, or the link is old.", "Vielleicht wurde sie verschoben, oder der Link ist alt.", "Ela pode ter sido movida, ou o link é antigo.")}</p><a href="/">${say("Back to the start", "Zur Startseite", "Voltar ao início")}</a></main>`,
      ),
  },
  {
    code: "ERROR_PAGE",
    name: "error-boundary",
    plant: (html, say) =>
      withBody(
        html,
        `<div id="root"><div style="max-width:520px;margin:120px auto"><h2>${say("Something went wrong on our side", "Da ist etwas schiefgelaufen", "Algo deu errado do nosso lado")}</h2><p>${say("Please reload the page. If it keeps happening, tell support.", "Bitte laden Sie die Seite neu. Hilft das nicht, melden Sie sich beim Support.", "Recarregue a página. Se continuar, fale com o suporte.")}</p><button>${say("Reload", "Neu laden", "Recarregar")}</button></div></div>`,
      ),
  },
  {
    code: "ERROR_PAGE",
    name: "parked-domain",
    plant: (_, say) =>
      page(
        "pomona-orchard.com",
        `<body style="font-family:Arial;text-align:center;padding:90px"><h1>pomona-orchard.com</h1><p>${say("This domain is for sale. Make an offer today.", "Diese Domain steht zum Verkauf. Machen Sie ein Angebot.", "Este domínio está à venda. Faça uma oferta hoje.")}</p><a href="#">${say("Buy this domain", "Domain kaufen", "Comprar este domínio")}</a></body>`,
      ),
  },
  {
    code: "LOGIN_WALL",
    name: "user-and-password",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<form style="max-width:360px;margin:60px auto"><h2>${say("Sign in", "Anmelden", "Entrar")}</h2><label>${say("Email", "E-Mail", "E-mail")}<input type="email" name="email"></label><br><label>${say("Password", "Passwort", "Senha")}<input type="password" name="password"></label><br><button>${say("Sign in", "Anmelden", "Entrar")}</button><p><a href="#">${say("Forgot your password?", "Passwort vergessen?", "Esqueceu a senha?")}</a></p></form>`,
      ),
  },
  {
    code: "LOGIN_WALL",
    name: "paywall-after-a-teaser",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<article style="max-width:680px;margin:40px auto;position:relative"><h1>${say("The orchard", "Der Obstgarten", "O pomar")}</h1><p>${repeat(2, () => say(story.en, story.de, story.pt))}</p><div style="height:120px;margin-top:-120px;position:relative;background:linear-gradient(rgba(255,255,255,0),#fff)"></div><div style="border:1px solid #ccc;padding:24px;text-align:center"><h3>${say("Subscribe to keep reading", "Weiterlesen mit Abo", "Assine para continuar lendo")}</h3><p>${say("This article is for subscribers only.", "Dieser Artikel ist nur für Abonnenten.", "Este artigo é exclusivo para assinantes.")}</p><button>${say("Subscribe", "Jetzt abonnieren", "Assinar")}</button> <a href="#">${say("Already a subscriber? Sign in", "Bereits Abonnent? Anmelden", "Já é assinante? Entrar")}</a></div></article>`,
      ),
  },
  {
    code: "LOGIN_WALL",
    name: "providers",
    plant: (html, say) =>
      withBody(
        html,
        `<main style="max-width:380px;margin:100px auto;text-align:center"><h1>${say("Welcome back", "Willkommen zurück", "Bem-vindo de volta")}</h1><p>${say("Log in to continue to Pomona.", "Melden Sie sich an, um fortzufahren.", "Faça login para continuar.")}</p><button>${say("Continue with Google", "Weiter mit Google", "Continuar com o Google")}</button><br><button>${say("Continue with Apple", "Weiter mit Apple", "Continuar com a Apple")}</button><br><button>${say("Continue with Microsoft", "Weiter mit Microsoft", "Continuar com a Microsoft")}</button></main>`,
      ),
  },
  {
    code: "PAGE_ERROR",
    name: "render-throws",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<div id="root" style="min-height:500px"></div><script>const state={items:undefined};document.getElementById("root").innerHTML=state.items.map(i=>i.name).join("")</script>`,
      ),
  },
  {
    code: "PAGE_ERROR",
    name: "bundle-is-missing",
    plant: (html) => withBody(html, `<div id="app"></div><script type="module" src="assets/index-3fa1.js"></script>`),
  },
  {
    code: "PAGE_ERROR",
    name: "interface-fails",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<main id="view" style="min-height:480px"></main><script>(async()=>{const r=await fetch("/.fails/api/items");if(!r.ok)throw new Error("Request failed: "+r.status);document.getElementById("view").textContent=await r.text()})()</script>`,
      ),
  },
  {
    code: "STILL_LOADING",
    name: "ring",
    plant: (html, say) =>
      withBody(
        html,
        `<style>@keyframes q{to{transform:rotate(360deg)}}.z1{width:44px;height:44px;border:4px solid #ddd;border-top-color:#36c;border-radius:50%;animation:q 1s linear infinite;margin:180px auto}</style>${nav(say)}<div class="z1"></div><script>fetch("/.late/items")</script>`,
      ),
  },
  {
    code: "STILL_LOADING",
    name: "shimmering-cards",
    plant: (html, say) =>
      withBody(
        html,
        `<style>@keyframes w{to{background-position:-200% 0}}.b{background:linear-gradient(90deg,#eee 25%,#f8f8f8 50%,#eee 75%) 0 0/200% 100%;animation:w 1.2s infinite;border-radius:6px}</style>${nav(say)}<h1 style="margin:24px">${say("Your orders", "Ihre Bestellungen", "Seus pedidos")}</h1><div style="display:grid;grid-template-columns:repeat(3,1fr);gap:24px;padding:24px">${repeat(6, () => `<div><div class="b" style="height:150px"></div><div class="b" style="height:18px;margin-top:12px"></div><div class="b" style="height:18px;margin-top:8px;width:60%"></div></div>`)}</div><script>fetch("/.late/orders")</script>`,
      ),
  },
  {
    code: "STILL_LOADING",
    name: "shell-with-an-empty-root",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<div id="app"></div><script>setTimeout(()=>{document.getElementById("app").innerHTML="<h1>${say("Dashboard", "Übersicht", "Painel")}</h1>"},9000)</script>`,
      ),
  },
  {
    code: "OVERLAY_LEFT",
    name: "install-banner",
    plant: (html, say) =>
      atEnd(
        html,
        `<div style="position:fixed;left:0;right:0;bottom:0;height:190px;background:#143;color:#fff;z-index:9999;padding:24px;display:flex;gap:20px;align-items:center"><div style="width:64px;height:64px;background:#fff;border-radius:14px"></div><div style="flex:1"><b>${say("Pomona on your phone", "Pomona auf Ihrem Handy", "Pomona no seu celular")}</b><br>${say("Faster, and works offline.", "Schneller, und auch ohne Netz.", "Mais rápido, e funciona sem internet.")}</div><a href="#" style="color:#fff">${say("Install", "Installieren", "Instalar")}</a></div>`,
      ),
  },
  {
    code: "OVERLAY_LEFT",
    name: "consent",
    plant: (html, say) =>
      atEnd(
        html,
        `<div class="k9" style="position:fixed;left:24px;bottom:24px;width:460px;background:#fff;box-shadow:0 4px 30px #0006;z-index:2000;padding:24px"><p>${say("We use cookies to measure visits and to show you relevant content.", "Wir verwenden Cookies, um Besuche zu messen und Inhalte anzupassen.", "Usamos cookies para medir visitas e mostrar conteúdo relevante.")}</p><button>${say("Accept all", "Alle akzeptieren", "Aceitar todos")}</button><button>${say("Only necessary", "Nur notwendige", "Somente necessários")}</button></div>`,
      ),
  },
  {
    code: "OVERLAY_LEFT",
    name: "newsletter-with-a-backdrop",
    plant: (html, say) =>
      atEnd(
        html,
        `<div style="position:fixed;inset:0;background:rgba(0,0,0,.55);z-index:3000"></div><div style="position:fixed;left:50%;top:50%;transform:translate(-50%,-50%);width:520px;background:#fff;z-index:3001;padding:36px"><h2>${say("Ten percent off your first order", "Zehn Prozent auf Ihre erste Bestellung", "Dez por cento na sua primeira compra")}</h2><input type="email" placeholder="email"><button>${say("Get my code", "Code sichern", "Quero o cupom")}</button></div>`,
      ),
  },
  {
    code: "IMAGES_MISSING",
    name: "gallery-not-found",
    plant: (html, say) =>
      atStart(
        html,
        `<div style="padding:24px"><h2>${say("Gallery", "Galerie", "Galeria")}</h2>${repeat(6, (i) => `<img src="images/tree-${i}.jpg" width="300" height="200" alt="">`)}</div>`,
      ),
  },
  {
    code: "IMAGES_MISSING",
    name: "hero-that-is-late",
    plant: (html) => atStart(html, `<img src="/.late/hero.jpg" width="1200" height="500" alt="">`),
  },
  {
    code: "IMAGES_MISSING",
    name: "backgrounds-that-fail",
    plant: (html, say) =>
      atStart(
        html,
        `<div style="display:flex;gap:20px;padding:24px">${repeat(3, (i) => `<div style="flex:1;height:320px;background:#ddd url(/.fails/b${i}.jpg) center/cover">${say("Spring", "Frühling", "Primavera")}</div>`)}</div>`,
      ),
  },
  {
    code: "CUT_OFF",
    name: "read-more-box",
    plant: (html, say) =>
      atStart(
        html,
        `<div style="max-height:160px;overflow:hidden;padding:0 24px;font:16px/1.5 Arial"><p>${repeat(30, () => say(story.en, story.de, story.pt))}</p></div>`,
      ),
  },
  {
    code: "CUT_OFF",
    name: "terms-in-a-field",
    plant: (html, say) =>
      atStart(
        html,
        `<div style="padding:24px"><h2>${say("Terms", "Bedingungen", "Termos")}</h2><textarea readonly style="width:700px;height:160px">${repeat(40, () => say(story.en, story.de, story.pt))}</textarea></div>`,
      ),
  },
  {
    code: "CUT_OFF",
    name: "table-in-a-scroller",
    plant: (html, say) =>
      atStart(
        html,
        `<div style="width:900px;overflow-x:auto;padding:8px"><table style="white-space:nowrap">${repeat(12, (row) => `<tr>${repeat(16, (cell) => `<td style="padding:8px 20px">${say("Apple", "Apfel", "Maçã")} ${row * 16 + cell}</td>`)}</tr>`)}</table></div>`,
      ),
  },
  {
    code: "HORIZONTAL_OVERFLOW",
    name: "wide-table",
    plant: (html, say) =>
      atStart(
        html,
        `<table border="1" style="white-space:nowrap;background:#fff">${repeat(8, (row) => `<tr>${repeat(18, (cell) => `<td style="padding:6px 18px">${say("Harvest", "Ernte", "Colheita")} ${row}.${cell}</td>`)}</tr>`)}</table>`,
      ),
  },
  {
    code: "HORIZONTAL_OVERFLOW",
    name: "wide-table-that-the-window-cuts",
    plant: (html, say) =>
      inHead(
        atStart(
          html,
          `<div style="padding:24px"><table border="1" style="white-space:nowrap;background:#fff">${repeat(8, (row) => `<tr>${repeat(18, (cell) => `<td style="padding:6px 18px">${say("Harvest", "Ernte", "Colheita")} ${row}.${cell}</td>`)}</tr>`)}</table></div>`,
        ),
        "<style>html,body{overflow-x:hidden!important}</style>",
      ),
  },
  {
    code: "HORIZONTAL_OVERFLOW",
    name: "line-without-spaces",
    plant: (html, say) =>
      atStart(
        html,
        `<h1 style="font-size:40px;white-space:nowrap">${repeat(3, () => say(story.en, story.de, story.pt))}</h1>`,
      ),
  },
  {
    code: "FONTS_MISSING",
    name: "text-font-not-found",
    plant: (html) =>
      inHead(
        html,
        `<style>@font-face{font-family:Orchard;src:url(fonts/orchard.woff2)}body,body *{font-family:Orchard,serif!important}</style>`,
      ),
  },
  {
    code: "FONTS_MISSING",
    name: "icon-font-fails",
    plant: (html, say) =>
      inHead(
        atStart(
          html,
          `<p style="padding:16px"><i class="icon-tree"></i> ${say("Trees", "Bäume", "Árvores")} <i class="icon-sun"></i></p>`,
        ),
        `<style>@font-face{font-family:orchard-icons;src:url(/.fails/orchard-icons.woff2)}[class^=icon-]:before{font-family:orchard-icons;content:"\\e001"}</style>`,
      ),
  },
  {
    code: "FONTS_MISSING",
    name: "style-sheet-of-fonts-fails",
    plant: (html) => inHead(html, `<link rel="stylesheet" href="/.fails/fonts.css">`),
  },
  {
    code: "GLYPHS_MISSING",
    name: "ahom-paragraph",
    plant: (html, say) =>
      atStart(html, `<p style="font-size:24px">${say("Name", "Name", "Nome")}: \u{11700}\u{11701}\u{11702}</p>`),
  },
  {
    code: "GLYPHS_MISSING",
    name: "kawi-heading",
    plant: (html) => atStart(html, "<h2>\u{11f04}\u{11f05}\u{11f06}</h2>"),
  },
  {
    code: "GLYPHS_MISSING",
    name: "rare-han",
    plant: (html, say) => atStart(html, `<p>${say("Place", "Ort", "Lugar")}: \u{20000}\u{20001}\u{20002}</p>`),
  },
];

const reservedDesigns: readonly Design[] = [
  {
    code: "BLANK",
    name: "hidden-until-a-class",
    plant: (html) =>
      inHead(
        html,
        "<style>html:not(.is-ready) body{visibility:hidden!important}html:not(.is-ready) body *{visibility:hidden!important}</style>",
      ),
  },
  {
    code: "BLANK",
    name: "dark-and-empty",
    plant: (html) => withBody(html, `<div id="stage"></div>`, `style="background:#111"`),
  },
  {
    code: "BLANK",
    name: "stuck-transition",
    plant: (html) =>
      inHead(
        html,
        "<style>body{transform:translateX(-110vw)!important;background:#fff!important}html{overflow:hidden;background:#fff}</style>",
      ),
  },
  {
    code: "BOT_CHALLENGE",
    name: "imperva",
    status: 403,
    headers: { "x-iinfo": "9-1-0 0NNN RT(1) q(0 -1 -1 1) r(0 -1) B15(4,200,0)", "x-cdn": "Imperva" },
    plant: (_, say) =>
      page(
        say("Pardon our interruption", "Einen Augenblick", "Um instante"),
        `<body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=9-1-0&incident_id=1-2&edet=15&cinfo=0" frameborder="0" width="100%" height="400">Request unsuccessful. Incapsula incident ID: 1-2</iframe></body>`,
      ),
  },
  {
    code: "BOT_CHALLENGE",
    name: "aws-waf",
    status: 202,
    headers: { "x-amzn-waf-action": "challenge" },
    plant: (_, say) =>
      page(
        "",
        `<body><div id="challenge-container"></div><noscript><h1>${say("JavaScript is disabled", "JavaScript ist deaktiviert", "JavaScript está desativado")}</h1></noscript><script>window.awsWafCookieDomainList=[];window.gokuProps={key:"a",iv:"b",context:"c"}</script><script src="https://abc.token.awswaf.com/abc/challenge.js"></script></body>`,
      ),
  },
  {
    code: "BOT_CHALLENGE",
    name: "turnstile-page",
    status: 403,
    headers: { server: "cloudflare", "cf-ray": "8a1b2c3d4e5f-FRA" },
    plant: (_, say) =>
      page(
        say("Attention Required!", "Achtung", "Atenção"),
        `<body><h1>${say("One more step", "Noch ein Schritt", "Mais um passo")}</h1><p>${say("Please complete the security check to access shop.test", "Bitte schließen Sie die Sicherheitsprüfung ab", "Conclua a verificação de segurança")}</p><form id="challenge-form" action="/?__cf_chl_f_tk=abc" method="POST"><div class="cf-turnstile" data-sitekey="0x4A"></div></form><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script></body>`,
      ),
  },
  {
    code: "ERROR_PAGE",
    name: "maintenance",
    plant: (html, say) =>
      withBody(
        html,
        `<div style="padding:140px 24px;text-align:center"><h1>${say("We'll be back soon", "Wir sind gleich wieder da", "Voltamos já")}</h1><p>${say("Our site is down for scheduled maintenance. Thank you for your patience.", "Unsere Seite wird gerade gewartet. Danke für Ihre Geduld.", "O site está em manutenção programada. Agradecemos a paciência.")}</p></div>`,
      ),
  },
  {
    code: "ERROR_PAGE",
    name: "not-in-your-country",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<section style="margin:80px auto;max-width:600px"><h2>${say("This content isn't available in your country", "Dieser Inhalt ist in Ihrem Land nicht verfügbar", "Este conteúdo não está disponível no seu país")}</h2><p>${say("For legal reasons we can't show it here.", "Aus rechtlichen Gründen dürfen wir ihn hier nicht zeigen.", "Por motivos legais não podemos exibi-lo aqui.")}</p></section>`,
      ),
  },
  {
    code: "ERROR_PAGE",
    name: "suspended-hosting",
    plant: (_, say) =>
      page(
        say("Account suspended", "Konto gesperrt", "Conta suspensa"),
        `<body style="font-family:Arial;background:#f4f4f4"><div style="background:#fff;width:560px;margin:120px auto;padding:40px"><h1>${say("This account has been suspended", "Dieses Konto wurde gesperrt", "Esta conta foi suspensa")}</h1><p>${say("Contact your hosting provider for more information.", "Wenden Sie sich an Ihren Anbieter.", "Entre em contato com o seu provedor de hospedagem.")}</p></div></body>`,
      ),
  },
  {
    code: "LOGIN_WALL",
    name: "link-by-email",
    plant: (html, say) =>
      withBody(
        html,
        `<div style="max-width:420px;margin:120px auto"><h1>${say("Log in with your email", "Mit E-Mail anmelden", "Entre com seu e-mail")}</h1><p>${say("We'll send you a login link.", "Wir senden Ihnen einen Anmeldelink.", "Enviaremos um link de acesso.")}</p><input type="email" name="email" placeholder="name@example.com"><button>${say("Send link", "Link senden", "Enviar link")}</button></div>`,
      ),
  },
  {
    code: "LOGIN_WALL",
    name: "password-of-a-shop",
    plant: (html, say) =>
      withBody(
        html,
        `<div style="text-align:center;padding:120px"><h1>Pomona</h1><p>${say("This store is password protected. Enter the password to continue.", "Dieser Shop ist passwortgeschützt. Bitte Passwort eingeben.", "Esta loja é protegida por senha. Digite a senha para continuar.")}</p><input type="password"><button>${say("Enter", "Eintreten", "Entrar")}</button></div>`,
      ),
  },
  {
    code: "LOGIN_WALL",
    name: "members-sign-up-form",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<section style="max-width:480px;margin:50px auto"><h2>${say("Create your free account", "Kostenlos registrieren", "Crie sua conta grátis")}</h2><input name="name" placeholder="${say("Name", "Name", "Nome")}"><br><input type="email" name="email" placeholder="E-mail"><br><input type="password" name="password" placeholder="${say("Password", "Passwort", "Senha")}"><br><button>${say("Sign up", "Registrieren", "Cadastrar")}</button><p>${say("Already have an account?", "Schon ein Konto?", "Já tem uma conta?")} <a href="#">${say("Log in", "Anmelden", "Entrar")}</a></p></section>`,
      ),
  },
  {
    code: "PAGE_ERROR",
    name: "chunk-of-a-route",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<section data-view="catalogue" style="min-height:420px"></section><script type="module">const view=await import("./chunks/catalogue-77.js");view.mount(document.querySelector("[data-view]"))</script>`,
      ),
  },
  {
    code: "PAGE_ERROR",
    name: "answer-is-no-json",
    plant: (html) =>
      withBody(
        html,
        `<div id="root"></div><script>JSON.parse("<html>");document.getElementById("root").textContent="x"</script>`,
      ),
  },
  {
    code: "PAGE_ERROR",
    name: "element-is-not-defined",
    plant: (html, say) =>
      withBody(
        html,
        `${nav(say)}<orchard-app style="display:block;min-height:450px"></orchard-app><script>customElements.define("orchard-app",class extends HTMLElement{connectedCallback(){this.innerHTML="<h1>"+window.orchard.title+"</h1>"}})</script><footer>© Pomona</footer>`,
      ),
  },
  {
    code: "STILL_LOADING",
    name: "message-and-bar",
    plant: (html, say) =>
      withBody(
        html,
        `<style>@keyframes g{from{transform:translateX(-100%)}to{transform:translateX(300%)}}</style><div style="padding:200px 24px;text-align:center"><p>${say("Loading your dashboard…", "Übersicht wird geladen …", "Carregando seu painel…")}</p><div role="progressbar" style="width:280px;height:4px;margin:0 auto;background:#ddd;overflow:hidden"><div style="width:30%;height:4px;background:#36c;animation:g 1s infinite"></div></div></div><script>fetch("/.late/board")</script>`,
      ),
  },
  {
    code: "STILL_LOADING",
    name: "pulsing-rows",
    plant: (html, say) =>
      withBody(
        html,
        `<style>@keyframes p{50%{opacity:.4}}.r{height:28px;margin:14px 24px;background:#e2e4e8;border-radius:4px;animation:p 1.5s infinite}</style>${nav(say)}<h1 style="margin:24px">${say("Invoices", "Rechnungen", "Faturas")}</h1>${repeat(10, () => `<div class="r"></div>`)}<script>fetch("/.late/rows")</script>`,
      ),
  },
  {
    code: "STILL_LOADING",
    name: "shell-with-menu-and-empty-main",
    plant: (html, say) =>
      withBody(
        html,
        `<header style="padding:14px 24px;background:#223;color:#fff"><b>Pomona</b></header><div style="display:flex"><aside style="width:220px;padding:20px"><a href="#">${say("Orders", "Bestellungen", "Pedidos")}</a><br><a href="#">${say("Trees", "Bäume", "Árvores")}</a></aside><main id="content" style="flex:1;min-height:600px"></main></div><script>addEventListener("load",()=>setTimeout(()=>{document.getElementById("content").innerHTML="<h1>${say("Orders", "Bestellungen", "Pedidos")}</h1><p>${say(story.en, story.de, story.pt)}</p>"},8000))</script>`,
      ),
  },
  {
    code: "OVERLAY_LEFT",
    name: "app-sheet-at-the-top",
    plant: (html, say) =>
      atStart(
        html,
        `<section style="position:fixed;top:0;left:0;width:100%;z-index:5000;background:#fff;box-shadow:0 2px 20px #0005;padding:28px 24px 36px"><strong>${say("Get the Pomona app", "Holen Sie sich die Pomona-App", "Baixe o aplicativo Pomona")}</strong><p>${say("Read this page in our app: it is free, and you keep your place.", "Lesen Sie weiter in der App: kostenlos, und Ihr Platz bleibt erhalten.", "Leia esta página no aplicativo: é grátis e guarda onde você parou.")}</p><button>${say("Open", "Öffnen", "Abrir")}</button> <button>${say("Continue on the web", "Im Browser bleiben", "Continuar no site")}</button></section>`,
      ),
  },
  {
    code: "OVERLAY_LEFT",
    name: "open-chat",
    plant: (html, say) =>
      atEnd(
        html,
        `<div class="chat-widget" style="position:fixed;right:24px;bottom:24px;width:360px;height:520px;z-index:4000;background:#fff;box-shadow:0 6px 40px #0007;border-radius:12px"><div style="background:#36c;color:#fff;padding:16px">Pomona ${say("Support", "Hilfe", "Ajuda")}<button style="float:right">×</button></div><p style="padding:16px">${say("Hi! How can we help you today?", "Hallo! Wie können wir helfen?", "Olá! Como podemos ajudar hoje?")}</p><input style="margin:16px" placeholder="…"></div>`,
      ),
  },
  {
    code: "OVERLAY_LEFT",
    name: "region-chooser",
    plant: (html, say) =>
      atEnd(
        html,
        `<div style="position:fixed;inset:0;z-index:6000;background:rgba(20,20,30,.6);display:flex;align-items:center;justify-content:center"><div style="background:#fff;padding:40px;width:560px"><h3>${say("Choose your country", "Wählen Sie Ihr Land", "Escolha seu país")}</h3><p>${say("Prices and delivery depend on it.", "Preise und Lieferung hängen davon ab.", "Preços e entrega dependem dele.")}</p><button>Brasil</button><button>Deutschland</button><button>Ireland</button></div></div>`,
      ),
  },
  {
    code: "IMAGES_MISSING",
    name: "products-that-fail",
    plant: (html, say) =>
      atStart(
        html,
        `<ul style="display:flex;gap:16px;list-style:none">${repeat(4, (i) => `<li><img src="/.fails/p${i}.webp" style="width:240px;height:240px"><p>${say("Apple tree", "Apfelbaum", "Macieira")} ${i}</p></li>`)}</ul>`,
      ),
  },
  {
    code: "IMAGES_MISSING",
    name: "lazy-attribute-that-nothing-reads",
    plant: (html) =>
      atStart(
        html,
        `<div style="display:flex;gap:16px">${repeat(3, (i) => `<img class="lazy" data-src="photo-${i}.jpg" width="380" height="260" alt="">`)}</div>`,
      ),
  },
  {
    code: "IMAGES_MISSING",
    name: "picture-of-sources",
    plant: (html) =>
      atStart(
        html,
        `<picture><source srcset="wide.avif" type="image/avif"><source srcset="wide.webp" type="image/webp"><img src="wide.jpg" width="1100" height="420" alt=""></picture>`,
      ),
  },
  {
    code: "CUT_OFF",
    name: "box-of-a-fixed-height",
    plant: (html, say) =>
      atStart(
        html,
        `<section style="height:240px;overflow:hidden;padding:0 32px;font:17px/1.6 Georgia"><h2>${say("The orchard", "Der Obstgarten", "O pomar")}</h2>${repeat(8, () => `<p>${repeat(4, () => say(story.en, story.de, story.pt))}</p>`)}</section>`,
      ),
  },
  {
    code: "CUT_OFF",
    name: "lines-clamped",
    plant: (html, say) =>
      atStart(
        html,
        `<p style="display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden;font:18px/1.5 Arial;padding:0 24px">${repeat(16, () => say(story.en, story.de, story.pt))}</p>`,
      ),
  },
  {
    code: "CUT_OFF",
    name: "image-of-a-maximum-height",
    options: { full_page_max_height: 1_000 },
    plant: (html, say) =>
      atStart(
        html,
        `<div style="font:18px/1.6 Arial;padding:24px">${repeat(60, () => `<p>${say(story.en, story.de, story.pt)}</p>`)}</div>`,
      ),
  },
  {
    code: "HORIZONTAL_OVERFLOW",
    name: "table-of-figures",
    plant: (html, say) =>
      atStart(
        html,
        `<section style="padding:20px"><table style="border-collapse:collapse"><thead><tr>${repeat(24, (i) => `<th style="padding:6px 16px;white-space:nowrap">${say("Week", "Woche", "Semana")} ${i + 1}</th>`)}</tr></thead><tbody>${repeat(6, (row) => `<tr>${repeat(24, (i) => `<td>${(row + 1) * (i + 7)}</td>`)}</tr>`)}</tbody></table></section>`,
      ),
  },
  {
    code: "HORIZONTAL_OVERFLOW",
    name: "table-on-paper",
    options: { full_page: false, format: "pdf" },
    plant: (html, say) =>
      withBody(
        html,
        `<h1>${say("Report", "Bericht", "Relatório")}</h1><table border="1">${repeat(10, (row) => `<tr>${repeat(20, (cell) => `<td style="padding:6px 14px;white-space:nowrap">${say("Value", "Wert", "Valor")} ${row * 20 + cell}</td>`)}</tr>`)}</table>`,
      ),
  },
  {
    code: "HORIZONTAL_OVERFLOW",
    name: "row-that-does-not-wrap",
    plant: (html, say) =>
      atStart(
        html,
        `<div style="display:flex;gap:20px;padding:20px">${repeat(9, (i) => `<div style="flex:none;width:260px;height:180px;background:#def;padding:12px">${say("Variety", "Sorte", "Variedade")} ${i + 1}</div>`)}</div>`,
      ),
  },
  {
    code: "FONTS_MISSING",
    name: "heading-font-fails",
    plant: (html, say) =>
      inHead(
        atStart(html, `<h1 class="brandline">${say("Orchard notes", "Notizen aus dem Garten", "Notas do pomar")}</h1>`),
        `<style>@font-face{font-family:"Pomona Display";src:url(/.fails/display.woff2) format("woff2")}.brandline{font-family:"Pomona Display",serif}</style>`,
      ),
  },
  {
    code: "FONTS_MISSING",
    name: "icons-style-sheet-is-missing",
    plant: (html) =>
      inHead(
        atStart(html, `<p><i class="bi bi-tree"></i> <i class="bi bi-sun"></i></p>`),
        `<link rel="stylesheet" href="vendor/bootstrap-icons.css">`,
      ),
  },
  {
    code: "FONTS_MISSING",
    name: "file-is-no-font",
    files: { "serif.woff2": "this is no font" },
    plant: (html) =>
      inHead(
        html,
        `<style>@font-face{font-family:PomonaText;src:url(serif.woff2)}p,h1,h2,h3,h4,h5,li,td{font-family:PomonaText,Georgia!important}</style>`,
      ),
  },
  {
    code: "GLYPHS_MISSING",
    name: "kawi-in-a-table",
    plant: (html, say) =>
      atStart(
        html,
        `<table><tr><td>${say("Script", "Schrift", "Escrita")}</td><td>\u{11f10}\u{11f11}\u{11f12}</td></tr></table>`,
      ),
  },
  {
    code: "GLYPHS_MISSING",
    name: "ahom-in-a-link",
    plant: (html) => atStart(html, `<p><a href="#">\u{11704}\u{11705}</a></p>`),
  },
  {
    code: "GLYPHS_MISSING",
    name: "han-in-a-list",
    plant: (html, say) => atStart(html, `<ul><li>${say("Rare", "Selten", "Raro")} \u{20003}\u{20004}</li></ul>`),
  },
];

const designs: Readonly<Record<Half, readonly Design[]>> = { open: openDesigns, reserved: reservedDesigns };

/** Each design of a half in each language, spread over its pages. */
export function plantedFaults(half: Half): PlantedFault[] {
  return designs[half].flatMap((design, index) =>
    languages.map((language, shift) => {
      const say: Say = (en, de, pt) => ({ en, de, pt })[language];
      const inLanguage = (html: string) =>
        html.replace(/<html[^>]*>/i, (tag) => `${tag.slice(0, -1).replace(/\slang="[^"]*"/i, "")} lang="${language}">`);
      return {
        ...design,
        language,
        site: (index + shift) % plantingSites[half].length,
        plant: (html) => inLanguage(design.plant(html, say)),
      };
    }),
  );
}
