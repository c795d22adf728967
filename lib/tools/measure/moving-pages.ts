// Animated pages for videos: one with little motion, as usual, and one that repaints in each frame.

/** A card as pages sell things with: a bar that fills and a dot that bounces, by CSS. */
export const CARD = `<!doctype html><html lang="en"><title>Card</title><style>
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#eef1f8;color:#223;font:18px/1.5 sans-serif}
main{box-sizing:border-box;width:640px;padding:40px;border-radius:20px;background:#fff;box-shadow:0 16px 48px rgb(20 30 80/18%)}
h1{margin:0 0 12px;font-size:34px}.track{height:18px;margin:28px 0;border-radius:9px;background:#dfe4f2;overflow:hidden}
.bar{height:100%;border-radius:9px;background:linear-gradient(90deg,#3658ff,#8c3bff);animation:fill 3s ease-in-out infinite alternate}
.dot{width:44px;height:44px;border-radius:50%;background:#ff5a36;animation:bounce 1.2s cubic-bezier(.4,0,.6,1) infinite alternate}
@keyframes fill{from{width:4%}to{width:100%}}@keyframes bounce{from{transform:none}to{transform:translateX(516px) scale(.7)}}
</style><main><h1>Sent before you have finished</h1><p>One line about what it does, and another one about why that is
worth the money, as such pages have them.</p><div class="track"><div class="bar"></div></div><div class="dot"></div></main>`;

/** As much as scripts draw on pages that people still call smooth: 1,500 circles in a canvas as large as the window. */
export const CIRCLES = `<!doctype html><html lang="en"><title>Circles</title>
<style>body{margin:0;background:#0b1020;overflow:hidden}canvas{display:block}</style><canvas></canvas><script>
const canvas=document.querySelector("canvas"),pen=canvas.getContext("2d");
const {width,height}=Object.assign(canvas,{width:innerWidth,height:innerHeight});
const circles=Array.from({length:1500},(_,n)=>({x:n*.618%1,y:n*.414%1,speed:.2+n%7/10,radius:4+n%23,hue:n*137%360}));
requestAnimationFrame(function draw(ms){
  pen.clearRect(0,0,width,height);
  for(const {x,y,speed,radius,hue} of circles){
    const angle=ms/1000*speed+x*40;
    pen.fillStyle="hsl("+hue+" 80% 60%/70%)";
    pen.beginPath();
    pen.arc(x*width+60*Math.cos(angle),y*height+60*Math.sin(angle),radius,0,7);
    pen.fill();
  }
  requestAnimationFrame(draw);
})</script>`;
