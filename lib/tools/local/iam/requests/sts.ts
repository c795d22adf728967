// What IAM judges of a call to STS, whose parameters are those of a form.
import type { AccessRequest } from "../evaluate.ts";
import { type AwsCall, accessRequest, UnreadableCall } from "./aws-call.ts";

export function readStsCall({ body }: AwsCall): AccessRequest[] {
  const form = new URLSearchParams(body.toString("utf8"));
  const [action, role, session] = ["Action", "RoleArn", "RoleSessionName"].map((name) => form.get(name));
  if (action !== "AssumeRole" || !role) throw new UnreadableCall(`the operation ${action} is unknown`);
  return [accessRequest("sts:AssumeRole", role, session ? { "sts:RoleSessionName": [session] } : {})];
}
