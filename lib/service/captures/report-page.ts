// The report of a capture as a page of HTML, for people: the picture, the problems, and a timeline. It loads nothing, and runs no scripts.
//
// A page that has broken out of Chromium writes the report, so what is inserted is escaped unless it is HTML of this module.

import type { CaptureReport } from "../../contract/problems/capture-report.ts";
import { type Html, html, rawHtml } from "../../site/html.ts";
import type { ReportFile } from "./report-file.ts";

export interface ReportFacts {
  readonly requestId: number;
  /** The URL as sent; empty for HTML and Markdown. */
  readonly url: string;
  readonly file: ReportFile;
}

/** The Content-Security-Policy of the page. `default-src` covers neither forms nor the address of links, and a sandbox refuses redirects. */
export const REPORT_PAGE_POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function reportPage({ requestId, url, file }: ReportFacts): string {
  const { report, thumbnail } = file;
  const name = url === "" ? "HTML or Markdown" : url;
  const duration = seconds(report.duration_ms);
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Report of capture ${requestId}</title>
<style>${rawHtml(STYLES)}</style>
<header>
  <p>Report of capture ${requestId}</p>
  <h1>${name}</h1>
  <dl class="facts">
    ${fact("Quality", html`<strong class="${grade(report.quality)}">${report.quality}</strong> of 100`)}
    ${fact("Time", duration)}
    ${fact("Clock of the page", report.clock)}
    ${fact("Result", `${file.mime_type}, ${bytes(file.size_bytes)}`)}
    ${fact("Page", `${report.page.width} × ${report.page.height} pixels, ${count(report.page.elements)} elements`)}
    ${fact("Requests", `${count(report.requests.count)}, ${bytes(report.requests.bytes)}`)}
  </dl>
</header>
<main>
${thumbnail !== null && html`<section class="picture"><h2>Picture</h2><img src="${thumbnail}" alt="The top of the result"></section>`}
<section><h2>Problems</h2>${problems(file)}</section>
${list("Warnings", file.warnings)}
<section><h2>Timeline</h2>${timeline(report)}</section>
${table(
  "Waits",
  ["Waited for", "Time", "Ended"],
  report.waits.map((wait) => [wait.waited_for ?? wait.name, seconds(wait.duration_ms), ENDS[wait.outcome]]),
)}
${table(
  "Attempts",
  ["Reason", "Time", "Quality", "Options that were added", ""],
  report.attempts.map((attempt) => [
    attempt.reason,
    seconds(attempt.duration_ms),
    attempt.quality === null ? "failed" : String(attempt.quality),
    code(attempt.options),
    attempt.chosen ? "chosen" : "",
  ]),
)}
${table(
  "Requests by type",
  ["Type", "Requests", "Size"],
  Object.entries(report.requests.by_type).map(([type, sum]) => [type, count(sum.count), bytes(sum.bytes)]),
)}
${table(
  "Failed requests",
  ["URL", "Reason"],
  report.requests.failures.map((failure) => [failure.url, failure.reason]),
)}
${list(`Errors${report.errors_omitted ? `, and ${report.errors_omitted} more` : ""}`, report.errors)}
${table(
  "Redirects",
  ["URL", "Status"],
  report.redirects.map((redirect) => [redirect.url, String(redirect.status_code)]),
)}
${table("Connection and page", ["", ""], details(report))}
</main>
</html>`.text;
}

const ENDS = { met: "its condition was met", capped: "its own limit was reached", gave_up: "the time was up" } as const;

function problems({ problems: found }: ReportFile): Html {
  if (found.length === 0) return html`<p>None were found.</p>`;
  const items = found.map(
    ({ code: name, severity, message, fix, evidence }) => html`<li class="${severity}">
  <h3>${name} <small>${severity}</small></h3>
  <p>${message}</p>
  ${fix !== null && html`<p>Try ${code(fix)}</p>`}
  <details><summary>What was seen</summary><pre>${JSON.stringify(evidence, null, 2)}</pre></details>
</li>
`,
  );
  return html`<ul class="problems">${items}</ul>`;
}

/** Phases, then the first requests, as bars on one scale of time. */
function timeline({ phases, requests, duration_ms: total }: CaptureReport): Html {
  const end = Math.max(1, total, ...requests.first.map((each) => each.starts_at_ms + (each.duration_ms ?? 0)));
  const bar = (
    className: string,
    [label, title]: readonly [string, string],
    [from, length]: readonly [number, number],
  ) =>
    html`<tr><th scope="row" title="${title}">${label}</th><td><span class="bar ${className}" style="margin-left:${percent(from / end)};width:${percent(Math.max(0.002, Math.min(length, end - from) / end))}"></span></td><td>${seconds(length)}</td></tr>`;
  const rows = [
    ...phases.map(({ name, starts_at_ms: from, duration_ms: length }) => bar("phase", [name, name], [from, length])),
    ...requests.first.map(({ url, type, starts_at_ms: from, duration_ms: length, failed }) =>
      bar(failed === null ? "request" : "failed", [shortName(url), `${type} ${url}`], [from, length ?? end - from]),
    ),
  ];
  return html`<table class="timeline"><caption>0 to ${seconds(end)}</caption>${rows}</table>${
    requests.omitted ? html`<p>${count(requests.omitted)} more requests are not shown.</p>` : undefined
  }`;
}

function details({ connection, fonts, images, actions, limits, page }: CaptureReport): string[][] {
  const { address, tls } = connection;
  return [
    ["IP address", address ?? "–"],
    ["TLS", tls ? `${tls.protocol}, issued by ${tls.issuer}, valid until ${tls.valid_until}` : "–"],
    ["Fonts", fonts.map(({ family }) => family).join(", ") || "–"],
    ["Images", `${count(images.total)}, ${count(images.failed)} failed, ${count(images.pending)} were loading`],
    ["Elements looked at", `${count(page.judged_elements)} of ${count(page.elements)}`],
    ["Blocked requests", count(actions.blocked_requests)],
    ["Cookie banner", actions.cookie_banner ?? "–"],
    ["Dialogs closed", count(actions.dialogs)],
    ["Clicked", actions.clicked.join(", ") || "–"],
    ["Hidden", actions.hidden.join(", ") || "–"],
    ...limits.map(({ limit, used, allowed }) => [`Limit: ${limit}`, `${count(used)} of ${count(allowed)}`]),
  ];
}

/** Nothing for a table without rows. */
function table(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly (string | Html)[])[],
): Html | undefined {
  if (rows.length === 0) return undefined;
  const head =
    heads.some(Boolean) && html`<thead><tr>${heads.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>`;
  const body = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`);
  return html`<section><h2>${title}</h2><div class="wide" tabindex="0" role="region" aria-label="${title}"><table>${head}<tbody>${body}</tbody></table></div></section>`;
}

function list(title: string, items: readonly string[]): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<section><h2>${title}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`;
}

const fact = (name: string, value: string | Html) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
const code = (value: object) => (Object.keys(value).length === 0 ? "" : html`<code>${JSON.stringify(value)}</code>`);
const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
const grade = (quality: number) => (quality >= 90 ? "good" : quality >= 50 ? "fair" : "bad");

const counts = new Intl.NumberFormat("en");
const count = (value: number) => counts.format(value);
const seconds = (ms: number) => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`);
const bytes = (size: number) =>
  size < 1_000 ? `${size} bytes` : size < 1e6 ? `${(size / 1e3).toFixed(1)} kB` : `${(size / 1e6).toFixed(1)} MB`;

/** The last part of a path, or the host. */
function shortName(url: string): string {
  const { pathname, host } = URL.parse(url) ?? { pathname: url, host: "" };
  return (pathname.split("/").findLast(Boolean) ?? host).slice(0, 60);
}

const STYLES = `
:root { color-scheme: light dark; --line: light-dark(#d5d9de, #343a42); --muted: light-dark(#5a626c, #9aa3ad); --back: light-dark(#fff, #14171b); --soft: light-dark(#f4f6f8, #1d2228); --text: light-dark(#1a1d21, #e6e9ec); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; font: 15px/1.5 system-ui, "Segoe UI", Roboto, Arimo, sans-serif; background: var(--back); color: var(--text); overflow-wrap: anywhere; }
header p { margin: 0; color: var(--muted); }
h1 { margin: 0 0 1rem; font-size: 1.35rem; line-height: 1.3; }
h2 { margin: 2rem 0 .5rem; font-size: 1.05rem; }
h3 { margin: 0; font-size: .95rem; }
small, dt, caption, thead th { color: var(--muted); font-weight: 400; }
.facts { display: grid; grid-template-columns: repeat(3, 1fr); gap: .8rem; margin: 0; border: 1px solid var(--line); border-radius: 8px; padding: .8rem; }
dd { margin: 0; }
.good { color: light-dark(#17692c, #6fd18a); } .fair { color: light-dark(#8a5300, #f0b860); } .bad { color: light-dark(#b3261e, #ff9a92); }
.picture img { display: block; max-width: 100%; width: 640px; height: auto; border: 1px solid var(--line); border-radius: 8px; }
.problems { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
.problems li { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; padding: .7rem .9rem; }
.problems .error { border-left-color: #d1382c; } .problems .warning { border-left-color: #d99a1c; }
.problems p { margin: .2rem 0; }
pre, code { font: 13px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; background: var(--soft); border-radius: 4px; }
code { padding: .1em .35em; } pre { padding: .7rem; margin: .4rem 0 0; white-space: pre-wrap; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
caption { text-align: right; font-size: .85rem; }
.timeline { table-layout: fixed; } .timeline th { width: 28%; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .timeline td:last-child { width: 6rem; text-align: right; padding-right: 0; }
.bar { display: block; height: .8rem; margin-top: .35rem; border-radius: 2px; min-width: 2px; }
.phase { background: light-dark(#3b5bdb, #7f9cf5); } .request { background: light-dark(#94a3b8, #64748b); } .failed { background: #d1382c; }
@media (max-width: 40rem) { body { padding: 1rem; } .facts { grid-template-columns: repeat(2, 1fr); } .timeline th { width: 38%; } }`;
