// Pages that do harm or never come to an end.
import { box, document, type Pages } from "./page.ts";

export const hostilePages: Pages = {
  "/navigates-for-ever": () =>
    document(`<script>setTimeout(() => { location.href = "/navigates-for-ever?" + Math.random() }, 30)</script>`),

  /** A red box, and a file to download that it begins by itself. */
  "/begins-download": () => document(`${box}<script>location.href = "/download"</script>`),

  "/script-for-ever": () => document(`${box}<script>for (;;);</script>`),
  "/alert": () => document(`<script>alert(1); confirm(2); prompt(3)</script>${box}`),

  /** Takes 10 MB more every 10 ms. */
  "/memory-bomb": () =>
    document(`<script>const hoard = []; setInterval(() => hoard.push(new Uint8Array(1e7).fill(1)), 10)</script>`),
};
