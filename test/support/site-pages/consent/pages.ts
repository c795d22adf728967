// Pages with consent banners that lock scrolling and record clicks. Without a banner they are green.
import type { ServerResponse } from "node:http";
import { document, type Page, type Pages, script } from "../page.ts";
import { type ConsentBanner, consentBanners } from "./platforms.ts";

/** A banner fades out for this long, and is gone then. */
const FADE_MS = 150;

/**
 * `/consent/<name>` for each of `consentBanners`. With `?late=<ms>` the banner comes so long after the load event. What
 * was clicked is the attribute `data-answers` of the html element: names of answers, oldest first.
 */
export const consentPages: Pages = {
  ...Object.fromEntries(
    Object.entries(consentBanners).map(([name, banner]): [string, Page] => [
      `/consent/${name}`,
      (query, answer) => behind(banner, { late: query.get("late"), host: hostOf(answer) }),
    ]),
  ),

  /** Rejecting leads to the same page again, which remembers it. */
  "/consent/reloads": (_, answer) => {
    if (answer.req.headers.cookie?.includes("consent=no")) return behind(undefined);
    const { "cookie-script": banner } = consentBanners;
    return behind(banner, {
      after: `document.cookie = "consent=no; path=/consent"; setTimeout(() => location.reload(), 50);`,
    });
  },

  /** The platform says that it is about to show its banner, long after the page has loaded. */
  "/consent/announced": () => {
    const { onetrust: banner } = consentBanners;
    const script = `window.__tcfapi = (command, version, tell) => tell({ cmpStatus: "loading" });`;
    return banner ? behind({ ...banner, script }, { late: "400" }) : "";
  },

  /** Accept or pay. */
  "/consent/paywall": () => {
    const { sourcepoint: banner } = consentBanners;
    return banner ? behind({ ...banner, html: banner.html.replace("?", "?pay=1&") }) : "";
  },

  /** A banner that stays, whatever is clicked. */
  "/consent/stays": () => behind(consentBanners["complianz"], { after: "stay();" }),

  /** Rejecting leads to another page. */
  "/consent/leaves": () => behind(consentBanners["complianz"], { after: `location.href = "/consent/none?left";` }),

  /** Nothing but what accepts. */
  "/consent/accept-only": () =>
    behind({
      platform: "HubSpot",
      html: `<div id="hs-eu-cookie-confirmation" style="position:fixed;inset:0;background:rgb(200,0,0)"><p>We use cookies.</p>
        <button data-answer="accept" id="hs-eu-confirmation-button">OK</button></div>`,
    }),

  /** A banner in the markup, which needs no script to be seen. */
  "/consent/written": () =>
    document(`${ground}<p>What the page has to say.</p>${consentBanners["complianz"]?.html ?? ""}`),

  /** The platform is there, and has nothing to ask. */
  "/consent/silent": () =>
    document(
      `${ground}<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" style="display:none">…</div></div>`,
    ),

  "/consent/none": () => document(`${ground}<p>A page without a banner.</p>${script("void 0;")}`),

  /** What Sourcepoint and TrustArc show in frames. */
  "/index.html": (query) =>
    framed(
      query.has("pay")
        ? `<div class="message type-modal"><button data-answer="accept" class="message-component message-button no-children sp_choice_type_11">Accept</button>
      <button data-answer="settings" class="message-component message-button no-children sp_choice_type_9">Subscribe</button></div>`
        : `<div class="message-container"><div class="message type-modal"><p class="message-component">We value your privacy</p>
      <button data-answer="settings" class="message-component message-button no-children sp_choice_type_12" title="Options">Options</button>
      <button data-answer="reject" class="message-component message-button no-children sp_choice_type_13" title="Reject all">Reject all</button>
      <button data-answer="accept" class="message-component message-button no-children sp_choice_type_11" title="Accept all">Accept all</button></div></div>`,
    ),
  "/consent/inside": () =>
    framed(`<div class="mainContent"><div class="pdynamicbutton"><a href="#" role="button" data-answer="accept" class="call">Agree and proceed</a>
      <a href="#" role="button" data-answer="reject" class="required rejectAll">Required only</a></div></div>`),
};

const ground = `<style>html{background:rgb(0,128,0)}body{min-height:3000px}.locked,.locked body{overflow:hidden}[hidden]{display:none!important}</style>`;

interface Way {
  readonly late?: string | null;
  readonly host?: string;
  /** What the page does in place of taking the banner away. */
  readonly after?: string;
}

function behind(banner: ConsentBanner | undefined, { late, host = "", after = "" }: Way = {}): string {
  if (!banner) return document(`${ground}<p>What the page has to say.</p>`);
  const { html, goes, locks, script: platform = "" } = banner;
  const port = host.split(":")[1] ?? "80";
  const { on = "body", className = "locked" } = locks ?? {};
  return document(`${ground}<style>.${className}{overflow:hidden}</style><p>What the page has to say.</p>
    <template id="banner">${html.replaceAll("PORT", port)}</template>
    ${script(`
      const root = document.documentElement;
      const record = (answer) => { root.dataset.answers = [root.dataset.answers, answer].filter(Boolean).join(" "); };
      const locked = document.querySelector(${JSON.stringify(on)});
      let isStaying = false;
      const stay = () => { isStaying = true; };
      const goesAway = () => [...${goes === undefined ? `document.querySelectorAll("[data-banner]")` : `document.querySelectorAll(${JSON.stringify(goes)})`}];
      const answer = (what) => {
        record(what);
        ${after}
        if (isStaying || !goesAway().length) return;
        root.dataset.leaving = "true";
        for (const box of goesAway()) {
          box.style.transition = "opacity ${FADE_MS}ms";
          box.style.opacity = "0";
          setTimeout(() => box.remove(), ${FADE_MS});
        }
        setTimeout(() => {
          locked.classList.remove(${JSON.stringify(className)});
          delete root.dataset.leaving;
        }, ${FADE_MS});
      };
      const press = (what) => {
        if (what === "switch") return record("switch");
        if (what !== "settings") return answer(what);
        record("settings");
        for (const part of document.querySelectorAll("[data-banner][hidden], [data-banner] [hidden]")) part.hidden = false;
        for (const frame of document.querySelectorAll("iframe[data-src]")) frame.src = frame.dataset.src;
      };
      addEventListener("click", (event) => {
        const pressed = event.composedPath().find((part) => part.dataset?.answer);
        if (!pressed) return;
        if (pressed.tagName === "A") event.preventDefault();
        press(pressed.dataset.answer);
      });
      addEventListener("message", ({ data }) => press(data));
      ${platform}
      const show = () => {
        for (const part of [...document.getElementById("banner").content.children]) {
          part.dataset.banner = "";
          document.body.append(withShadows(part));
        }
        locked.classList.add(${JSON.stringify(className)});
      };
      const withShadows = (part) => {
        for (const template of part.querySelectorAll("template[shadowrootmode]")) {
          const host = template.parentElement;
          host.attachShadow({ mode: "open" }).append(template.content);
          template.remove();
        }
        return part;
      };
      ${late ? `addEventListener("load", () => setTimeout(show, ${Number(late)}));` : "show();"}`)}`);
}

function framed(html: string): string {
  return `<!doctype html><title>Consent</title><style>html{background:rgb(200,0,0)}</style>${html}
    <script>addEventListener("click", ({ target }) => {
      const pressed = target.closest("[data-answer]");
      if (pressed) parent.postMessage(pressed.dataset.answer, "*");
    })</script>`;
}

const hostOf = ({ req }: ServerResponse) => req.headers.host ?? "";
