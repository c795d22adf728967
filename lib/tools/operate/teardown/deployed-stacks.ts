// Reads and deletes the stacks of a stage.
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
  waitUntilStackDeleteComplete,
} from "@aws-sdk/client-cloudformation";
import { DeleteObjectsCommand, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { once } from "../../../service/aws/clients/once.ts";
import { s3 } from "../../../service/aws/clients/s3.ts";
import type { DeployedStack } from "./plan.ts";

const cloudFormation = once(() => new CloudFormationClient({}));

/** A function in a network releases its interface within 40 minutes. */
const MAX_WAIT_S = 60 * 60;

/** The stack, or undefined when it does not exist. */
export async function readStack(name: string): Promise<DeployedStack | undefined> {
  const StackName = name;
  const stack = await cloudFormation()
    .send(new DescribeStacksCommand({ StackName }))
    .then(({ Stacks }) => Stacks?.[0])
    .catch((error: Error) => {
      if (/does not exist/.test(error.message)) return undefined;
      throw error;
    });
  if (!stack) return undefined;
  const { TemplateBody = "{}" } = await cloudFormation().send(new GetTemplateCommand({ StackName }));
  const physicalIds: Record<string, string> = {};
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client: cloudFormation() },
    { StackName },
  )) {
    for (const { LogicalResourceId: id, PhysicalResourceId: physical } of StackResourceSummaries) {
      if (id !== undefined && physical !== undefined) physicalIds[id] = physical;
    }
  }
  return {
    name,
    template: JSON.parse(TemplateBody),
    physicalIds,
    isProtected: stack.EnableTerminationProtection === true,
  };
}

/** Deletes all objects of a bucket, which CloudFormation deletes only when it is empty. */
export async function emptyBucket(Bucket: string): Promise<number> {
  let count = 0;
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3() }, { Bucket })) {
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    if (Objects.length === 0) continue;
    const { Errors = [] } = await s3().send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    const [first] = Errors;
    if (first) throw new Error(`The object ${first.Key} of ${Bucket} can't be deleted: ${first.Message}`);
    count += Objects.length;
  }
  return count;
}

/** Deletes a stack and waits until it is gone. */
export async function deleteStack(StackName: string): Promise<void> {
  await cloudFormation().send(new DeleteStackCommand({ StackName }));
  await waitUntilStackDeleteComplete({ client: cloudFormation(), maxWaitTime: MAX_WAIT_S }, { StackName });
}
