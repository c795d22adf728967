import { launchWebBrowser } from "./test/support/web-browser.ts";
import { readFileSync } from "node:fs";
const base = "http://127.0.0.1:4512";
const [name, path, width = "1280", scheme = "light", full = "no", view = "grid", click = ""] = process.argv.slice(2);
const browser = await launchWebBrowser();
const page = await browser.newPage();
page.on("console", (m) => { if (["error", "warn"].includes(m.type())) console.log("console:", m.text()); });
page.on("pageerror", (e) => console.log("pageerror:", String(e)));
await page.setViewport({ width: Number(width), height: Number(width) < 600 ? 740 : 900 });
const session = await page.createCDPSession();
await session.send("Emulation.setEmulatedMedia", { features: [
  { name: "prefers-color-scheme", value: scheme === "dark" ? "dark" : "light" },
  { name: "forced-colors", value: scheme === "forced" ? "active" : "none" } ] });
const cookie = readFileSync("/tmp/gallery-cookie", "utf8").trim();
const [cn, cv] = cookie.split(/=(.*)/s);
await page.setCookie({ name: cn, value: cv, url: base });
await page.evaluateOnNewDocument((v) => { try { localStorage.setItem("captures-view", v); } catch {} }, view);
await page.goto(`${base}${path}`, { waitUntil: "networkidle0" });
if (click) { await page.click(click); await new Promise((r) => setTimeout(r, 1200)); }
await new Promise((r) => setTimeout(r, 800)); if (process.env.CAPTURE) { await fetch(base + "/api/v1/screenshot", {method: "POST", headers: {Authorization: `Bearer ${process.env.CAPTURE}`, "Content-Type": "application/json"}, body: JSON.stringify({html: "<h1 style=color:teal>New one", async: true, delay: 6, format: "png"})}); await new Promise((r) => setTimeout(r, 7000)); }
console.log("scrollWidth", await page.evaluate(() => document.documentElement.scrollWidth));
await page.screenshot({ path: `/tmp/shots/${name}.png`, fullPage: full === "full" });
await browser.close();
