// Pages that never stand still, as a tenth of marketing pages: particles, endless animations, WebGL scenes, a Lottie
// animation, a video background, and a ticker with live prices.
import { once } from "../../service/aws/clients/once.ts";
import { engineCapture } from "./engine-capture.ts";
import { CIRCLES } from "./moving-pages.ts";

const document = (title: string, style: string, body: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>${title}</title><style>body{margin:0;font:18px/1.5 sans-serif}section{box-sizing:border-box;height:900px;padding:60px}${style}</style>${body}`;

const SECTIONS = ["Our product", "Features", "Pricing"]
  .map(
    (title) =>
      `<section><h2>${title}</h2><p>${"A sentence about it, as such pages have them. ".repeat(6)}</p></section>`,
  )
  .join("");

/** 160 points in a canvas behind the page, joined by lines where they are close. */
const PARTICLES = document(
  "Particles",
  "canvas{position:fixed;inset:0;z-index:-1}",
  `<canvas></canvas>${SECTIONS}<script>
const canvas=document.querySelector("canvas"),context2d=canvas.getContext("2d");
const {width,height}=Object.assign(canvas,{width:innerWidth,height:innerHeight});
const points=Array.from({length:160},(_,n)=>({x:n*.618%1*width,y:n*.414%1*height,dx:n%7/7-.5,dy:n%5/5-.5}));
requestAnimationFrame(function draw(){
  context2d.clearRect(0,0,width,height);
  context2d.fillStyle="#36c";
  context2d.strokeStyle="rgba(50,100,200,.2)";
  for(const one of points){
    one.x+=one.dx;
    one.y+=one.dy;
    if(one.x<0||one.x>width)one.dx*=-1;
    if(one.y<0||one.y>height)one.dy*=-1;
    context2d.beginPath();
    context2d.arc(one.x,one.y,2,0,7);
    context2d.fill();
    for(const other of points){
      if((one.x-other.x)**2+(one.y-other.y)**2>9000)continue;
      context2d.beginPath();
      context2d.moveTo(one.x,one.y);
      context2d.lineTo(other.x,other.y);
      context2d.stroke();
    }
  }
  requestAnimationFrame(draw);
})</script>`,
);

/** 440 elements, each with two endless animations. */
const ANIMATIONS = document(
  "Animations",
  `section{height:auto;padding:10px;min-height:900px}i{display:inline-block;width:60px;height:60px;margin:10px;
background:linear-gradient(45deg,#f60,#06f);animation:turn 3s linear infinite,pulse 2s infinite}
@keyframes turn{to{transform:rotate(1turn)}}@keyframes pulse{50%{opacity:.3}}`,
  Array.from({ length: 4 }, (_, part) => {
    const all = Array.from(
      { length: 110 },
      (_, n) => `<i style="animation-delay:-${((part * 110 + n) * 37) % 3000}ms"></i>`,
    );
    return `<section><h2>Part ${part}</h2>${all.join("")}</section>`;
  }).join(""),
);

const three = (title: string, style: string, body: string, script: string) =>
  document(
    title,
    style,
    `<script type="importmap">{"imports":{"three":"/package/three/build/three.module.js"}}</script>${body}<script type="module">
import * as THREE from "three";
const canvas=document.querySelector("canvas");
const renderer=new THREE.WebGLRenderer({canvas,antialias:true});
const {clientWidth:width,clientHeight:height}=canvas;
renderer.setSize(width,height,false);
const scene=new THREE.Scene(),camera=new THREE.PerspectiveCamera(50,width/height,.1,100);
scene.background=new THREE.Color(0x102030);
camera.position.z=5;
${script}
renderer.setAnimationLoop((time)=>{
  scene.children[0].rotation.y=time/2000;
  renderer.render(scene,camera);
})</script>`,
  );

const TORUS = `
const knot=new THREE.TorusKnotGeometry(1,.35,160,32);
scene.add(new THREE.Mesh(knot,new THREE.MeshStandardMaterial({color:0xff8844,roughness:.35,metalness:.2})));
const light=new THREE.DirectionalLight(0xffffff,3);
light.position.set(2,3,4);
scene.add(light,new THREE.AmbientLight(0xffffff,.6));`;

const POINTS = `
const positions=Float32Array.from({length:9000},(_,n)=>(n*[.618034,.414214,.732051][n%3]%1-.5)*8);
const cloud=new THREE.BufferGeometry();
cloud.setAttribute("position",new THREE.BufferAttribute(positions,3));
scene.add(new THREE.Points(cloud,new THREE.PointsMaterial({color:0x66ccff,size:.05})));`;

/** A torus in a corner of the first section. */
const WEBGL_TORUS = three(
  "Torus",
  "canvas{display:block;width:480px;height:360px}",
  `<section><h1>Our product</h1><canvas></canvas></section>${SECTIONS}`,
  TORUS,
);

/** 3,000 points above the text. */
const WEBGL_HERO = three(
  "Hero",
  "canvas{display:block;width:100%;height:600px}",
  `<canvas></canvas>${SECTIONS}`,
  POINTS,
);

/** A scene that is the page. */
const WEBGL_PAGE = three(
  "Scene",
  "body{overflow:hidden}canvas{display:block;width:100vw;height:100vh}",
  "<canvas></canvas>",
  TORUS,
);

/** Keyframes without easing. */
const LINEAR = { i: { x: [1], y: [1] }, o: { x: [0], y: [0] } };

/** A ring that is drawn and erased, and a square that turns, in the format of Bodymovin. */
const LOTTIE_ANIMATION = {
  v: "5.7.0",
  fr: 60,
  ip: 0,
  op: 120,
  w: 400,
  h: 400,
  layers: [
    layer("Square", 1, {
      r: {
        a: 1,
        k: [
          { t: 0, s: [0], e: [360], ...LINEAR },
          { t: 120, s: [360] },
        ],
      },
      shapes: [
        { ty: "rc", s: { a: 0, k: [120, 120] }, p: { a: 0, k: [0, 0] }, r: { a: 0, k: 12 } },
        { ty: "fl", c: { a: 0, k: [0.95, 0.4, 0.2, 1] }, o: { a: 0, k: 100 } },
      ],
    }),
    layer("Ring", 2, {
      r: { a: 0, k: 0 },
      shapes: [
        { ty: "el", s: { a: 0, k: [300, 300] }, p: { a: 0, k: [0, 0] } },
        { ty: "st", c: { a: 0, k: [0.2, 0.4, 0.9, 1] }, o: { a: 0, k: 100 }, w: { a: 0, k: 20 }, lc: 2, lj: 2 },
        {
          ty: "tm",
          s: { a: 0, k: 0 },
          e: {
            a: 1,
            k: [
              { t: 0, s: [20], e: [100], ...LINEAR },
              { t: 60, s: [100], e: [20], ...LINEAR },
              { t: 120, s: [20] },
            ],
          },
          o: { a: 0, k: 0 },
          m: 1,
        },
      ],
    }),
  ],
};

function layer(name: string, ind: number, { r, shapes }: { readonly r: object; readonly shapes: readonly object[] }) {
  const transform = {
    o: { a: 0, k: 100 },
    r,
    p: { a: 0, k: [200, 200, 0] },
    a: { a: 0, k: [0, 0, 0] },
    s: { a: 0, k: [100, 100, 100] },
  };
  const group = {
    ty: "gr",
    it: [
      ...shapes,
      {
        ty: "tr",
        p: { a: 0, k: [0, 0] },
        a: { a: 0, k: [0, 0] },
        s: { a: 0, k: [100, 100] },
        r: { a: 0, k: 0 },
        o: { a: 0, k: 100 },
      },
    ],
  };
  return { ddd: 0, ind, ty: 4, nm: name, sr: 1, ks: transform, ao: 0, shapes: [group], ip: 0, op: 120, st: 0, bm: 0 };
}

const LOTTIE = document(
  "Lottie",
  "#animation{width:400px;height:400px}",
  `<section><h1>Our product</h1><div id="animation"></div></section>${SECTIONS}
<script src="/package/lottie-web/build/player/lottie.min.js"></script><script>
lottie.loadAnimation({container:document.querySelector("#animation"),renderer:"svg",loop:true,autoplay:true,animationData:${JSON.stringify(LOTTIE_ANIMATION)}})</script>`,
);

/** A video that plays without end behind the first text. */
const VIDEO = document(
  "Video background",
  "header{position:relative;height:700px;color:#fff}video{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;z-index:-1}h1{margin:0;padding:200px 60px}",
  `<header><video src="/background.webm" autoplay muted loop playsinline></video><h1>Our product</h1></header>${SECTIONS}`,
);

/** The video of that page as WebM: two seconds, recorded once. */
export const backgroundVideo = once(async () => {
  const options = { html: CIRCLES, format: "webm", video_duration: 2, viewport_width: 640, viewport_height: 360 };
  return (await engineCapture({ allow: [], isOffline: true })(options)).body;
});

/** Prices that change each 400 ms in a line that a script moves without end, and one that an animation moves. */
const TICKER = document(
  "Ticker",
  `.ticker{overflow:hidden;white-space:nowrap;background:#111;color:#9f9}.ticker span{display:inline-block;padding:8px 24px}
#styled{display:inline-block;animation:move 12s linear infinite}#scripted{display:inline-block;will-change:transform}
@keyframes move{to{transform:translateX(-50%)}}`,
  `<div class="ticker"><div id="styled"></div></div><div class="ticker"><div id="scripted"></div></div>${SECTIONS}<script>
const names=["ACME","GLBX","INIT","UMBR","HOLI","STRK","WAYN","CYBR","SOYL","TYRL"];
for(const id of ["styled","scripted"])
  document.getElementById(id).innerHTML=[...names,...names].map((name,n)=>"<span>"+name+" <b>"+(100+n*7%50)+".00</b></span>").join("");
let ticks=0;
setInterval(()=>{
  ticks++;
  document.querySelectorAll(".ticker b").forEach((price,n)=>price.textContent=(100+(n*7+ticks*3)%50).toFixed(2));
},400);
const line=document.getElementById("scripted");
requestAnimationFrame(function move(time){
  line.style.transform="translateX("+-(time/20%(line.offsetWidth/2))+"px)";
  requestAnimationFrame(move);
})</script>`,
);

/** The lively pages, by the last part of their path. */
export const livelyPages = {
  particles: PARTICLES,
  animations: ANIMATIONS,
  "webgl-torus": WEBGL_TORUS,
  "webgl-hero": WEBGL_HERO,
  "webgl-page": WEBGL_PAGE,
  lottie: LOTTIE,
  video: VIDEO,
  ticker: TICKER,
} as const satisfies Readonly<Record<string, string>>;
