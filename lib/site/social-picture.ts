// The picture that social networks and chats show with a link to the website: a page that the product captures.
import { iconSvg, SITE_NAME } from "./brand.ts";

/** The size that the Open Graph protocol's readers show without a crop, in pixels. https://ogp.me */
export const SOCIAL_PICTURE_SIZE = { width: 1200, height: 630 };

/** The page of the picture. `capture` is the sample of the landing page, `font` the font of headings as WOFF2. */
export function socialPage(capture: Buffer, font: Buffer): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>
@font-face { font-family: Display; src: url(data:font/woff2;base64,${font.toString("base64")}); font-weight: 400 700 }
body { margin: 0; width: 1200px; height: 630px; overflow: hidden; background: #fbfaf6; color: #1d1b17; font: 400 30px/1.4 Arimo }
main { position: absolute; inset: 64px auto 64px 72px; width: 540px; display: flex; flex-direction: column }
.brand { display: flex; gap: 18px; align-items: center; font: 640 32px/1 Display; letter-spacing: -0.015em }
.brand svg { width: 56px }
h1 { margin: auto 0 24px; font: 640 78px/1 Display; letter-spacing: -0.038em }
p { margin: 0; color: #5d584d }
figure { position: absolute; inset: 92px auto auto 660px; margin: 0; width: 720px; padding: 20px }
figure img { display: block; width: 100%; border: 1px solid #bdb7a8 }
figure::before, figure::after { content: ""; position: absolute; inset-inline: 0; height: 32px; border-left: 4px solid #a34a00 }
figure::before { top: 0; border-top: 4px solid #a34a00; width: 32px }
figure::after { bottom: 0; border-bottom: 4px solid #a34a00; width: 32px }
</style><main><div class="brand">${iconSvg}${SITE_NAME}</div>
<h1>Any page, captured.</h1><p>Images, PDFs, videos, and text of any URL, HTML, or Markdown.</p></main>
<figure><img src="data:image/webp;base64,${capture.toString("base64")}" alt=""></figure></html>`;
}
