// What the playground shows until its script has run: its three panes, with boxes of the size of what takes their place.
import { type Html, html } from "./html.ts";

const boxes = (name: string, count: number): Html =>
  html`${Array.from({ length: count }, () => html`<i class="${name}"></i>`)}`;

const pane = (name: string, title: string, content: Html): Html =>
  html`<div class="pane ${name}"><div class="pane-head"><p class="skeleton-title">${title}</p></div>${content}</div>`;

export const playgroundSkeleton: Html = html`<p class="visually-hidden" role="status">Loading the playground …</p>
<div class="skeleton" aria-hidden="true">
${pane("request-pane", "Request", html`${boxes("skeleton-line", 2)}${boxes("skeleton-block", 1)}${boxes("skeleton-line", 12)}<div class="request-foot"><i class="skeleton-line"></i><i class="skeleton-button"></i></div>`)}
${pane("result-pane", "Result", html`<i class="skeleton-result"></i>`)}
${pane("code-pane", "Code", html`<i class="skeleton-code"></i>`)}
</div>`;
