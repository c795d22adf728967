// A function whose callers present an API key and are held to their rate limit.
import type { Construct } from "constructs";
import type { ServiceData } from "../data/data-stack.ts";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";

export interface AuthenticatedFunctionProps extends ServiceFunctionProps {
  readonly data: AuthenticationData;
}

type AuthenticationData = Pick<ServiceData, "accounts" | "usage" | "queues">;

export class AuthenticatedFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { data, ...props }: AuthenticatedFunctionProps) {
    super(scope, id, props);
    grantAuthentication(this, data);
  }
}

/** Lets a function authenticate callers by their API keys, count their requests, and have first uses of keys reported. */
export function grantAuthentication(fn: ServiceFunction, data: AuthenticationData): void {
  data.accounts.grantAuthenticate(fn);
  data.usage.grantCountRequests(fn);
  data.queues.grantQueueNotices(fn);
}
