// Routes of the service's own pages, which need cookies that programs and other origins do not have: requests of the pages
// themselves, of a signed-in browser, or of the account's owner. They have no part in the OpenAPI document.
import { parseNothing } from "../../options/parse-options.ts";
import type { EnvironmentVariable } from "../../platform/environment.ts";
import { type ApiRequest, queryOptions, rawOptions } from "../http/api-request.ts";
import { requireOwnPage } from "../http/authorize.ts";
import {
  createRoute,
  type Route,
  type RouteCall,
  type RouteDefinition,
  type RouteKind,
  type RouteResponses,
} from "../http/route.ts";
import { type GuardResources, type Owner, type PageSession, requireOwner, requireSession } from "./guard.ts";

type PageAccess = "page" | "session" | "owner";

interface Grants {
  readonly page: object;
  readonly session: { readonly signedIn: PageSession };
  readonly owner: { readonly signedIn: Owner };
}

const accessVariables = ["ACCOUNTS_TABLE", "USAGE_TABLE"] as const satisfies readonly (keyof GuardResources)[];
type AccessVariable = (typeof accessVariables)[number];

/** A request that the guard of its route has let in, whose options are parsed. */
export type PageCall<
  A extends PageAccess,
  Options = unknown,
  Variable extends EnvironmentVariable = never,
> = Grants[A] & RouteCall<Options, Variable | AccessVariable>;

/** Defines a route of the service's own pages. A handler that asks for more than its access grants does not compile. */
export function pageRoute<
  const A extends PageAccess,
  Options = Record<never, never>,
  const Variable extends EnvironmentVariable = never,
  const Responses extends RouteResponses = RouteResponses,
>(
  definition: Omit<RouteDefinition<Grants[A], Options, Variable | AccessVariable, Responses>, "operation"> & {
    readonly access: A;
    readonly env?: readonly Variable[];
    /** True if its options can be sent in the query, too. */
    readonly takesQuery?: boolean;
  },
): Route {
  return createRoute<Grants[A], Options, Variable | AccessVariable, Responses>(definition, {
    variables: accessVariables,
    admit: guards[definition.access],
    readOptions: definition.takesQuery ? rawOptions : bodyOptions,
  });
}

/** The options in the body. Secrets in a query would get into logs, so one that has any is refused. */
function bodyOptions(request: ApiRequest): Record<string, unknown> {
  parseNothing(queryOptions(request));
  return rawOptions(request);
}

const guards: { readonly [A in PageAccess]: RouteKind<Grants[A]>["admit"] } = {
  page(request: ApiRequest) {
    requireOwnPage(request);
    return {};
  },
  session: async (request, env) => ({ signedIn: await requireSession(request, env) }),
  owner: async (request, env) => ({ signedIn: await requireOwner(request, env) }),
};
