// The versions of the filter lists, for functions without the layer that has them.
import { builtLists } from "../../../layers/blocking/build.ts";

/** The literal of the global `FILTER_LISTS`. Compiled in: a function's environment is limited to 4 KB. */
export const filterListsLiteral = (): string => JSON.stringify(JSON.stringify(builtLists()));
