// Which queue feeds which function, as the template maps them.

import type { Resource } from "../assembly/resources.ts";
import { LocalServiceError } from "../local-service-error.ts";

export interface EventSource {
  readonly functionName: string;
  readonly queueArn: string;
  readonly queueUrl: string;
  readonly batchSize: number;
  /** At most so many batches at a time; undefined where the template sets no limit. */
  readonly maximumConcurrency: number | undefined;
  readonly reportsBatchItemFailures: boolean;
  /** The queue's own. */
  readonly visibilityTimeoutSeconds: number;
}

export const eventSourceTypes = ["AWS::Lambda::EventSourceMapping"];

/** Throws `LocalServiceError` for a source that is not a queue of the assembly, or one that filters. */
export function readEventSources(resources: readonly Resource[]): EventSource[] {
  const queues = new Map(
    resources.filter(({ type }) => type === "AWS::SQS::Queue").map((queue) => [queue.attributes["Arn"], queue]),
  );
  return resources
    .filter(({ type }) => type === "AWS::Lambda::EventSourceMapping")
    .map(({ logicalId, properties }) => {
      const mapping = properties as unknown as EventSourceMappingProperties;
      const queue = queues.get(mapping.EventSourceArn);
      if (!queue) throw new LocalServiceError(`The source of ${logicalId} is not a queue of the assembly.`);
      if (mapping.FilterCriteria) throw new LocalServiceError(`${logicalId} filters events, which is not run here.`);
      return {
        // By name or by ARN, of which the name is the last part.
        functionName: mapping.FunctionName.split(":").at(-1) ?? mapping.FunctionName,
        queueArn: mapping.EventSourceArn,
        queueUrl: queue.ref,
        batchSize: mapping.BatchSize ?? 10,
        maximumConcurrency: mapping.ScalingConfig?.MaximumConcurrency,
        reportsBatchItemFailures: mapping.FunctionResponseTypes?.includes("ReportBatchItemFailures") ?? false,
        visibilityTimeoutSeconds: Number(queue.properties["VisibilityTimeout"] ?? 30),
      };
    });
}

interface EventSourceMappingProperties {
  readonly EventSourceArn: string;
  readonly FunctionName: string;
  readonly BatchSize?: number;
  readonly FilterCriteria?: unknown;
  readonly FunctionResponseTypes?: readonly string[];
  readonly ScalingConfig?: { readonly MaximumConcurrency?: number };
}
