// What the construct of a feature is given by the stack.
import type { ServiceData } from "../data/data-stack.ts";
import type { StageConfig } from "../stages.ts";

/** `Data` names the tables, bucket and queues that the feature uses. */
export interface FeatureProps<Data extends keyof ServiceData = never> {
  readonly stage: StageConfig;
  readonly data: Pick<ServiceData, Data>;
  /** Public address of the API without a trailing slash, with which links begin. */
  readonly baseUrl: string;
}
