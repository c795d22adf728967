// The functions of a visit that run in the page, and the schemas of their results.
import * as v from "valibot";
import type * as visit from "../injected/bundles/visit.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";

const paneSchema = v.object({
  isPage: v.boolean(),
  x: v.number(),
  y: v.number(),
  width: v.number(),
  height: v.number(),
  offset: v.number(),
  maxOffset: v.number(),
  background: v.array(v.number()),
});

export const findPanes: PageFunction<typeof visit.findPanes> = pageFunction("visit", "findPanes", {
  result: v.array(paneSchema),
});

export const findSidewaysBoard: PageFunction<typeof visit.findSidewaysBoard> = pageFunction(
  "visit",
  "findSidewaysBoard",
  {
    result: v.nullable(v.object({ element: v.string(), shownWidth: v.number(), width: v.number() })),
  },
);

export const describePanes: PageFunction<typeof visit.describePanes> = pageFunction("visit", "describePanes", {
  result: v.array(paneSchema),
});

export const observePanes: PageFunction<typeof visit.observePanes> = pageFunction("visit", "observePanes", {
  result: v.array(paneSchema),
});

export const scrollPageToEnd: PageFunction<typeof visit.scrollPageToEnd> = pageFunction("visit", "scrollPageToEnd", {
  waitsFor: "frames",
  result: v.number(),
});

export const scrollPanes: PageFunction<typeof visit.scrollPanes> = pageFunction("visit", "scrollPanes", {
  waitsFor: "frames",
});

export const observeWindow: PageFunction<typeof visit.observeWindow> = pageFunction("visit", "observeWindow", {
  result: v.object({
    panes: v.array(paneSchema),
    hasChanged: v.boolean(),
    hasStickyAhead: v.boolean(),
    pins: v.array(
      v.object({
        id: v.number(),
        kind: v.picklist(["layer", "scene", "side", "cover", "foot", "once"]),
        isPinned: v.boolean(),
        isPlaced: v.boolean(),
        top: v.number(),
        height: v.number(),
        width: v.number(),
        home: v.number(),
      }),
    ),
    items: v.array(
      v.object({
        id: v.string(),
        kind: v.picklist(["text", "picture", "box", "section"]),
        x: v.number(),
        y: v.number(),
        width: v.number(),
        height: v.number(),
      }),
    ),
  }),
});

export const findUnseen: PageFunction<typeof visit.findUnseen> = pageFunction("visit", "findUnseen", {
  result: v.object({ middles: v.array(v.number()), hasMoreBelow: v.boolean() }),
});

export const dismissUnseen: PageFunction<typeof visit.dismissUnseen> = pageFunction("visit", "dismissUnseen");

export const countUnseen: PageFunction<typeof visit.countUnseen> = pageFunction("visit", "countUnseen", {
  result: v.number(),
});

export const noteTried: PageFunction<typeof visit.noteTried> = pageFunction("visit", "noteTried", {
  result: v.number(),
});

export const noteLateAnswer: PageFunction<typeof visit.noteLateAnswer> = pageFunction("visit", "noteLateAnswer");

export const listLateOffsets: PageFunction<typeof visit.listLateOffsets> = pageFunction("visit", "listLateOffsets", {
  result: v.array(v.number()),
});

export const findPending: PageFunction<typeof visit.findPending> = pageFunction("visit", "findPending", {
  result: v.object({ animationMs: v.number(), scriptMs: v.number() }),
});

export const findStrays: PageFunction<typeof visit.findStrays> = pageFunction("visit", "findStrays", {
  result: v.object({ offsets: v.array(v.number()), hasFoot: v.boolean() }),
});

export const stretchBackdrops: PageFunction<typeof visit.stretchBackdrops> = pageFunction("visit", "stretchBackdrops", {
  waitsFor: "resources",
});

export const holdEndlessAnimations: PageFunction<typeof visit.holdEndlessAnimations> = pageFunction(
  "visit",
  "holdEndlessAnimations",
);

export const listPinnedNodes: PageFunction<typeof visit.listPinnedNodes> = pageFunction("visit", "listPinnedNodes", {
  result: v.array(v.number()),
});

export const endMotions: PageFunction<typeof visit.endMotions> = pageFunction("visit", "endMotions");

export const revertVisit: PageFunction<typeof visit.revertVisit> = pageFunction("visit", "revertVisit");
