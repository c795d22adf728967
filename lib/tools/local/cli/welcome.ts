// What `npm start` prints when the service is ready.
import type { Service } from "../service.ts";
import type { DemoAccount } from "./demo-account.ts";

export interface WelcomeFacts {
  readonly service: Pick<Service, "baseUrl" | "endpoints" | "unsupported">;
  readonly demo: DemoAccount;
  readonly signInLink: string;
  readonly dataDir: string;
  /** Undefined when there are no metrics. */
  readonly metricsUrl?: string | undefined;
  /** Whether visitors can open accounts, for which they get mails. */
  readonly signUp: "open" | "closed";
}

/** What a first capture needs: addresses, the API key, and a command. */
export function welcome(facts: WelcomeFacts): string {
  const { service, demo, signInLink, signUp, metricsUrl } = facts;
  const { baseUrl, endpoints } = service;
  const example = `${baseUrl}/api/v1/screenshot?markdown=%23+Hello+from+your+own+capture+API&viewport_height=400`;
  const mail = signUp === "open" ? `\nE-mail: ${endpoints.mail}/` : "";
  const metrics = metricsUrl === undefined ? "" : `\nMetrics: ${metricsUrl}`;
  return `
Website, documentation, playground: ${baseUrl}/
Dashboard, within 15 minutes: ${signInLink}${mail}${metrics}

Capture your first page:

export SCREEN_CAPTURE_URL=${baseUrl}
export SCREEN_CAPTURE_KEY=${demo.key}
curl --fail-with-body -H "Authorization: Bearer $SCREEN_CAPTURE_KEY" "${example}" -o capture.png

Press Ctrl-C to stop.
`;
}

/** What else is known of a local service, for `--verbose`. */
export function details({ service, demo, dataDir }: WelcomeFacts): string {
  const { baseUrl, endpoints, unsupported } = service;
  const lines = [
    `MCP server for agents: ${baseUrl}/mcp`,
    `Key id: ${demo.keyId}`,
    `Signing secret: ${demo.signingSecret}`,
    `Another link to the dashboard: npm run accounts -- sign-in --account ${demo.accountId}`,
    `E-mail is caught at ${endpoints.mail}/`,
    `Data and logs are in ${dataDir}.`,
    "Addresses on this machine are captured when CAPTURE_ALLOW_ORIGINS names them.",
    "A deployed service has alarms. This one has metrics with METRICS_PORT, and is checked by npm run doctor and npm run smoke.",
    ...(unsupported === "" ? [] : [`Ignored resources of the template: ${unsupported}.`]),
  ];
  return `${lines.join("\n")}\n`;
}
