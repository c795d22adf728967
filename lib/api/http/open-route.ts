// Routes that check no caller by themselves: those for everyone, and those whose handler decides about access.
import type { EnvironmentVariable } from "../../platform/environment.ts";
import {
  createRoute,
  type OptionEntries,
  type Route,
  type RouteCall,
  type RouteDefinition,
  type RouteResponses,
} from "./route.ts";

/** A request as it came, with the resources that its route names. */
export type OpenCall<Variable extends EnvironmentVariable = never> = RouteCall<unknown, Variable>;

/** Defines a route whose handler gets the request as it came. The `entries` are the options that the handler parses by itself. */
export function openRoute<
  const Variable extends EnvironmentVariable = never,
  const Responses extends RouteResponses = RouteResponses,
>(
  definition: Omit<RouteDefinition<object, unknown, Variable, Responses>, "options" | "check"> & {
    readonly access: "public" | "handler";
    readonly entries?: OptionEntries;
  },
): Route {
  return createRoute(definition, { admit: () => ({}) });
}
