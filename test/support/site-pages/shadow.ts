// Content in open shadow roots: text, images, and images that load late.
import { PLACEHOLDER } from "../site-pages.ts";
import { css, document, type Pages, script, solidImage } from "./page.ts";

/** The images of `/shadow`, 100 px tall and as wide as the page, at their places from the top. */
export const SHADOW_IMAGES = {
  /** In a shadow root of the markup. */
  declared: { y: 50, colour: [200, 80, 20] },
  /** In a shadow root in a shadow root, both attached by a script. */
  nested: { y: 150, colour: [20, 140, 90] },
  /** With loading=lazy. */
  native: { y: 4000, colour: [90, 20, 160] },
  /** Loaded by an IntersectionObserver. */
  observed: { y: 4100, colour: [160, 160, 10] },
} as const;

export const SHADOW_TEXTS = ["Text in a declared root", "Text in a nested root", "Text in a slot"] as const;

const { declared, nested, native, observed } = SHADOW_IMAGES;
const [declaredText, nestedText, slottedText] = SHADOW_TEXTS;
const style = `<style>img { position: absolute; left: 0; width: 100%; height: 100px; background: ${css(PLACEHOLDER)} }</style>`;
const image = (at: { y: number; colour: readonly number[] }) =>
  `style="top:${at.y}px" alt="" src="${solidImage(at.colour, 50, `shadow-${at.y}`)}"`;

export const shadowPages: Pages = {
  /** The `SHADOW_IMAGES` and `SHADOW_TEXTS`; the page is 4500 px tall. */
  "/shadow": () =>
    document(`<style>body { display: flow-root; position: relative; height: 4500px }</style>
      <x-declared><template shadowrootmode="open">${style}<p>${declaredText}</p><slot></slot><img ${image(declared)}></template><b>${slottedText}</b></x-declared>
      <x-attached></x-attached>
      ${script(`
        customElements.define("x-inner", class extends HTMLElement {
          connectedCallback() {
            const root = this.attachShadow({ mode: "open" });
            root.innerHTML = ${JSON.stringify(`${style}<p>${nestedText}</p><img ${image(nested)}><img loading="lazy" ${image(native)}><img class="observed" ${image(observed).replace(" src=", " data-src=")}>`)};
            const image = root.querySelector(".observed");
            new IntersectionObserver(([entry], observer) => {
              if (!entry.isIntersecting) return;
              observer.disconnect();
              image.src = image.dataset.src;
            }).observe(image);
          }
        });
        customElements.define("x-attached", class extends HTMLElement {
          connectedCallback() { this.attachShadow({ mode: "open" }).append(document.createElement("x-inner")) }
        });
      `)}`),
};
