// OVERLAY_LEFT: what covers the page so that it cannot be read.
import { describe, expect, test } from "vitest";
import { judgedCodesOf, problemOf, prose } from "../../../support/problems.ts";
import { sampled } from "../../../support/slow-run.ts";

const page = `<h1>A lighthouse</h1>${prose}`;
const box = (inner: string) =>
  `<div class=x7 style="position:fixed;inset:80px 120px;background:#fff;border:1px solid">${inner}</div>`;

describe("an overlay", () => {
  sampled(test, 4).each([
    [
      "for cookies",
      box("<p>We use cookies and process your data.</p><button>Accept all</button><button>Reject</button>"),
    ],
    ["for a newsletter", box("<h2>10 % off your first order</h2><input type=email><button>×</button>")],
    [
      "in a dialog",
      "<dialog id=d><p>Choose your country</p><button>Go on</button></dialog><script>d.showModal()</script>",
    ],
    [
      "in a shadow root",
      "<x-chat></x-chat><script>document.querySelector('x-chat').attachShadow({mode:'open'}).innerHTML='<div style=\"position:fixed;right:0;bottom:0;width:60%;height:70%;background:#fff\"><p>Hello, how can we help you today?</p></div>'</script>",
    ],
    [
      "to install an app, as an aside",
      `${page}<aside style="position:fixed;inset:auto 0 0;height:420px;background:#143;color:#fff"><b>Leve o Pomona com você</b> <a href=#>Instalar</a> <a href=#>Agora não</a></aside>`,
    ],
    [
      "to install an app, above the heading",
      `<div class="pwa-topbar" style="position:fixed;inset:0 0 auto;height:76px;background:#143;color:#fff"><b>Leve o Pomona com você</b> <button>Instalar</button></div>`,
    ],
  ])("%s is found", async (_, html) => {
    expect(await judgedCodesOf(page + html)).toContain("OVERLAY_LEFT");
  });

  test("is named with its share of the window, and with what hides it", async () => {
    const { evidence, fix } = await problemOf(
      "OVERLAY_LEFT",
      `${page}${box("<h2>Subscribe to our newsletter</h2><button>×</button>")}`,
    );
    expect(evidence).toMatchObject({ selector: "div.x7", rectangle: { x: 120, y: 80 } });
    expect(fix).toMatchObject({ block_banners_by_heuristics: true, hide_selectors: ["div.x7"] });
  });
});

describe("no overlay is", () => {
  sampled(test, 4).each([
    [
      "a bar at the top",
      `<header style="position:fixed;inset:0 0 auto;height:56px;background:#fff"><nav><a href=#>A</a><a href=#>B</a></nav></header><main style="padding-top:60px">${page}</main>`,
    ],
    [
      "a sidebar",
      `<aside style="position:fixed;inset:0 auto 0 0;width:180px;background:#eee"><nav>${"<a href=#>Link</a>".repeat(6)}</nav></aside><main style="margin-left:200px">${page}</main>`,
    ],
    [
      "a fixed footer",
      `${page}${page}${page}<footer style="position:fixed;inset:auto 0 0;height:60px;background:#eee"><a href=#>Impressum</a> <a href=#>Datenschutz</a></footer>`,
    ],
    [
      "the button of a chat",
      `${page}<button style="position:fixed;right:16px;bottom:16px;width:56px;height:56px;border-radius:50%">?</button>`,
    ],
  ])("%s", async (_, html) => {
    expect(await judgedCodesOf(html)).toEqual([]);
  });
});
