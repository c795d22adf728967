// The incidents as an Atom feed. https://www.rfc-editor.org/rfc/rfc4287
import { changedAt } from "../../service/status/incident.ts";
import type { StatusReport } from "../../service/status/status-report.ts";
import { SITE_NAME } from "../brand.ts";
import { type Html, html } from "../html.ts";
import { incidentFacts, updateTexts } from "./incident-texts.ts";

/** The document of the feed: an entry for each incident, with all its updates. Ids are addresses on the status page, and never change. */
export function statusFeed({ incidents, components }: StatusReport, baseUrl: string): string {
  const [firstDay] = components.flatMap(({ days }) => days.map(({ date }) => date));
  const updated = incidents.map(changedAt).toSorted().at(-1) ?? `${firstDay}T00:00:00Z`;
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>${SITE_NAME}: incidents</title>
<id>${baseUrl}/status</id>
<link rel="self" type="application/atom+xml" href="${baseUrl}/status.atom"/>
<link rel="alternate" type="text/html" href="${baseUrl}/status"/>
<updated>${updated}</updated>
<author><name>${SITE_NAME}</name></author>
${incidents.map(entry)}</feed>
`.text;
}

function entry(incident: StatusReport["incidents"][number]): Html {
  const content = html`<p>${incidentFacts(incident)}</p>${updateTexts(incident)}`;
  return html`<entry>
<title>${incident.state === "open" ? "" : "Closed: "}${incident.title}</title>
<id>${incident.url}</id>
<link rel="alternate" type="text/html" href="${incident.url}"/>
<published>${incident.opened_at}</published>
<updated>${changedAt(incident)}</updated>
<content type="html">${content.text}</content>
</entry>
`;
}
