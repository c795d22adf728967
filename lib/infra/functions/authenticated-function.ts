// A function whose callers present an API key and are held to their rate limit.
import type { Construct } from "constructs";
import type { ServiceData } from "../data/data-stack.ts";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";

export interface AuthenticatedFunctionProps extends ServiceFunctionProps {
  readonly data: Pick<ServiceData, "accounts" | "usage">;
}

export class AuthenticatedFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { data, ...props }: AuthenticatedFunctionProps) {
    super(scope, id, props);
    grantAuthentication(this, data);
  }
}

/** Lets a function authenticate callers by their API keys and count their requests. */
export function grantAuthentication(fn: ServiceFunction, data: Pick<ServiceData, "accounts" | "usage">): void {
  data.accounts.grantAuthenticate(fn);
  data.usage.grantCountRequests(fn);
}
