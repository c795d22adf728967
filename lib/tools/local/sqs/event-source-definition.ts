// The event source mappings of a template: queues and the functions that they invoke.

import type { Resource } from "../assembly/resources.ts";
import { LocalServiceError } from "../local-service-error.ts";

export interface EventSource {
  readonly functionName: string;
  readonly queueArn: string;
  readonly queueUrl: string;
  readonly batchSize: number;
  /** Maximum of concurrent batches; undefined without a limit in the template. */
  readonly maximumConcurrency: number | undefined;
  readonly reportsBatchItemFailures: boolean;
  /** Visibility timeout of the queue. */
  readonly visibilityTimeoutSeconds: number;
}

export const eventSourceTypes = ["AWS::Lambda::EventSourceMapping"];

/** Throws `LocalServiceError` for a source that is not a queue of the assembly, or that has filter criteria. */
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
      if (mapping.FilterCriteria)
        throw new LocalServiceError(`${logicalId} has filter criteria, which the local runner does not support.`);
      return {
        // A name, or an ARN that ends with the name.
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
