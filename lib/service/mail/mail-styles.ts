// The styles of mails. Gmail and Outlook read little of a style sheet, so each element has its styles in an attribute, in light colors; a
// style sheet replaces the colors in readers of mail that know a dark mode.
import { type Html, html, rawHtml } from "../../site/html.ts";

/** Light and dark: the colors of the website's styles, which mails can't load. */
export const mailColors = {
  paper: ["#fbfaf6", "#141413"],
  raised: ["#ffffff", "#1c1b1a"],
  sunken: ["#f3f1ea", "#0e0e0d"],
  ink: ["#1d1b17", "#eae7df"],
  soft: ["#5d584d", "#a8a294"],
  line: ["#e2ded3", "#2f2d2a"],
  accent: ["#a34a00", "#ff9d57"],
  "accent-fill": ["#b45309", "#ff9d57"],
  "on-accent": ["#ffffff", "#1a1310"],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

const BODY = "font-family:system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,sans-serif";
const MONO = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,'Courier New',monospace";
const HEADING = `${BODY};font-weight:700;letter-spacing:-0.018em;color:$ink`;
/** A side of the viewfinder's frame. */
const side = (name: string, width: number) => `border-${name}:${width}px solid $ink`;

/** Declarations by class, in the colors of the palette: `$ink`. */
const declarations = {
  page: "margin:0;padding:0;background-color:$paper;-webkit-text-size-adjust:100%",
  column: "width:100%;max-width:560px",
  name: `padding:0 0 20px;${HEADING};font-size:17px;line-height:20px`,
  card: "padding:32px 32px 16px;background-color:$raised;border:1px solid $line;border-radius:10px",
  heading: `margin:0 0 16px;${HEADING};font-size:22px;line-height:28px`,
  paragraph: `margin:0 0 16px;${BODY};font-size:16px;line-height:25px;color:$ink;overflow-wrap:anywhere`,
  note: `margin:0 0 12px;${BODY};font-size:14px;line-height:21px;color:$soft;overflow-wrap:anywhere`,
  address: "color:$accent;text-decoration:underline",
  code: `padding:10px 9px 10px 14px;${MONO};font-size:30px;line-height:36px;font-weight:600;letter-spacing:0.16em;color:$ink;white-space:nowrap`,
  button: "background-color:$accent-fill;border-radius:6px",
  action: `display:inline-block;padding:12px 22px;${BODY};font-size:16px;line-height:20px;font-weight:600;color:$on-accent;text-decoration:none`,
  command: `margin:0 0 16px;padding:12px 14px;background-color:$sunken;border-radius:6px;${MONO};font-size:14px;line-height:21px;color:$ink;overflow-wrap:anywhere`,
  fact: `padding:9px 16px 9px 0;border-bottom:1px solid $line;${BODY};font-size:14px;line-height:21px;color:$soft;text-align:left;font-weight:400;vertical-align:top;white-space:nowrap`,
  value: `padding:9px 0;border-bottom:1px solid $line;${BODY};font-size:14px;line-height:21px;color:$ink;overflow-wrap:anywhere`,
  footer: `padding:20px 0 0;${BODY};font-size:14px;line-height:24px;color:$soft`,
  "top-left": `${side("top", 2)};${side("left", 2)}`,
  "top-right": `${side("top", 2)};${side("right", 2)}`,
  "bottom-left": `${side("bottom", 2)};${side("left", 2)}`,
  "bottom-right": `${side("bottom", 2)};${side("right", 2)}`,
  dot: "background-color:$accent-fill;border-radius:4px",
} as const;

export type MailClass = keyof typeof declarations;

const inColors = (css: string, scheme: 0 | 1) =>
  css.replace(/\$([a-z-]+)/g, (_, color: keyof typeof mailColors) => mailColors[color][scheme]);

/** The attributes of an element. */
export function styled(name: MailClass): Html {
  return html`class="${name}" style="${inColors(declarations[name], 0)}"`;
}

/** The style sheet: dark colors, and less space around the text of narrow windows. */
export function mailStyleSheet(): Html {
  const dark = Object.entries(declarations).flatMap(([name, css]) => {
    const colored = css.split(";").filter((declaration) => declaration.includes("$"));
    return colored.length === 0
      ? []
      : [`.${name}{${colored.map((each) => `${inColors(each, 1)}!important`).join(";")}}`];
  });
  return rawHtml(
    `:root{color-scheme:light dark;supported-color-schemes:light dark}` +
      `@media (max-width:480px){.card{padding:24px 20px 8px!important}}` +
      `@media (prefers-color-scheme:dark){${dark.join("")}}`,
  );
}
