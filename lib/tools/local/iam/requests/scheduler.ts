// What IAM judges of a call to EventBridge Scheduler: the creation of a schedule, and that its role is passed to Scheduler.
// https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridgescheduler.html
import { scheduleName } from "../../scheduler/scheduler-api.ts";
import type { AccessRequest } from "../evaluate.ts";
import { type AwsCall, accessRequest, localArn, parseJson, UnreadableCall } from "./aws-call.ts";

interface CreateScheduleInput {
  readonly GroupName?: string;
  readonly Target?: { readonly RoleArn?: string };
}

export function readSchedulerCall(call: AwsCall): AccessRequest[] {
  const { method, url } = call;
  const name = scheduleName(new URL(url, "http://scheduler").pathname);
  if (method !== "POST" || name === undefined) throw new UnreadableCall(`the operation ${method} ${url} is unknown`);
  const { GroupName = "default", Target } = parseJson<CreateScheduleInput>(call);
  if (!Target?.RoleArn) throw new UnreadableCall("it names no role");
  return [
    accessRequest("scheduler:CreateSchedule", localArn("scheduler", `schedule/${GroupName}/${name}`)),
    accessRequest("iam:PassRole", Target.RoleArn, { "iam:PassedToService": ["scheduler.amazonaws.com"] }),
  ];
}
