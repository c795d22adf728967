// A page that looks different without JavaScript, and reports each of its scripts that runs.
import { document, type Pages, script } from "./page.ts";

/** Heights of what `/scripted` and the page its link leads to show, from the top, in CSS pixels. */
export const SCRIPTED = { height: 2600, noscript: { top: 0, bottom: 2550 }, media: 50, late: 250 } as const;

/** Tells the site that a script has run. */
const tell = (what: string) => `fetch('/ran?${what}')`;

const block = (content: string, style: string) => `<div style="height:50px;${style}">${content}</div>`;

export const scriptedPages: Pages = {
  /**
   * With scripts all is red. Without, it begins and ends with a green `<noscript>`, and what comes second is green by
   * `scripting: none`. `#late` is blue and becomes visible by an animation. The link `#next` leads to `/scripted-next`; all else that can be
   * clicked runs a script.
   */
  "/scripted": () =>
    document(`<style>
        #media { height: 50px; background: red }
        @media (scripting: none) { #media { background: green } }
        #late { visibility: hidden; animation: show 0s 0.3s forwards }
        @keyframes show { to { visibility: visible } }
      </style>
      ${script(tell("script"))}
      <body><noscript>${block("Without scripts", "background:green")}</noscript>
      <div id="media"></div>
      <a id="next" href="/scripted-next" style="display:block;height:50px">Next</a>
      <a id="link" href="javascript:${tell("link")}" style="display:block;height:50px">Link</a>
      <button id="button" onclick="${tell("button")}" style="display:block;height:50px">Button</button>
      <div id="late" style="height:50px;background:blue">Late</div>
      <img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
        onload="${tell("image")}" style="display:block;height:50px">
      <iframe srcdoc="<script>parent.fetch('/ran?frame')</script><noscript>Framed</noscript>"
        style="display:block;height:50px;border:0"></iframe>
      <script src="/scripted.js"></script>
      <div style="height:2150px"></div>
      <noscript>${block("The end", "background:green")}</noscript>`),
  "/scripted.js": (_, answer) => void answer.setHeader("content-type", "text/javascript").end(tell("file")),
  "/scripted-next": () =>
    document(`${script(tell("next"))}<body><noscript>${block("Next", "background:green")}</noscript>`),
  "/ran": (_, answer) => void answer.writeHead(204).end(),
};

/** What has run since the first `seen` requests. */
export function ranIn(requests: readonly { readonly path: string }[], seen = 0): string[] {
  return requests.slice(seen).flatMap(({ path }) => (path.startsWith("/ran?") ? [path.slice("/ran?".length)] : []));
}
