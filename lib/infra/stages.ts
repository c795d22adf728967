// What differs between the stages of the service: typed values instead of CloudFormation parameters.
import { RemovalPolicy } from "aws-cdk-lib";
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import type { CaptureLimits } from "../options/capture-limits.ts";

export const stageNames = ["dev", "prod", "local"] as const;
export type StageName = (typeof stageNames)[number];

export interface StageConfig {
  readonly name: StageName;

  /**
   * Account to deploy to.
   * @default - the account of the credentials in use; the templates then fit any account
   */
  readonly account?: string;

  /**
   * Region to deploy to.
   * @default - the region of the credentials in use; the templates then fit any region
   */
  readonly region?: string;

  /** What becomes of tables, bucket and logs when they leave the stack or the stack is deleted. */
  readonly removalPolicy: RemovalPolicy;

  /** True where losing data matters: point-in-time recovery, deletion protection and termination protection. */
  readonly protectsData: boolean;

  /** How long the logs of the functions and of the API stay. */
  readonly logRetention: RetentionDays;

  /**
   * Days for which captures are listed and counted after that on which they were taken. A shorter one holds at once. A
   * longer one holds for what is captured from then on: earlier captures are swept on the day that was set with them, and
   * those of the running month stay counted for longer than they are listed.
   */
  readonly usageRetentionDays: number;

  /** Memory of the function whose caller waits, in MB. Lambda gives CPU in proportion: 1,769 MB are one vCPU. */
  readonly browserMemoryMb: number;

  /** Memory of the function that takes captures in the background, in MB: long videos are its work, and need the CPU. */
  readonly renderMemoryMb: number;

  /**
   * Captures that may run at once, set aside for them alone.
   * @default - no reservation: a new account has ten concurrent executions and Lambda refuses to reserve any of them
   */
  readonly browserConcurrency?: number;

  /** Captures that may be taken in the background at once; Lambda takes from 2 to 1,000. */
  readonly jobConcurrency: number;

  /**
   * Webhooks that may be sent at once; Lambda takes from 2 to 1,000. An account has some of them at most: see
   * `MAX_DELIVERIES_PER_ACCOUNT` in `lib/webhooks/delivery-slots.ts`.
   */
  readonly webhookConcurrency: number;

  /** Requests the whole API accepts, all callers together; the limits of an account are kept in code. */
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number };

  /**
   * `address:port` that captures may reach although they are not public.
   * @default - none, as it must be wherever strangers can send captures
   */
  readonly allowOrigins: readonly string[];

  /** What one capture may use and make at most, where that is not to be the default of `lib/options/capture-limits.ts`. */
  readonly captureLimits: Partial<CaptureLimits>;

  /**
   * Stored images, videos and PDFs of more bytes are answered by a redirect to the bucket, others by their bytes. Lambda
   * streams 6 MB at full speed and without a price; beyond, 2 MB a second at 0.008 USD for a GB. At most 200 MB.
   * https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
   */
  readonly maxStreamedResultBytes: number;

  /**
   * Public address of the API without a trailing slash, where a custom domain or another reverse proxy leads to it. All
   * links begin with it.
   * @default - the address API Gateway gives
   */
  readonly baseUrl?: string;

  /**
   * Whether the stack sets the role by which API Gateway writes logs. It is one setting per account and region,
   * and access logs need it. Turn it off where somebody else keeps that setting.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
   */
  readonly ownsApiLogRole: boolean;
}

/** The settings of a stage. Throws an error that names the known stages when there is none of that name. */
export function stageConfig(name: string): StageConfig {
  const known = stageNames.find((candidate) => candidate === name);
  if (known) return { name: known, ...stages[known] };
  throw new Error(`There is no stage "${name}". Choose one of ${stageNames.join(", ")}, as in: -c stage=dev`);
}

const disposable = {
  removalPolicy: RemovalPolicy.DESTROY,
  protectsData: false,
  logRetention: RetentionDays.ONE_WEEK,
  usageRetentionDays: 400,
  browserMemoryMb: 2048,
  renderMemoryMb: 3008, // all that a new AWS account may have
  jobConcurrency: 2,
  webhookConcurrency: 8, // with those of captures in the background all that a new AWS account may have
  throttling: { requestsPerSecond: 20, burst: 40 },
  allowOrigins: [],
  captureLimits: {},
  maxStreamedResultBytes: 6_000_000,
  ownsApiLogRole: true,
} satisfies Omit<StageConfig, "name">;

const stages: Record<StageName, Omit<StageConfig, "name">> = {
  dev: disposable,

  prod: {
    ...disposable,
    removalPolicy: RemovalPolicy.RETAIN,
    protectsData: true,
    logRetention: RetentionDays.THREE_MONTHS,
    jobConcurrency: 20,
    webhookConcurrency: 50,
    throttling: { requestsPerSecond: 200, burst: 400 },
  },

  /** Never deployed: the runner on a developer's machine reads its template. */
  local: {
    ...disposable,
    // The object store listens on loopback, where nobody else could follow a redirect.
    maxStreamedResultBytes: 200_000_000,
  },
};
