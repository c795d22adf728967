// A page of everything that differs from capture to capture: clocks, random numbers, animations, charts.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const charts = readFileSync(
  join(import.meta.dirname, "../node_modules/startbootstrap-sb-admin-2/vendor/chart.js/Chart.bundle.min.js"),
  "utf8",
);

/** Complete in itself, so that it needs no server. Its charts are those of Chart.js, as dashboards have them. */
export const deterministicPage = `<!doctype html><meta charset="utf-8">
<style>
  @keyframes turn { to { transform: rotate(360deg) } }
  @keyframes appear { from { opacity: 0 } }
  #turning { width: 60px; height: 60px; background: linear-gradient(red, blue); animation: turn 1.7s linear infinite }
  #appearing { animation: appear 3s }
</style>
<input value="A caret" autofocus><div id="turning"></div><p id="appearing">Appearing</p>
<p id="clock"></p><p id="chance"></p><p id="frame"></p><p id="idle"></p>
<div style="width: 400px; height: 250px"><canvas id="chart"></canvas></div>
<canvas id="particles" width="300" height="200"></canvas>
<iframe srcdoc="<script>document.write(Math.random(), ' ', new Date().toISOString())</script>" width="500" height="60"></iframe>
<script>${charts}</script>
<script>
  const show = (id, text) => { document.getElementById(id).textContent = text };
  setInterval(() => show("clock", new Date().toISOString() + " " + performance.now()), 33);
  show("chance", Math.random() + " " + crypto.getRandomValues(new Uint32Array(2)));
  new Chart(document.getElementById("chart"), {
    type: "bar",
    data: { labels: [..."abcdef"], datasets: [{ data: Array.from({ length: 6 }, () => 10 * Math.random()) }] },
  });
  const context = document.getElementById("particles").getContext("2d");
  const particles = Array.from({ length: 30 }, () => Array.from({ length: 4 }, Math.random));
  const draw = (time) => {
    context.clearRect(0, 0, 300, 200);
    for (const [x, y, right, down] of particles)
      context.fillRect((300 * x + right * time / 30) % 300, (200 * y + down * time / 30) % 200, 4, 4);
    show("frame", time);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  requestIdleCallback(() => show("idle", "Idle at " + performance.now()));
</script>`;
