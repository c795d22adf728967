// Pages that are complete some time after they have loaded: charts that draw themselves, and elements that come in one by one.
import { packageFile } from "./page-packages.ts";

const CHARTS_COUNT = 6;

/** Chart.js 2.9, as the template SB Admin 2 brings it. */
export const chartLibrary = () => packageFile("startbootstrap-sb-admin-2/vendor/chart.js/Chart.bundle.min.js");

/** A dashboard whose charts draw themselves for a second, which is what Chart.js does by default. */
export const CHARTS = `<!doctype html><html lang="en"><title>Charts</title><style>
body{margin:0;display:grid;grid-template-columns:repeat(2,1fr);gap:24px;padding:24px;background:#f4f5f9;font:15px sans-serif}
figure{margin:0;height:280px;padding:16px;border-radius:12px;background:#fff;box-shadow:0 2px 12px rgb(0 0 0/15%)}</style>
${"<figure><canvas></canvas></figure>".repeat(CHARTS_COUNT)}<script src="/chart.js"></script><script>
const types=["line","bar","doughnut"];
document.querySelectorAll("canvas").forEach((canvas,n)=>{
  const data=Array.from({length:12},(_,i)=>20+(i*37+n*53)%80);
  const colours=data.map((_,i)=>"hsl("+i*30+" 65% 55%)");
  new Chart(canvas,{type:types[n%3],data:{labels:data.map((_,i)=>"Month "+i),datasets:[{label:"Series "+n,data,backgroundColor:colours}]},
    options:{maintainAspectRatio:false,animation:{onComplete(){canvas.dataset.done=""}}}});
})</script>`;

/** True in the page when all of its charts are drawn. */
export const CHARTS_DRAWN = `document.querySelectorAll("canvas[data-done]").length === ${CHARTS_COUNT}`;

const CARDS = 12;

/** Cards that slide and fade in one after the other when they are in view, as libraries for entrance animations have it. */
export const ENTRANCE = `<!doctype html><html lang="en"><title>Entrance</title><style>
body{margin:0;display:grid;grid-template-columns:repeat(3,1fr);gap:24px;padding:24px;background:#10162a;font:18px/1.5 sans-serif}
article{height:210px;padding:16px;border-radius:12px;background:#fff;opacity:0;transform:translateY(60px);transition:opacity .8s,transform .8s}
article.in{opacity:1;transform:none}</style>
${Array.from({ length: CARDS }, (_, n) => `<article><h2>Card ${n}</h2><p>Text of a card that comes in after the one before.</p></article>`).join("")}
<script>
const cards=[...document.querySelectorAll("article")];
const observer=new IntersectionObserver((entries)=>{
  for(const {target,isIntersecting} of entries)
    if(isIntersecting)setTimeout(()=>target.classList.add("in"),100*cards.indexOf(target));
});
cards.forEach((card)=>observer.observe(card))</script>`;

const SECTIONS = 8;

/** Sections that are revealed while they are in the window, as by AOS: of the page, or in the scroller of an application. */
export const reveals = (isInner: boolean) => `<!doctype html><html lang="en"><title>Reveals</title><style>
${isInner ? "html,body{height:100%}main{height:100%;overflow:auto}" : ""}
body{margin:0}section{opacity:0;transform:translateY(40px);transition:opacity .4s,transform .4s}section.in{opacity:1;transform:none}
section div{height:600px;font:20px sans-serif}</style>
<main>${Array.from({ length: SECTIONS }, (_, n) => `<section><div style="background:hsl(${n * 47} 65% 60%)">Section ${n}</div></section>`).join("")}</main>
<script>
const observer=new IntersectionObserver((entries)=>{
  for(const {target,isIntersecting} of entries)target.classList.toggle("in",isIntersecting);
},{threshold:.05});
document.querySelectorAll("section").forEach((section)=>observer.observe(section))</script>`;

/** True in the page when all cards are where they stay. */
export const ENTRANCE_OVER = `document.querySelectorAll(".in").length === ${CARDS} && document.getAnimations().length === 0`;
