// The content of the status page: the state of each component now, its last 90 days, and the incidents.
import type { CheckStatus, ComponentStatus, StatusDay, StatusReport } from "../../service/status/status-report.ts";
import { type Html, html } from "../html.ts";
import { BASE_PATH } from "../site-files.ts";
import { incidentFacts, timeElement, updateTexts } from "./incident-texts.ts";

/** The script of the page unhides what has this id once the last check is older than `data-stale-ms`. */
const STALE_ID = "stale";
const STALE_MINUTES = 15;

const statusNames: Readonly<Record<CheckStatus, string>> = {
  ok: "Works",
  failing: "Last check failed",
  unknown: "Not checked",
};

/** Content of the element `main`. */
export function statusPage(report: StatusReport): Html {
  const open = report.incidents.filter(({ state }) => state === "open");
  const closed = report.incidents.filter(({ state }) => state === "closed");
  return html`<h1>${headline(report, open.length)}</h1>
<p class="checked" data-checked-at="${report.checked_at ?? ""}" data-stale-ms="${STALE_MINUTES * 60_000}">
${report.checked_at === null ? "The first check has not ended yet." : html`Last check: ${timeElement(report.checked_at)}.`}
If that is more than ${STALE_MINUTES} minutes ago, the checks themselves fail, and this page shows the state of that time.</p>
<p class="stale" id="${STALE_ID}" role="status" hidden><strong>The checks themselves fail.</strong> What follows may be wrong by now.</p>
${open.length > 0 && incidentList("Open incidents", open)}
<section aria-labelledby="components"><h2 id="components">The last ${report.components[0]?.days.length} days</h2>
${report.components.map(componentSection)}
<ul class="legend" aria-label="Legend">
<li>${legendBar("ok")} every check succeeded</li><li>${legendBar("failed")} a check failed</li>
<li>${legendBar("none")} not checked</li><li>${legendBar("incident")} incident</li></ul>
${dayTable(report)}
</section>
${closed.length > 0 ? incidentList("Past incidents", closed) : html`<section aria-labelledby="past"><h2 id="past">Past incidents</h2><p>None in these days.</p></section>`}
<section aria-labelledby="meaning"><h2 id="meaning">What these numbers mean</h2>
<p>The service checks itself: every five minutes, and with its API every 15 minutes. A percentage is the share of these checks that
succeeded. It counts no captures of customers, and a time without checks counts neither for nor against it.</p>
<p>The checks write this page, and it is answered without any function of the service. It can’t show that nothing answers at all: then you
can’t load it.</p>
<p>For programs: <a href="${BASE_PATH}/status.json">status.json</a>, and a <a href="${BASE_PATH}/status.atom">feed of the incidents</a>.</p>
</section>`;
}

function headline({ status, checked_at }: StatusReport, openIncidents: number): string {
  if (status === "failing") return "Some checks fail";
  if (openIncidents > 0) return openIncidents === 1 ? "An incident is open" : `${openIncidents} incidents are open`;
  if (checked_at === null) return "Not checked yet";
  return status === "ok" ? "All checks succeed" : "Some parts are not checked";
}

function componentSection({ id, name, check, status, checked_at, uptime, days }: ComponentStatus): Html {
  return html`<section class="component" aria-labelledby="component-${id}">
<div><h3 id="component-${id}">${name}</h3><p class="state ${status}">${stateIcon(status)} ${statusNames[status]}</p></div>
<p>${check}${checked_at !== null && html` Checked ${timeElement(checked_at)}.`}</p>
${bars(days)}
<p class="uptime">${uptime === null ? "No checks in these days." : html`<strong>${formatPercent(uptime)}</strong> of ${count(days)} checks succeeded.`}</p>
</section>
`;
}

const count = (days: readonly StatusDay[]): string =>
  days.reduce((total, { checks }) => total + checks, 0).toLocaleString("en");

const formatPercent = (percent: number): string => `${percent.toFixed(percent === 100 ? 0 : 2)} %`;

/** Shapes differ, too: a check mark, a cross, and a dash. */
function stateIcon(status: CheckStatus): Html {
  const path = { ok: "m3 8.5 3.5 3.5L13 4.5", failing: "m4 4 8 8m0-8-8 8", unknown: "M3.5 8h9" }[status];
  return html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${path}"/></svg>`;
}

type DayKind = "ok" | "failed" | "none";

const kindOf = ({ checks, failed }: StatusDay): DayKind => (checks === 0 ? "none" : failed === 0 ? "ok" : "failed");

const BAR_PITCH = 10;
const BAR_WIDTH = 7;
const BAR_HEIGHT = 34;
const barHeights: Readonly<Record<DayKind, number>> = { ok: BAR_HEIGHT, failed: 20, none: 4 };

/** A bar for each day. The height says the same as the colour, and the table has all of it as text. */
function bars(days: readonly StatusDay[]): Html {
  const width = days.length * BAR_PITCH;
  return html`<svg class="days" viewBox="0 0 ${width} ${BAR_HEIGHT + 8}" preserveAspectRatio="none" aria-hidden="true">${days.map(
    (day, index) => html`<g><title>${dayText(day)}</title>${dayBar(day, index * BAR_PITCH)}</g>`,
  )}</svg>`;
}

function dayBar(day: StatusDay, x: number): Html {
  const kind = kindOf(day);
  const height = barHeights[kind];
  return html`<rect class="${kind}" x="${x}" y="${BAR_HEIGHT - height}" width="${BAR_WIDTH}" height="${height}"/>${
    day.incidents.length > 0 &&
    html`<rect class="incident" x="${x}" y="${BAR_HEIGHT + 3}" width="${BAR_WIDTH}" height="5"/>`
  }`;
}

function legendBar(kind: DayKind | "incident"): Html {
  const height = kind === "incident" ? 5 : barHeights[kind] / 2;
  return html`<svg viewBox="0 0 7 17" width="7" height="17" aria-hidden="true"><rect class="${kind}" y="${17 - height}" width="7" height="${height}"/></svg>`;
}

function dayText({ date, checks, failed, uptime, incidents }: StatusDay): string {
  const found =
    uptime === null
      ? "not checked"
      : `${formatPercent(uptime)}, ${failed} of ${checks.toLocaleString("en")} checks failed`;
  return `${date}: ${found}${incidents.length > 0 ? ", incident" : ""}`;
}

/** Every day as text, newest first. */
function dayTable({ components }: StatusReport): Html {
  const days = components[0]?.days.map(({ date }) => date).toReversed() ?? [];
  const cell = ({ days: of }: ComponentStatus, date: string) => {
    const { uptime = null, failed = 0, incidents = [] } = of.find((day) => day.date === date) ?? {};
    return html`<td>${uptime === null ? "not checked" : formatPercent(uptime)}${failed > 0 && ` (${failed} failed)`}${incidents.length > 0 && ", incident"}</td>`;
  };
  return html`<details class="day-table"><summary>Every day as a table</summary>
<div role="region" aria-label="Every day" tabindex="0"><table>
<thead><tr><th scope="col">Day (UTC)</th>${components.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${days.map((date) => html`<tr><th scope="row">${date}</th>${components.map((component) => cell(component, date))}</tr>\n`)}</tbody>
</table></div></details>`;
}

function incidentList(title: string, incidents: StatusReport["incidents"]): Html {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return html`<section class="incidents" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${incidents.map(
  (incident) => html`<article class="incident ${incident.impact}" id="incident-${incident.id}">
<h3>${incident.title}</h3>
<p class="facts">${incidentFacts(incident)} ${timeElement(incident.opened_at)}${incident.closed_at !== null && html` to ${timeElement(incident.closed_at)}`}</p>
${updateTexts(incident)}
</article>
`,
)}</section>`;
}
