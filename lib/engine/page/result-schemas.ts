// Schemas that the results of several page functions have in common.
import * as v from "valibot";

export const areaSchema = v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() });
export const pointSchema = v.object({ x: v.number(), y: v.number() });
