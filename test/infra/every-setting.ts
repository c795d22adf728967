// A stage that has every setting, so that files share its templates.
import { type StageConfig, stageConfig } from "../../lib/infra/stages.ts";

export const everySetting = {
  ...stageConfig("prod"),
  tracing: true,
  monthlyBudget: 50,
  browserConcurrency: 5,
  usageRetentionDays: 30,
  mail: { from: "screen-capture@example.com" },
  signUp: "open",
  identity: {
    support: "support@example.com",
    terms: "https://example.com/terms",
    privacy: "https://example.com/privacy",
    imprint: "https://example.com/imprint",
    source: "https://code.example.com/captures",
  },
  keylessCaptures: { perDay: 500, atOnce: 2 },
  operators: { addresses: ["ops@example.com", "second@example.com"], showsPictures: true },
  billing: { url: "https://pay.example.com/plans", overdueAfterDays: 14, suspendAfterDays: 30 },
  operatorWebhook: "https://billing.example.com/events",
  jobConcurrency: 2_500,
  trustedProxies: ["203.0.113.7", "2001:db8::/32"],
  webAcl: {
    requestsPerAddress: 20_000,
    anonymousRequestsPerAddress: 3_000,
    countedRuleGroups: ["AWSManagedRulesCommonRuleSet", "AWSManagedRulesAnonymousIpList"],
  },
  alarms: { email: "ops@example.com", webhook: "https://example.com/alarms" },
  staticEgress: { natGateways: 2 },
  domain: {
    name: "api.example.com",
    hostedZone: { id: "Z123", name: "example.com" },
    edge: {
      name: "links.example.com",
      certificateArn: "arn:aws:acm:us-east-1:123456789012:certificate/edge",
      cacheSeconds: 300,
    },
  },
} satisfies StageConfig;
