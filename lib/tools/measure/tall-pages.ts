// Tall pages of a known height: an article with photographs, bands of known colours, a table, and noise.
import sharp from "sharp";

const SECTION = 500;
const BAND = 100;

/** How many photographs there are, each of 640 × 400 pixels. */
export const PHOTOS = 12;

/** An article of `height` CSS pixels, a photograph in each section; all but the first few load lazily. */
export function article(height: number): string {
  return sections(height, (n) => `src="${photoPath(n)}"${n > 3 ? ' loading="lazy"' : ""}`, ANCHORS);
}

/** The same article, whose script gives a photograph its address when it comes near the window. */
export function lazyArticle(height: number): string {
  return sections(height, (n) => `data-src="${photoPath(n)}"`, LAZY_LOADER);
}

/** The same article, whose sections come in with a transition while they are in view and go when they leave it. */
export function revealArticle(height: number): string {
  return sections(height, (n) => `src="${photoPath(n)}"`, REVEALS);
}

const photoPath = (n: number) => `/photo-${n % PHOTOS}?${n}`;

const ANCHORS = `document.querySelectorAll("h2").forEach((title) => title.after(document.createComment("anchor")))`;

const LAZY_LOADER = `
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      target.src = target.dataset.src;
      observer.unobserve(target);
    }
  }, { rootMargin: "100px" });
  document.querySelectorAll("img").forEach((image) => observer.observe(image))`;

const REVEALS = `
  document.head.insertAdjacentHTML("beforeend", "<style>section{opacity:0;transform:translateY(60px);transition:opacity .6s,transform .6s}.in{opacity:1;transform:none}</style>");
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) target.classList.toggle("in", isIntersecting);
  });
  document.querySelectorAll("section").forEach((section) => observer.observe(section))`;

function sections(height: number, source: (n: number) => string, script: string): string {
  const all = Array.from({ length: height / SECTION }, (_, n) => {
    const text = Array.from({ length: 3 }, (_, paragraph) => `<p>${sentences(n * 3 + paragraph)}</p>`).join("");
    return `<section id="s${n}"><h2>${n + 1}. ${TITLES[n % TITLES.length]}</h2><figure><img ${source(n)}
      width="448" height="280" alt=""><figcaption>Figure ${n + 1}</figcaption></figure>${text}</section>`;
  });
  return `<!doctype html><html lang="en"><title>An article</title><style>
    body{margin:0;background:#fffdf8;color:#223;font:17px/1.55 serif}
    section{box-sizing:border-box;height:${SECTION}px;overflow:hidden;padding:24px 160px;border-bottom:1px solid #ddd}
    section:nth-child(even){background:#f4f6fa}figure{float:right;margin:0 0 16px 32px}img{border-radius:8px;box-shadow:0 4px 16px rgb(0 0 0/20%)}
    h2{margin:0 0 8px;font:600 28px/1.3 sans-serif}</style>${all.join("\n")}
    <script>${script}</script>`;
}

/** A page of `height` CSS pixels in bands of 100, each with a text. */
export function bands(height: number): string {
  const all = Array.from({ length: height / BAND }, (_, n) => {
    return `<div style="background:rgb(${bandColour(n * BAND)})">Rows from ${n * BAND}</div>`;
  });
  return `<!doctype html><html lang="en"><title>Bands</title>
    <style>body{margin:0}div{height:${BAND}px;font:40px/${BAND}px sans-serif}</style>${all.join("")}`;
}

/** A table of `rows` rows and 12 columns. */
export function longTable(rows: number): string {
  const cells = (row: number) =>
    Array.from({ length: 12 }, (_, column) => `<td>${row * 12 + column} cell</td>`).join("");
  const all = Array.from({ length: rows }, (_, row) => `<tr>${cells(row)}</tr>`);
  return `<!doctype html><html lang="en"><title>A table</title>
    <style>td{border:1px solid #999;padding:2px 4px}</style><table>${all.join("")}</table>`;
}

/** A page of `height` CSS pixels in which no pixel reports another: a PNG of it has three bytes for each of them. */
export function noise(height: number): string {
  return `<!doctype html><html lang="en"><title>Noise</title>
    <style>body{margin:0}canvas{display:block}</style><canvas width="1280" height="${height}"></canvas><script>
    const pen=document.querySelector("canvas").getContext("2d"),image=pen.createImageData(1280,${height});
    const pixels=new Uint32Array(image.data.buffer);
    for(let at=0,state=1;at<pixels.length;at++){
      state^=state<<13;state^=state>>>17;state^=state<<5;
      pixels[at]=state|0xff000000;
    }
    pen.putImageData(image,0,0)</script>`;
}

/** The rows of a picture of `bands` that are not as they should be, of every 1,000th row and the one before it. */
export async function wrongBands(png: Buffer, height: number): Promise<string[]> {
  const image = sharp(png, { limitInputPixels: false });
  const { width, height: found } = await image.metadata();
  if (found !== height) return [`all: there are ${found} of ${height}`];
  const edge = { left: width - 1, top: 0, width: 1, height };
  const pixels = await image.extract(edge).removeAlpha().raw().toBuffer();
  const rows = Array.from({ length: height / 1000 }, (_, n) => [n * 1000, n * 1000 + 999]).flat();
  return rows
    .filter((row) => String([...pixels.subarray(row * 3, row * 3 + 3)]) !== String(bandColour(row)))
    .map(String);
}

/** Red, green and blue of a row, at the right edge, where no text is. No two neighbours are alike. */
function bandColour(row: number): [number, number, number] {
  const n = Math.floor(row / BAND);
  return [(n * 37) % 256, (n * 101) % 256, n % 256];
}

/** A JPEG that is as hard to encode again as a photograph is: shapes, gradients and grain, always the same. */
export async function photo(n: number): Promise<Buffer> {
  const [width, height] = [640, 400];
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) {
    const [x, y, channel] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width), at % 3];
    const shape = Math.sin(x / (23 + n) + channel) * Math.cos(y / (17 + 2 * n)) + Math.sin((x + y) / (61 - n));
    const grain = (Math.imul(at + 1, 2654435761) >>> 27) - 16;
    pixels[at] = Math.min(255, Math.max(0, 128 + 50 * shape + grain));
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 82 })
    .toBuffer();
}

const TITLES = ["The harbour in winter", "What the tide leaves", "A walk to the lighthouse", "Boats and their names"];

const CLAUSES = [
  "The boats lie on the mud when the water has gone",
  "no one remembers who built the wall",
  "in the evening the lamps are lit one after another",
  "an old map shows the channel further to the east",
  "gulls follow the plough as far as the church",
  "the ferry has not called here for thirty years",
];

function sentences(seed: number): string {
  return Array.from({ length: 5 }, (_, n) => {
    return `${CLAUSES[(seed + n) % CLAUSES.length]}, and ${CLAUSES[(seed * 5 + n * 3 + 1) % CLAUSES.length]}.`;
  }).join(" ");
}
