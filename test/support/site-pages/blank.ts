// Blank pages of one colour: for a while, forever, or on purpose.
import { box, document, numberIn, type Pages, script } from "./page.ts";

const greenBox = box.replace("background:red", "background:green");
const words = '<p style="margin:120px 40px">Something to read.</p>';

const after = (ms: number, statement: string) =>
  script(`addEventListener("load",()=>setTimeout(()=>{${statement}},${ms}))`);

export const blankPages: Pages = {
  /** Keeps the green box and its words transparent until `after` ms after it has loaded. */
  "/fades-in": (query) =>
    document(
      `<style>body{opacity:0}.shown{opacity:1}</style>${greenBox}${words}${after(
        numberIn(query, "after", 400),
        'document.body.className="shown"',
      )}`,
    ),
  /** Takes its words away once they were painted, and shows the green box `after` ms after it has loaded. */
  "/comes-back": (query) =>
    document(
      `<div id="splash">${words}</div>${after(
        0,
        'requestAnimationFrame(()=>requestAnimationFrame(()=>document.getElementById("splash").remove()))',
      )}${after(numberIn(query, "after", 700), `document.body.innerHTML=${JSON.stringify(greenBox)}`)}`,
    ),
  /** Never shows what it has. */
  "/never-shown": () => document(`<style>body{color:white}</style>${words}`),
  /** Has nothing to show on its ground of a `colour`, and a script. */
  "/shows-nothing": (query) =>
    document(
      `<style>body{background:${query.get("colour") ?? "white"}}</style><div id="root"></div>${script("void 0")}`,
    ),
  /** One colour on purpose. */
  "/one-colour": (query) =>
    `<!doctype html><title>Fixture</title><body style="background:${query.get("colour") ?? "red"}">`,
  /** A single red pixel on white. */
  "/barely-anything": () =>
    document(
      `<div style="position:absolute;left:7px;top:9px;width:1px;height:1px;background:red"></div>${script("void 0")}`,
    ),
};
