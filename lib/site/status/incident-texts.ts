// The texts of an incident, as the status page and its feed have them. All of them are the operator's, and are escaped.
import { statusComponents } from "../../service/status/components.ts";
import type { Incident } from "../../service/status/incident.ts";
import { type Html, html } from "../html.ts";

const impactNames: Readonly<Record<Incident["impact"], string>> = {
  minor: "Minor incident",
  major: "Major incident",
  maintenance: "Maintenance",
};

/** What an incident is, and what it affects, such as `Major incident, open. Affects: API.` */
export function incidentFacts({ impact, state, components }: Incident): string {
  const names = statusComponents.filter(({ id }) => components.includes(id)).map(({ name }) => name);
  return `${impactNames[impact]}, ${state}. Affects: ${names.join(", ")}.`;
}

/** The updates, newest first. */
export function updateTexts({ updates }: Incident): Html {
  return html`<ol class="updates">
${updates.toReversed().map(({ at, text }) => html`<li>${timeElement(at)}${paragraphs(text)}</li>`)}
</ol>`;
}

function paragraphs(text: string): Html[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => html`<p>${line}</p>`);
}

/** A time in UTC, to the minute. */
export function timeElement(at: string): Html {
  return html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 16)} UTC</time>`;
}
