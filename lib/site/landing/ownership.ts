// How to run the service: the two commands, and what that costs.
import { renderDocument } from "../docs/render-markdown.ts";
import { html, rawHtml } from "../html.ts";
import { BASE_PATH } from "../site-files.ts";

const COMMANDS = `npm ci && npm start  # on this machine
npm run deploy       # to your AWS account`;

export const ownership = html`<section class="start"><div><h2>Or own it</h2><p>The service is open source, and all of it is here: website,
dashboard, plans, and invoices. On AWS you pay per capture: about $0.02 for 1,000 small ones, $0.12 for 1,000 pages that take three seconds.</p></div>
<div class="start-sample">${rawHtml(renderDocument("docs/start.md", `\`\`\`bash\n${COMMANDS}\n\`\`\`\n`).html)}
<p class="actions"><a class="button" href="${BASE_PATH}/docs/operate">Run it yourself</a> <a class="button" href="${BASE_PATH}/docs/security">How it is secured</a></p></div></section>
`;
