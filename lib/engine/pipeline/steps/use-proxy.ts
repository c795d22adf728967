// Routes the requests of the page through the caller's own proxy.
import type { UpstreamProxy } from "../../../egress/upstream-proxy.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

interface UseProxy {
  readonly upstream: UpstreamProxy;
}

export const useProxy: StepFactory<PrepareStep, UseProxy> = prepareStep({
  name: "use-proxy",
  phase: "browser",
  run: async ({ session }, { upstream }) => {
    session.proxy.routeThrough(upstream);
  },
});
