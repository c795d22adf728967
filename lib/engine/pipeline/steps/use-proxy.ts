// Routes the requests of the page through the caller's own proxy.
import type { UpstreamProxy } from "../../../egress/upstream-proxy.ts";
import type { PrepareStep } from "../step-definition.ts";

interface UseProxy {
  readonly upstream: UpstreamProxy;
}

export const useProxy: PrepareStep<"use-proxy", UseProxy> = {
  name: "use-proxy",
  phase: "browser",
  run: async ({ session }, { upstream }) => {
    session.proxy.routeThrough(upstream);
  },
};
