// The pictures of the guide about pages for agents: a form whose elements have numbers.
import { join } from "node:path";
import sharp from "sharp";
import { captureWith } from "../../../test/support/chromium.ts";
import { picturesFolder } from "./pictures-folder.ts";

export const bookingForm = `<!doctype html><title>Harbour Museum</title><meta name="color-scheme" content="light dark"><style>
  body{margin:0;font:17px Arimo;color-scheme:light dark;background:light-dark(#fff,#14242c);color:light-dark(#14242c,#e8eef0)}
  header{display:flex;gap:32px;align-items:center;padding:26px 40px;background:#1f6f78;color:#fff}header b{margin-right:auto;font-size:22px}
  header a{color:#fff}main{display:grid;grid-template-columns:1fr 1fr;gap:48px;padding:32px 40px}h1{font-size:28px;margin:0 0 12px}
  label{display:block;margin:0 0 22px}input,select{display:block;font:inherit;margin-top:6px;padding:8px 10px;width:100%;box-sizing:border-box}
  button{font:inherit;padding:10px 22px;background:#1f6f78;color:#fff;border:0;border-radius:6px}li{margin:0 0 14px}a{color:light-dark(#1f6f78,#7fd1da)}
  .check{display:flex;gap:10px;align-items:center}.check input{width:auto;margin:0}</style>
  <header><b>Harbour Museum</b><a href="/visit">Visit</a><a href="/shows">Exhibitions</a><a href="/shop">Shop</a></header>
  <main><section><h1>Book a visit</h1><p>Charts, logbooks, and one very large lighthouse lens.</p><ul><li><a href="/hours">Opening hours</a>
  <li><a href="/way">How to get here</a><li><a href="/groups">Groups and schools</a></ul></section>
  <form><label>Name <input name="visitor" autocomplete="name"></label><label>Day <select name="day"><option>Saturday<option>Sunday</select></label>
  <label class="check"><input type="checkbox" name="tour" checked> With a guided tour</label><button>Book</button></form></main>`;

/** Writes the form in light and dark colors. */
export async function makeAgentPictures(): Promise<void> {
  for (const name of ["light", "dark"]) {
    const { body } = await captureWith({
      html: bookingForm,
      annotate: true,
      dark_mode: name === "dark",
      viewport_width: 720,
      viewport_height: 420,
    });
    await sharp(body)
      .webp({ quality: 82 })
      .toFile(join(picturesFolder, `annotated-${name}.webp`));
  }
}
