// Pages with advertisements and trackers, loaded from hosts of filter lists.
import { bands, document, list, numberIn, type Pages, script } from "./page.ts";

/** What an advertisement looks like until it has come. */
const room = (height: number) => `display:block;height:${height}px;background:magenta`;

/** Places of advertisements, as they stand between the parts of an article, by who fills them. */
export const adPlaces: Readonly<Record<string, string>> = {
  "Google Ad Manager": `
    <div id="div-gpt-ad-1618914223034-0" style="${room(250)};min-width:300px">
      <script>googletag.cmd.push(() => googletag.display("div-gpt-ad-1618914223034-0"))</script>
    </div>`,
  "Google AdSense": `
    <ins class="adsbygoogle" style="${room(280)}" data-ad-client="ca-pub-0000000000000000" data-ad-slot="1234567890"
      data-ad-format="auto" data-full-width-responsive="true"></ins>
    <script>(window.adsbygoogle = window.adsbygoogle || []).push({})</script>`,
  Taboola: `
    <div id="taboola-below-article-thumbnails" style="${room(400)}"></div>
    <script>(window._taboola = window._taboola || []).push({ mode: "thumbnails-a", placement: "Below Article" })</script>`,
  Outbrain: `<div class="OUTBRAIN" data-src="https://news.example/a" data-widget-id="AR_1" style="${room(300)}"></div>`,
  "a frame of Google's": `
    <iframe id="google_ads_iframe_/1234/leaderboard_0" title="3rd party ad content" width="728" height="90" frameborder="0"
      style="${room(90)}" src="https://tpc.googlesyndication.com/safeframe/1-0-40/html/container.html"></iframe>`,
  "a frame of another network's": `
    <iframe style="${room(120)}" frameborder="0" src="https://ads.yieldmo.com/exchange/slot?p=1"></iframe>`,
  "a banner with a link": `
    <a href="https://ad.doubleclick.net/ddm/clk/1;2" style="display:block"><img width="468" height="60" style="${room(60)}"
      src="https://ad.doubleclick.net/ddm/ad/N1/banner.gif"></a>`,
};

/** Scripts and pixels of pages with advertisements, all of them from hosts of filter lists. */
const loaders = [
  "https://securepubads.g.doubleclick.net/tag/js/gpt.js",
  "https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=ca-pub-0000000000000000",
  "https://cdn.taboola.com/libtrc/news-example/loader.js",
  "https://widgets.outbrain.com/outbrain.js",
  "https://c.amazon-adsystem.com/aax2/apstag.js",
];
export const trackerScripts = [
  "https://www.googletagmanager.com/gtag/js?id=G-0000000000",
  "https://www.google-analytics.com/analytics.js",
  "https://connect.facebook.net/en_US/fbevents.js",
  "https://static.hotjar.com/c/hotjar-1.js?sv=6",
];
const pixels = [
  "https://www.facebook.com/tr?id=1&ev=PageView&noscript=1",
  "https://sb.scorecardresearch.com/p?c1=2&c2=1",
  "https://px.ads.linkedin.com/collect/?pid=1&fmt=gif",
];

const asyncScript = (address: string) => `<script async src="${address}"></script>`;
const pixel = (address: string) => `<img src="${address}" width="1" height="1" style="display:none" alt="">`;

export const adPages: Pages = {
  /** An article: a band of 100 px (see `/bands`), then a place for an advertisement, and so on; and trackers. */
  "/news": () => {
    const places = Object.values(adPlaces);
    return document(`<script>window.googletag = { cmd: [] }</script>${loaders.map(asyncScript).join("")}
      ${trackerScripts.map(asyncScript).join("")}
      ${places.map((place, index) => `${bands(1, index)}${place}`).join("")}${bands(1, places.length)}
      ${pixels.map(pixel).join("")}`);
  },

  /**
   * Bands, between which advertisements of `/news` appear: the first after `after` ms, each next one as much later. Its
   * background is green once all are there.
   */
  "/late-ads": (query) => {
    const after = numberIn(query, "after", 50);
    const places = Object.values(adPlaces).slice(0, 2);
    return document(
      `${bands(places.length + 1)}${script(`
      const places = ${JSON.stringify(places).replaceAll("<", "\\u003c")};
      places.forEach((html, index) => setTimeout(() => {
        document.getElementById("band-" + index).insertAdjacentHTML("afterend", html);
        if (index === places.length - 1) document.body.style.background = "green";
      }, ${after} * (index + 1)));`)}`,
    );
  },

  /** An article without anything to block, whose classes and words are close to what lists look for. */
  "/innocent": () =>
    document(`<style>nav{background:#eee;padding:8px} .lead{color:navy} .card{border:1px solid #999;padding:8px}</style>
      <nav class="navigation main-nav" id="header"><a href="/adventures">Adventures</a> <a href="/badges">Badges</a></nav>
      <main class="article content" id="content"><h1 class="headline">A lead on radio and roads</h1>
      <p class="lead">How to add, pad and download. An article about advertising and cookies is one all the same.</p>
      <div class="card shadow" id="loading"><img src="/solid-image?colour=0,0,200&name=photo" width="80" height="60"></div>
      <div class="sidebar"><ul class="list-unstyled">${list(20, (n) => `<li class="item item-${n}">Item ${n}</li>`).join("")}</ul></div>
      <iframe src="/bands?count=1" width="200" height="60"></iframe></main>`),

  /** As many elements as `count` says, each with an id and two classes of its own, and a green ground at their end. */
  "/many-names": (query) => {
    const count = numberIn(query, "count", 2000);
    const elements = list(count, (n) => `<b id="i-${n}" class="c-${n} d-${n}">${n}</b>`).join(" ");
    return document(`${elements}${script(`document.body.style.background = "green"`)}`);
  },

  /** Makes elements with names of their own for ever, twenty at a time. Its ground is green. */
  "/endless-names": () =>
    document(
      `<body style="background:green">${script(`
      let n = 0;
      setInterval(() => {
        for (let i = 0; i < 20; i++, n++) {
          const element = document.createElement("i");
          Object.assign(element, { id: "e" + n, className: "f" + n });
          document.body.append(element);
          if (n > 100) document.body.firstElementChild.remove();
        }
      }, 1);`)}`,
    ),

  /**
   * Asks its own site for one thing of each kind, at paths such as `/asked/image`; the site knows which came. Dedicated,
   * shared and service workers ask, too.
   */
  "/asks-for-all": () =>
    document(`<link rel="stylesheet" href="/asked/stylesheet"><link rel="manifest" href="/asked/manifest">
      <style>@font-face{font-family:asked;src:url(/asked/font)} body{font-family:asked}</style>Text
      <img src="/asked/image"><iframe src="/asked/document"></iframe><script src="/asked/script"></script>
      <video src="/asked/media"><track default kind="captions" src="/asked/texttrack"></video>${script(`
        fetch("/asked/fetch");
        const asking = new XMLHttpRequest();
        asking.open("GET", "/asked/xhr");
        asking.send();
        new EventSource("/asked/eventsource");
        new WebSocket("ws://" + location.host + "/asked/websocket");
        navigator.sendBeacon("/asked/other");
        new Worker("/asks.js?worker");
        document.querySelector("track").track.mode = "showing";
      `)}`),
  "/asks.js": (query, answer) => {
    const who = [...query.keys()][0] ?? "";
    const text = `fetch("/asked/${who}-fetch"); new WebSocket("ws://" + location.host + "/asked/${who}-websocket");`;
    return void answer.setHeader("content-type", "text/javascript").end(text);
  },
};
