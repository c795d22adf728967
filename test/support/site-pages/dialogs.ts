// Pages with overlays: cookie dialogs in many languages, newsletters, banners, age gates; and pages that only look so.
import { type Pages, script } from "./page.ts";

/** A page with a box over it. */
export interface CoveredPage {
  /** What `closeDialogs` is asked for; consent unless told. */
  readonly what?: "any";
  /** The label of the control that is to be clicked; none where the box is to be hidden. */
  readonly clicked?: string;
  /** How many boxes lie over it; 1 unless told. */
  readonly boxes?: number;
  /** True where the box has locked the page. */
  readonly locks?: boolean;
  /** In the head, with the box only. */
  readonly style?: string;
  /** At the end of the body. */
  readonly box: string;
}

const content = `<header class="site-head"><a href="/home">Gazette</a> <a href="/news">News</a> <a href="/sport">Sport</a></header>
  <div class="wrap"><h1>Harvest begins in the valley</h1><p>${"Farmers say that the weather has been kind this year. ".repeat(12)}</p>
  <div style="height:120px;background:teal"></div><p>${"The first apples are sold on Saturday. ".repeat(100)}</p></div>`;

const style = `body { margin: 0; font: 14px/1.4 sans-serif } .site-head { padding: 8px; background: #eee } .wrap { padding: 8px }
  .wall { position: fixed; left: 60px; right: 60px; top: 60px; padding: 20px; background: #fff; border: 2px solid #333; z-index: 1000 }
  .bar { position: fixed; left: 0; right: 0; bottom: 0; padding: 12px; background: #222; color: #fff; z-index: 900 }
  .veil { position: fixed; inset: 0; background: rgba(0, 0, 0, .6); z-index: 990 }
  .gone { opacity: 0; transition: opacity .1s } .x { position: absolute; top: 4px; right: 4px; width: 24px; height: 24px }`;

/** Keeps what was clicked, and does what a control says: it closes what it is in, with a fade. */
const behaviour = script(`
  window.clicks = [];
  addEventListener("click", (event) => {
    const control = event.composedPath().find((each) => each.matches?.("button, a, [role=button], input, .pointer"));
    if (!control) return;
    top.clicks.push((control.innerText || control.value || control.getAttribute("aria-label") || control.className).trim());
    if (!control.dataset.act) return;
    for (const each of [control.closest(".wall, .bar, .veil"), ...document.querySelectorAll(".veil")]) {
      each?.classList.add("gone");
      setTimeout(() => each?.remove(), 150);
    }
    window.frameElement?.remove();
    top.document.body.classList.remove("locked");
  }, true);`);

const button = (act: string, label: string) => `<button type="button" data-act="${act}">${label}</button>`;

interface Wall {
  readonly says: string;
  readonly accept: string;
  readonly reject: string;
  readonly settings: string;
}

const wall = ({ says, accept, reject, settings }: Wall, place = "") =>
  `<div class="wall" style="${place}"><p>${says}</p>${button("accept", accept)} ${button("settings", settings)} ${button("reject", reject)}</div>`;

const walls = {
  English: {
    says: "We use cookies to improve your experience on our site.",
    accept: "Accept all",
    reject: "Reject all",
    settings: "Manage preferences",
  },
  German: {
    says: "Wir verwenden Cookies und bitten um Ihre Einwilligung.",
    accept: "Alle akzeptieren",
    reject: "Nur notwendige Cookies",
    settings: "Einstellungen",
  },
  French: {
    says: "Nous utilisons des cookies avec nos partenaires.",
    accept: "Tout accepter",
    reject: "Continuer sans accepter",
    settings: "Paramétrer",
  },
  Spanish: {
    says: "Utilizamos cookies propias y de terceros.",
    accept: "Aceptar todo",
    reject: "Rechazar todo",
    settings: "Configurar",
  },
  Portuguese: {
    says: "Usamos cookies para melhorar a sua experiência.",
    accept: "Aceitar todos",
    reject: "Rejeitar todos",
    settings: "Definições",
  },
  Italian: {
    says: "Utilizziamo i cookie per migliorare l’esperienza.",
    accept: "Accetta tutti",
    reject: "Continua senza accettare",
    settings: "Personalizza",
  },
  Dutch: {
    says: "Wij gebruiken cookies om onze website te verbeteren.",
    accept: "Alles accepteren",
    reject: "Alleen noodzakelijke cookies",
    settings: "Voorkeuren",
  },
  Polish: {
    says: "Używamy plików cookies w celach statystycznych.",
    accept: "Akceptuję wszystkie",
    reject: "Odrzuć wszystkie",
    settings: "Ustawienia",
  },
  Russian: {
    says: "Мы используем файлы cookie для улучшения сайта.",
    accept: "Принять все",
    reject: "Отклонить все",
    settings: "Настройки",
  },
  Ukrainian: {
    says: "Ми використовуємо файли cookie для аналітики.",
    accept: "Прийняти всі",
    reject: "Відхилити всі",
    settings: "Налаштування",
  },
  Japanese: {
    says: "当サイトではクッキーを使用しています。",
    accept: "すべて同意する",
    reject: "すべて拒否する",
    settings: "設定",
  },
  "Chinese, simplified": {
    says: "我们使用 Cookie 来改善您的体验。",
    accept: "全部接受",
    reject: "全部拒绝",
    settings: "设置",
  },
  "Chinese, traditional": {
    says: "我們使用 Cookie 來改善您的體驗。",
    accept: "全部接受",
    reject: "僅限必要 Cookie",
    settings: "設定",
  },
  Korean: {
    says: "당사는 쿠키를 사용하여 경험을 개선합니다.",
    accept: "모두 동의",
    reject: "모두 거부",
    settings: "설정",
  },
  Turkish: {
    says: "Deneyiminizi geliştirmek için çerezleri kullanıyoruz.",
    accept: "TÜMÜNÜ KABUL ET",
    reject: "TÜMÜNÜ REDDET",
    settings: "Ayarlar",
  },
  Arabic: {
    says: "نستخدم ملفات تعريف الارتباط لتحسين تجربتك.",
    accept: "قبول الكل",
    reject: "رفض الكل",
    settings: "الإعدادات",
  },
  Hebrew: {
    says: "אנו משתמשים בעוגיות כדי לשפר את חוויית הגלישה באתר.",
    accept: "אישור הכל",
    reject: "דחיית הכל",
    settings: "הגדרות",
  },
  Persian: {
    says: "ما از کوکی‌ها برای بهبود تجربه شما استفاده می‌کنیم.",
    accept: "پذیرش همه",
    reject: "رد همه",
    settings: "تنظیمات",
  },
  Hindi: {
    says: "हम आपके अनुभव को बेहतर बनाने के लिए कुकीज़ का उपयोग करते हैं।",
    accept: "सभी स्वीकार करें",
    reject: "सभी अस्वीकार करें",
    settings: "सेटिंग्स",
  },
  Swedish: {
    says: "Vi använder kakor för att förbättra webbplatsen.",
    accept: "Godkänn alla",
    reject: "Endast nödvändiga",
    settings: "Inställningar",
  },
  Danish: {
    says: "Vi bruger cookies på vores hjemmeside.",
    accept: "Tillad alle",
    reject: "Afvis alle",
    settings: "Vis detaljer",
  },
  Norwegian: {
    says: "Vi bruker informasjonskapsler på nettstedet.",
    accept: "Godta alle",
    reject: "Kun nødvendige",
    settings: "Innstillinger",
  },
  Finnish: {
    says: "Käytämme evästeitä sivustollamme.",
    accept: "Hyväksy kaikki",
    reject: "Vain välttämättömät",
    settings: "Asetukset",
  },
  Czech: {
    says: "Na těchto stránkách používáme soubory cookie.",
    accept: "Přijmout vše",
    reject: "Odmítnout vše",
    settings: "Nastavení",
  },
  Greek: {
    says: "Χρησιμοποιούμε cookies για να βελτιώσουμε την εμπειρία σας.",
    accept: "ΑΠΟΔΟΧΗ ΟΛΩΝ",
    reject: "ΑΠΟΡΡΙΨΗ ΟΛΩΝ",
    settings: "Ρυθμίσεις",
  },
  Hungarian: {
    says: "Weboldalunk sütiket használ.",
    accept: "Összes elfogadása",
    reject: "Csak a szükségesek",
    settings: "Beállítások",
  },
  Romanian: {
    says: "Folosim module cookie pentru a îmbunătăți experiența.",
    accept: "Acceptă tot",
    reject: "Respinge tot",
    settings: "Setări",
  },
  Vietnamese: {
    says: "Chúng tôi sử dụng cookie để cải thiện trải nghiệm.",
    accept: "Chấp nhận tất cả",
    reject: "Từ chối tất cả",
    settings: "Cài đặt",
  },
  Indonesian: {
    says: "Kami menggunakan cookie di situs ini.",
    accept: "Terima semua",
    reject: "Tolak semua",
    settings: "Pengaturan",
  },
  Thai: { says: "เราใช้คุกกี้เพื่อปรับปรุงประสบการณ์ของคุณ", accept: "ยอมรับทั้งหมด", reject: "ปฏิเสธทั้งหมด", settings: "ตั้งค่า" },
} as const satisfies Readonly<Record<string, Wall>>;

const { German: german, Arabic: arabic } = walls;

const says = "We use cookies and similar techniques, with our partners, to measure how our site is used.";
const pinned = "body.locked { position: fixed; left: 0; right: 0; width: 100%; overflow: hidden }";
const locked = "body.locked { overflow: hidden; height: 100vh }";

/** A box over the page whose second button leads to another page. */
const gate = (question: string, yes: string, no: string) =>
  `<div class="veil"></div><div class="wall popup" role="dialog" aria-modal="true"><h2>${question}</h2>${button("yes", yes)} <button type="button" onclick="location.href = '/elsewhere'">${no}</button></div>`;

export const coveredPages: Readonly<Record<string, CoveredPage>> = {
  "walls in thirty languages": {
    clicked: Object.values(walls)
      .map(({ reject }) => reject)
      .join(", "),
    boxes: Object.keys(walls).length,
    style: ".wall { position: fixed; width: 140px; height: 60px; padding: 2px; font-size: 9px; overflow: hidden }",
    box: Object.values(walls)
      .map((words, index) => {
        const place = `left:${(index % 5) * 150}px;right:auto;top:${Math.floor(index / 5) * 80}px`;
        return wall(words, place);
      })
      .join(""),
  },
  "a wall with its veil": {
    clicked: "Alle ablehnen",
    box: `<div class="veil"></div>${wall({ ...german, reject: "Alle ablehnen" })}`,
  },
  "a wall that is written from right to left": { clicked: "رفض الكل", box: wall({ ...arabic }) },
  "a wall that can only be accepted": {
    box: `<div class="veil"></div><div class="wall"><p>${says}</p>${button("accept", "Accept all")}</div>`,
  },
  "a bar that only says OK": {
    box: `<div class="bar"><span>${says}</span> <a href="/policy">Learn more</a> ${button("accept", "OK")}</div>`,
  },
  "a bar that closes": {
    clicked: "×",
    box: `<div class="bar"><span>${says}</span> ${button("close", "×")} ${button("accept", "Accept")}</div>`,
  },
  "a bar whose closing agrees": {
    box: `<div class="bar"><span>We use cookies. If you close this message, you agree to them.</span> ${button("close", "×")}</div>`,
  },
  "a wall that saves a selection": {
    box: `<div class="wall"><p>${says}</p><label><input type="checkbox" checked>Statistics</label>${button("save", "Save selection")} ${button("accept", "Accept all")}</div>`,
  },
  "a wall whose refusal costs": {
    box: `<div class="veil"></div><div class="wall"><p>${says}</p>${button("accept", "Accept and continue")} <button data-act="pay">Reject and subscribe</button></div>`,
  },
  "a wall whose refusal is a link to another page": {
    box: `<div class="wall"><p>${says}</p><a role="button" href="/elsewhere">Reject all</a> ${button("accept", "Accept all")}</div>`,
  },
  "a wall whose refusal is a form sent elsewhere": {
    box: `<div class="wall"><p>${says}</p><form action="/elsewhere" method="post"><button>Reject all</button></form></div>`,
  },
  "a wall that ignores its buttons": {
    clicked: "Decline",
    box: `<div class="wall"><p>${says}</p><button type="button">Decline</button> <button type="button">Agree</button></div>`,
  },
  "a wall that blurs and locks": {
    locks: true,
    style: `${locked} body.locked .wrap, body.locked .site-head { filter: blur(6px); pointer-events: none }`,
    box: `<div class="veil"></div><div class="wall" role="dialog" aria-modal="true"><p>${says}</p>${button("", "Accept all")}</div>${script(`
      document.body.className = "locked"; document.querySelector(".wrap").setAttribute("aria-hidden", "true"); document.querySelector(".wrap").inert = true;`)}`,
  },
  "a wall in a wrapper with its veil": {
    clicked: "Only essential",
    box: `<div style="position:fixed;inset:0;z-index:50;background:rgba(0,0,0,.5)" class="wall-root veil"><div style="position:absolute;left:100px;top:100px;background:#fff;padding:20px"><p>${says}</p>${button("accept", "Accept")} ${button("reject", "Only essential")}</div></div>`,
  },
  "a wall in shadow roots": {
    clicked: "Deny",
    box: `<x-consent></x-consent>${script(`
      const inner = document.createElement("x-buttons");
      inner.attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(`${button("accept", "Accept all")} ${button("reject", "Deny")}`)};
      const root = document.querySelector("x-consent").attachShadow({ mode: "open" });
      root.innerHTML = ${JSON.stringify(`<style>${style}</style><div class="wall"><p>${says}</p></div>`)};
      root.querySelector(".wall").append(inner);
      inner.shadowRoot.addEventListener("click", (event) => { if (event.target.dataset.act) root.querySelector(".wall").remove() });`)}`,
  },
  "a wall that is a frame": {
    clicked: "Reject all",
    box: `<iframe style="position:fixed;left:0;bottom:0;width:100%;height:160px;border:0;z-index:99" srcdoc="${attribute(
      `<style>body{background:#ffd}</style><p>${says}</p>${button("accept", "Accept all")}${button("reject", "Reject all")}${behaviour}`,
    )}"></iframe>`,
  },
  "a wall that is a modal dialog": {
    clicked: "No, thanks",
    box: `<dialog><p>${says}</p><form method="dialog"><button value="yes">Yes, I agree</button><button value="no">No, thanks</button></form></dialog>${script(`document.querySelector("dialog").showModal()`)}`,
  },
  "a wall of plain elements": {
    clicked: "Disagree",
    box: `<div class="wall"><p>${says}</p><span class="pointer" data-act="accept" style="cursor:pointer">Agree</span> <span class="pointer" data-act="reject" style="cursor:pointer">Disagree</span></div>`,
  },
  "a wall behind which another comes": {
    what: "any",
    clicked: "Reject all, Close",
    boxes: 2,
    box: `<div class="wall"><p>${says}</p>${button("reject", "Reject all")}${button("accept", "Accept all")}</div>${script(`
      addEventListener("click", (event) => { if (event.target.dataset.act === "reject") setTimeout(() => document.body.insertAdjacentHTML("beforeend",
        ${JSON.stringify(`<div class="veil"></div><div class="wall newsletter-popup" role="dialog"><h2>Our newsletter</h2><input type="email">${button("close", "Close")}</div>`)}), 200) });`)}`,
  },
  "a letter with a cross": {
    what: "any",
    clicked: "Close dialog",
    box: `<div class="veil"></div><div class="wall newsletter-modal" role="dialog" aria-modal="true"><button class="x" data-act="close" aria-label="Close dialog"><svg width="8" height="8"></svg></button><h2>Get our newsletter</h2><form action="/subscribe"><input type="email" placeholder="you@example.com"><button>Subscribe</button></form></div>`,
  },
  "a letter that can only be declined": {
    what: "any",
    clicked: "No thanks",
    box: `<div class="veil"></div><div class="wall popup"><h2>10 % off your first order</h2><input type="email"><button type="submit">Sign up</button><a href="#" data-act="close">No thanks</a></div>`,
  },
  "a letter of which Escape is the only way out": {
    what: "any",
    box: `<div class="veil"></div><div class="wall" role="dialog" id="signup-modal"><h2>Subscribe to read more</h2><input type="email"><button>Subscribe</button></div>${script(`
      addEventListener("keydown", (event) => { if (event.key === "Escape") { window.escaped = true; for (const each of document.querySelectorAll(".wall, .veil")) each.remove() } });`)}`,
  },
  "a banner for an app": {
    what: "any",
    clicked: "×",
    box: `<div class="smart-app-banner" style="position:fixed;top:0;left:0;right:0;height:70px;background:#ddf;z-index:99"><button data-act="close" onclick="this.parentElement.remove()">×</button> Read it in our app <a href="https://apps.example/1">Open</a></div>`,
  },
  "a gate that asks for the age": {
    what: "any",
    clicked: "Yes",
    style: locked,
    box: `<div class="age-gate" style="position:fixed;inset:0;background:rgba(0,0,0,.9);z-index:999;color:#fff"><div><h2>Are you over 18?</h2><button data-act="yes">Yes</button> <a href="/leave">I am younger</a></div></div>${script(`document.body.className = "locked"`)}`,
  },
  "a gate whose No leads to another page": { what: "any", clicked: "Yes", box: gate("Are you over 18?", "Yes", "No") },
  "a gate in German": {
    what: "any",
    clicked: "Ja, ich bin über 18",
    box: gate("Bist du über 18 Jahre alt?", "Ja, ich bin über 18", "Nein"),
  },
  "a gate in Japanese": {
    what: "any",
    clicked: "はい、18歳以上です",
    box: gate("年齢確認", "はい、18歳以上です", "いいえ"),
  },
  "a gate to enter or to leave": {
    what: "any",
    clicked: "Enter site",
    box: gate("Adults only. You must be 21 or older.", "Enter site", "Exit"),
  },
  "a gate that can only be left": {
    what: "any",
    box: gate("Are you over 18?", "", "No").replace(/<button[^>]*><\/button>/, `<a href="/shop">Yes</a>`),
  },
  "a question that is no question of age": {
    what: "any",
    clicked: "Yes",
    box: gate("Are you a healthcare professional?", "Yes", "No"),
  },
  "terms that are accepted or declined": {
    what: "any",
    box: gate("These funds are for professional investors.", "I accept the terms", "Decline"),
  },
  "a gate that speaks of cookies": {
    box: gate("Are you over 18? By entering our site you agree to our use of cookies.", "Yes, I agree", "No"),
  },
  "a question for the region": {
    what: "any",
    clicked: "Stay here",
    box: `<div class="veil"></div><div class="wall country-selector" role="dialog"><p>You seem to be in another country.</p><select><option>Norway<option>Chile</select><button data-act="close" type="button">Stay here</button><a href="/no">Change region</a></div>`,
  },
  "a question for notifications": {
    what: "any",
    clicked: "Not now",
    box: `<div id="onesignal-slidedown-container" class="wall" style="left:100px;right:100px;top:0"><p>The Gazette would like to send you notifications.</p>${button("accept", "Allow")} ${button("close", "Not now")}</div>`,
  },
  "a wall that wants money": {
    what: "any",
    locks: true,
    style: locked,
    box: `<div class="paywall-overlay" style="position:fixed;left:0;right:0;bottom:0;height:60vh;background:#fff;z-index:99"><h2>Continue reading with a membership</h2><a href="/join">Join</a></div><div class="veil" style="z-index:90"></div>${script(`document.body.className = "locked"`)}`,
  },
  "a bubble of a chat": {
    what: "any",
    box: `<div id="livechat-launcher" style="position:fixed;right:16px;bottom:16px;width:60px;height:60px;border-radius:30px;background:blue;z-index:9999"><button aria-label="Open chat">?</button></div>`,
  },
  "a page that was pinned to the window": {
    locks: true,
    style: pinned,
    box: `<div class="veil"></div><div class="wall"><p>${says}</p>${button("", "Accept all")}</div>${script(`document.body.className = "locked"`)}`,
  },
};

/** Pages that must stay as they are, whatever is asked for. */
export const innocentPages: Readonly<Record<string, string>> = {
  "a sticky head and a pinned menu": `<header style="position:sticky;top:0;background:#eee;z-index:100;padding:8px"><a href="/a">Cookies</a> <a href="/b">Cakes</a> <a href="/c">Privacy</a><button aria-label="Close menu">×</button></header>
    <nav style="position:fixed;left:0;top:60px;width:120px;background:#fed;z-index:99"><a href="/1">Use</a><br><a href="/2">Site</a></nav>${content}`,
  "an article about cookies": `${content}<article><h1>Cookie policy</h1><p>${says} You can accept or reject cookies at any time.</p><button>Accept all</button><button>Reject all</button><button>Close</button></article>`,
  "a recipe for cookies": `<header style="position:fixed;top:0;left:0;right:0;background:#fdb;z-index:10;height:40px">Cookies we use to bake <input type="search"><a href="#menu">Menu</a></header><div style="padding-top:40px">${content}<h1>Chocolate cookies</h1><p>Use butter. Accept no substitutes.</p></div>`,
  "an application that is pinned": `<div id="root" style="position:fixed;inset:0;overflow:auto;background:#fff;z-index:100">${content}<p>${says}</p><button>Reject all</button><button class="close">×</button></div>`,
  "an application in pinned parts": `<style>body{overflow:hidden}</style><div style="position:fixed;top:0;left:0;right:0;height:50px;background:#ccf;z-index:20">Mail <button aria-label="Close">×</button></div>
    <div style="position:fixed;top:50px;left:0;bottom:0;width:150px;background:#eef;z-index:20">Inbox<br>Newsletters<br>Sent</div><div style="position:fixed;top:50px;left:150px;right:0;bottom:0;overflow:auto;z-index:20"><h1>Notifications</h1><p>${"Subscribe to nothing. ".repeat(30)}</p></div>`,
  "a login that is the page": `<header>Example</header><div class="modal" role="dialog" aria-modal="true" style="position:fixed;left:100px;right:100px;top:80px;padding:30px;background:#fff;border:1px solid;z-index:100"><button aria-label="Close">×</button><h1>Sign in</h1><input type="email"><input type="password"><button>Sign in</button></div><footer>Privacy · Terms</footer>`,
  "a page within a dialog": `<dialog open style="width:80%"><h1>Our newsletter</h1><p>${"It comes on Fridays. ".repeat(20)}</p><button>Close</button></dialog>`,
  "a picture that is all there is": `<div class="lightbox overlay" role="dialog" style="position:fixed;inset:0;background:#222;z-index:999"><button class="close">×</button><div style="width:300px;height:200px;margin:100px auto;background:gold"></div></div>`,
  "a consent wall with nothing behind": `<div id="app"></div><div class="wall" style="top:0">${says}<button>Accept all</button></div>`,
  "a carousel": `<div class="carousel" style="position:relative;height:200px;background:olive"><div style="position:absolute;inset:0;z-index:20;background:rgba(0,0,0,.3);color:#fff"><h2>Offers of the week</h2><button class="prev">‹</button><button class="next">›</button><a href="/offer">Subscribe and save</a></div></div>${content}`,
  "a button for help": `${content}<button class="help-button" style="position:fixed;right:20px;bottom:20px;width:50px;height:50px;z-index:99">?</button><a class="back-to-top" href="#" style="position:fixed;right:20px;bottom:90px;z-index:99">↑</a>`,
  "a page in Arabic": `<html dir="rtl" lang="ar"><header style="position:sticky;top:0;background:#eee;z-index:50">الأخبار <a href="/x">الخصوصية</a> <a href="/y">الموقع</a></header>${content}<p>رفض المجلس الاقتراح وقبول الكل كان صعبا.</p><button>رفض</button>`,
  "a form that rejects": `${content}<form class="review" style="position:sticky;bottom:0;background:#efe;padding:10px;z-index:50"><b>Review of the application for use</b> <button>Accept</button> <button>Reject all</button></form>`,
  "a bar with the basket": `${content}<div class="cart-bar" style="position:fixed;left:0;right:0;bottom:0;height:60px;background:#cfc;z-index:90">Total 20 € <button>Buy now</button></div>`,
  "a page that is locked by design": `<style>html,body{height:100%;overflow:hidden}</style><div style="height:100%;overflow:auto">${content}</div>`,
  "an application that hides its consent box": `<style>html,body{height:100%;overflow:hidden}</style><div style="height:100%;overflow:auto">${content}</div><div id="cookie-consent" class="wall" style="display:none">${says}</div>`,
  "a pinned video in the corner": `${content}<div class="player" style="position:fixed;right:10px;bottom:10px;width:200px;height:120px;background:#000;z-index:80"><button aria-label="Close">×</button></div>`,
};

function attribute(html: string): string {
  return html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

const html = (head: string, body: string) =>
  `<!doctype html><meta charset="utf-8"><title>Fixture</title><style>${style}${head}</style>${behaviour}<body>${body}`;

export const dialogPages: Pages = {
  /** The covered page that `page` names; with `bare`, what it is like without its box. */
  "/covered": (query) => {
    const { style = "", box } = coveredPages[query.get("page") ?? ""] ?? { box: "" };
    return query.has("bare") ? html("", content) : html(style, content + box);
  },
  /** With `bar`, a cookie bar lies over it. */
  "/innocent": (query) => {
    const bar = query.has("bar") ? (coveredPages["a bar that only says OK"]?.box ?? "") : "";
    return html("", (innocentPages[query.get("page") ?? ""] ?? "") + bar);
  },
  /** A page that is pinned 80 pixels further up. */
  "/pinned-lower": () =>
    html(
      pinned,
      `${content}<div class="wall">${says}${button("", "Accept all")}</div>${script(`
      document.body.className = "locked"; document.body.style.top = "-80px"`)}`,
    ),
  /** A page that is still locked because of a wall that a style sheet has hidden. */
  "/left-locked": () =>
    html(
      `${locked} #cookie-wall { display: none }`,
      `${content}<div id="cookie-wall" class="wall">${says}</div>${script(`
      document.body.className = "locked"`)}`,
    ),
  /** Rejecting leads to the page without the wall. */
  "/rejects-by-form": (query) =>
    query.has("done")
      ? html("", content)
      : html(
          "",
          `${content}<div class="wall"><p>${says}</p><form><input type="hidden" name="done"><button>Reject all</button></form></div>`,
        ),
  /** A page under a box; the only button to close it, which `label` names, runs `script` instead. */
  "/left-by-a-click": (query) =>
    html(
      "",
      `${content}<div class="veil"></div><div class="wall popup" role="dialog"><h2>${query.get("says") ?? "Our newsletter"}</h2><button type="button" onclick="${attribute(query.get("script") ?? "")}">${query.get("label")}</button></div>`,
    ),
  /** Where it leads to. */
  "/elsewhere": () => `<!doctype html><body style="background:red">`,
  /** A page whose scripts never rest, under a wall that is closed meanwhile or not. */
  "/restless": () =>
    html("", `${content}<div class="wall"><p>${says}</p><button onclick="for (;;);">Reject all</button></div>`),
  /** A page of 4000 elements, over which lies nothing. */
  "/uncovered": () => html("", `${content}<p>${"<span>word <b>word</b></span> ".repeat(2_000)}</p>`),
};
