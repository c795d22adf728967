// Bombs of layout and painting: style sheets, SVG, MathML, XSLT and shaders that expand enormously.
import type { Pages } from "../page.ts";
import { list, script } from "../page.ts";
import { type Bombs, harmless, heavy, never } from "./bomb.ts";

const style = (rules: string) => `<style>${rules}</style>`;
const svg = (contents: string) => `<svg width=1000 height=800 xmlns="http://www.w3.org/2000/svg">${contents}</svg>`;

/** Ten times the one before, `levels` times: a billion of them. */
const laughs = (levels: number, each: (level: number, before: string) => string) =>
  list(levels, (level) => each(level + 1, `l${level}`)).join("");

export const drawingBombs: Bombs = {
  "a sheet of 10 MB": { page: style("a{color:red}".repeat(800_000)), ends: heavy },
  "deep elements and rules that look into them": {
    page:
      style("div:has(div div div div div div p){color:red}:has(:has(div))~*{color:red}") +
      "<div>".repeat(500) +
      script("setInterval(() => { document.querySelector('div').append(document.createElement('p')) }, 1)"),
    ends: heavy,
  },
  "variables that multiply": {
    page: `${style(
      `:root{--l0:lol;${laughs(30, (level, before) => `--l${level}:${`var(--${before}) `.repeat(10)};`)}}p{content:var(--l30);font-family:var(--l30)}`,
    )}<p>x`,
    ends: harmless,
  },
  "a sum of 100,000 sums": {
    page: `<p style="width:${"calc(1px + ".repeat(100_000)}1px${")".repeat(100_000)}">x`,
    ends: heavy,
  },
  "a grid of 1,000,000 columns": {
    page: `<div style="display:grid;grid-template-columns:repeat(1000000,1px);grid-template-rows:repeat(1000000,1px)"><p style="grid-column:999999;grid-row:999999">x</div>`,
    ends: heavy,
  },
  "a grid of 10,000 × 10,000 that fits its contents": {
    page: `<div style="display:grid;grid-template-columns:repeat(10000,fit-content(1px));grid-auto-flow:dense">${`<p style="grid-column:1/span 9999">x</p>`.repeat(300)}</div>`,
    ends: heavy,
  },
  "a million columns of text": {
    page: `<div style="columns:1px 1000000;height:9px;column-gap:0">${"x ".repeat(200_000)}</div>`,
    ends: heavy,
  },
  "200,000 counters": {
    page: style("p{counter-increment:c}p::before{content:counters(c,'.') counter(c,armenian)}") + "<p>".repeat(200_000),
    ends: heavy,
  },
  "sheets that import each other for ever": { page: `<link rel=stylesheet href="/bomb/import?n=0">`, ends: heavy },
  "shadows and blurs as large as fields": {
    page: `<div style="width:2000px;height:2000px;box-shadow:0 0 9999px 9999px red${",0 0 5000px 5000px red".repeat(99)};filter:blur(2000px) drop-shadow(0 0 2000px red) blur(999px);backdrop-filter:blur(999px)">x</div>`.repeat(
      9,
    ),
    options: { full_page: true },
    ends: heavy,
  },
  "1,000 layers in space": {
    page:
      style(
        "i{position:absolute;width:3000px;height:3000px;will-change:transform;transform:perspective(9px) rotate3d(1,1,1,9deg);background:#f001;mix-blend-mode:difference}",
      ) + "<i></i>".repeat(1_000),
    ends: heavy,
  },
  "masks in masks": {
    page:
      style(
        "div{mask:linear-gradient(#000,#0008);clip-path:circle(90%);filter:blur(1px);opacity:.9;isolation:isolate;min-height:900px}",
      ) +
      "<div>".repeat(200) +
      "x",
    ends: heavy,
  },
  "a page of 30,000,000 pixels' height": {
    page: `<p style="height:30000000px;background:linear-gradient(red,blue)">x`,
    options: { full_page: true, full_page_max_height: 100_000 },
    ends: heavy,
  },
  "letters with 100,000 accents": { page: `<p>${`x${"\u0301".repeat(100_000)} `.repeat(20)}`, ends: heavy },
  "animations without an end": {
    page:
      style("@keyframes a{to{width:9999px;filter:blur(99px);transform:rotate(1turn)}}p{animation:a 1ms infinite}") +
      "<p>x".repeat(10_000),
    ends: heavy,
  },
  "an SVG that laughs a billion times": {
    page: svg(
      `<g id=l0><circle r=9 /></g>${laughs(10, (level, before) => `<g id=l${level}>${`<use href="#${before}" x=1 />`.repeat(10)}</g>`)}`,
    ),
    ends: heavy,
  },
  "a document that laughs a billion times": {
    page: (_, answer) =>
      void answer
        .setHeader("content-type", "image/svg+xml")
        .end(
          `<!DOCTYPE svg [<!ENTITY l0 "lol">${laughs(12, (level, before) => `<!ENTITY l${level} "${`&${before};`.repeat(10)}">`)}]><svg xmlns="http://www.w3.org/2000/svg"><text y="20">&l12;</text></svg>`,
        ),
    ends: heavy,
  },
  "noise and swollen shapes": {
    page: svg(
      `<filter id=f x=-9 y=-9 width=99 height=99><feTurbulence baseFrequency=.9 numOctaves=9999 /><feMorphology radius=900 operator=dilate /><feGaussianBlur stdDeviation=900 /><feConvolveMatrix order=99 kernelMatrix="${"1 ".repeat(9801)}"/></filter>${`<rect width=9999 height=9999 filter="url(#f)"/>`.repeat(20)}`,
    ),
    ends: heavy,
  },
  "patterns of patterns": {
    page: svg(
      `<pattern id=l0 width=.01 height=.01><circle r=9 /></pattern>${laughs(9, (level, before) => `<pattern id=l${level} width=.1 height=.1><rect width=999 height=999 fill="url(#${before})"/></pattern>`)}<pattern id=self width=.1 height=.1><rect width=99 height=99 fill="url(#self)"/></pattern><rect width=999 height=999 fill="url(#l9)"/><rect width=999 height=999 fill="url(#self)"/>`,
    ),
    ends: heavy,
  },
  "a path of a million corners": {
    page: svg(
      `<path stroke=red stroke-width=9 stroke-dasharray=.001 fill-rule=evenodd d="M0 0${list(300_000, (n) => `L${(n * 7919) % 1000} ${(n * 104729) % 800}`).join("")}"/>`,
    ),
    ends: heavy,
  },
  "formulas in formulas": { page: `<math>${"<msqrt><mfrac><mi>x</mi>".repeat(20_000)}</math>`, ends: heavy },
  "a transformation without an end": {
    page: (_, answer) =>
      void answer
        .setHeader("content-type", "text/xml")
        .end(`<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/bomb/xslt"?><a/>`),
    ends: heavy,
  },
  "a shader without an end": {
    page: `<canvas id=c width=2000 height=2000></canvas>${script(`const gl = c.getContext("webgl2"); const program = gl.createProgram();
      const add = (type, source) => { const shader = gl.createShader(type); gl.shaderSource(shader, "#version 300 es\\nprecision highp float;" + source); gl.compileShader(shader); gl.attachShader(program, shader) };
      add(gl.VERTEX_SHADER, "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4. - 1., 0, 1); }");
      add(gl.FRAGMENT_SHADER, "out vec4 o; uniform float u; void main() { float x = u; for (int n = 0; n < 2000000000; n++) x = sin(x + float(n)); o = vec4(x); }");
      gl.linkProgram(program); gl.useProgram(program); gl.drawArrays(gl.TRIANGLES, 0, 3); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); document.title = "drawn"`)}`,
    ends: never,
  },
  "textures without an end": {
    page: script(
      `const gl = new OffscreenCanvas(1, 1).getContext("webgl2"); for (let n = 0; n < 999; n++) { const texture = gl.createTexture(); gl.bindTexture(gl.TEXTURE_2D, texture); gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 8192, 8192); gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 8192, 8192, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(8192 * 8192 * 4).fill(1)); gl.finish() }`,
    ),
    ends: heavy,
  },
};

export const drawingPages: Pages = {
  "/bomb/import": (query, answer) =>
    void answer.setHeader("content-type", "text/css").end(`@import "/bomb/import?n=${Number(query.get("n")) + 1}";`),
  /** Calls itself twice, a thousand calls deep. */
  "/bomb/xslt": (_, answer) =>
    void answer
      .setHeader("content-type", "text/xsl")
      .end(`<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/"><html><body><xsl:call-template name="t"><xsl:with-param name="n" select="60"/></xsl:call-template></body></html></xsl:template>
<xsl:template name="t"><xsl:param name="n"/><xsl:if test="$n &gt; 0"><xsl:call-template name="t"><xsl:with-param name="n" select="$n - 1"/></xsl:call-template><xsl:call-template name="t"><xsl:with-param name="n" select="$n - 1"/></xsl:call-template></xsl:if></xsl:template>
</xsl:stylesheet>`),
};
