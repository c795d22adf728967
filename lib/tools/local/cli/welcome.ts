// What `npm start` prints when the service is ready.
import type { MailSettings } from "../engines/mail-engine.ts";
import type { Service } from "../service.ts";
import type { DemoAccount } from "./demo-account.ts";

export interface WelcomeFacts {
  readonly service: Pick<Service, "baseUrl" | "endpoints" | "unsupported">;
  readonly demo: DemoAccount;
  readonly signInLink: string;
  /** Signs in to the operator's page. */
  readonly operatorLink: string;
  readonly dataDir: string;
  /** Undefined when there are no metrics. */
  readonly metricsUrl?: string | undefined;
  /** Whether visitors can open accounts, for which they get mails. */
  readonly signUp: "open" | "closed";
  readonly mail: MailSettings;
}

/** What a first capture needs: addresses, the API key, and a command. */
export function welcome(facts: WelcomeFacts): string {
  const { service, demo, signInLink, operatorLink, signUp, mail, metricsUrl } = facts;
  const { baseUrl } = service;
  const example = `${baseUrl}/api/v1/screenshot?markdown=%23+Hello+from+your+own+capture+API&viewport_height=400`;
  const mailLine = signUp === "open" || mail.smtp ? `\n${mailText({ service, mail })}` : "";
  const metricsLine = metricsUrl === undefined ? "" : `\nMetrics: ${metricsUrl}`;
  return `
Website, documentation, playground: ${baseUrl}/
Dashboard, within 15 minutes: ${signInLink}
Operator's page, within 15 minutes: ${operatorLink}${mailLine}${metricsLine}

Capture your first page:

export SCREEN_CAPTURE_URL=${baseUrl}
export SCREEN_CAPTURE_KEY=${demo.key}
curl --fail-with-body -H "Authorization: Bearer $SCREEN_CAPTURE_KEY" "${example}" -o capture.png

Press Ctrl-C to stop.
`;
}

/** What else is known of a local service, for `--verbose`. */
export function details({ service, demo, dataDir, mail }: WelcomeFacts): string {
  const { baseUrl, unsupported } = service;
  const lines = [
    `MCP server for agents: ${baseUrl}/mcp`,
    `Key id: ${demo.keyId}`,
    `Signing secret: ${demo.signingSecret}`,
    `Another link to the dashboard: npm run accounts -- sign-in --account ${demo.accountId}`,
    "Another link to the operator's page: npm run operator -- sign-in",
    mailText({ service, mail }),
    `Data and logs are in ${dataDir}.`,
    "Addresses on this machine are captured when CAPTURE_ALLOW_ORIGINS names them.",
    "A deployed service has alarms. This one has metrics with METRICS_PORT, and is checked by npm run doctor and npm run smoke.",
    ...(unsupported === "" ? [] : [`Ignored resources of the template: ${unsupported}.`]),
  ];
  return `${lines.join("\n")}\n`;
}

function mailText({ service, mail: { smtp, from } }: Pick<WelcomeFacts, "service" | "mail">): string {
  if (!smtp) return `E-mail is caught at ${service.endpoints.mail}/`;
  return `E-mail is sent from ${from} by the SMTP server ${smtp.host}:${smtp.port}.`;
}
