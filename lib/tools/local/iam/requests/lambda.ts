// What IAM judges of a call to Lambda: the invocation of a function, of one of its versions, or by one of its aliases.
import type { AccessRequest } from "../evaluate.ts";
import { type AwsCall, accessRequest, localArn, UnreadableCall } from "./aws-call.ts";

export function readLambdaCall(call: AwsCall): AccessRequest[] {
  const { functionName, qualifier } = parseInvocation(call);
  const arn = functionName.startsWith("arn:") ? functionName : localArn("lambda", `function:${functionName}`);
  return [accessRequest("lambda:InvokeFunction", qualifier === undefined ? arn : `${arn}:${qualifier}`)];
}

/** Name or ARN of the invoked function, which may end with a qualifier, and the qualifier of the query. */
export function parseInvocation({ method, url }: Pick<AwsCall, "method" | "url">): {
  readonly functionName: string;
  readonly qualifier: string | undefined;
} {
  const { pathname, searchParams } = new URL(url, "http://lambda");
  const [, name] =
    /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(pathname) ??
    /^\/2021-11-15\/functions\/([^/]+)\/response-streaming-invocations$/.exec(pathname) ??
    [];
  if (method !== "POST" || name === undefined) throw new UnreadableCall(`the operation ${method} ${url} is unknown`);
  return { functionName: decodeURIComponent(name), qualifier: searchParams.get("Qualifier") ?? undefined };
}
