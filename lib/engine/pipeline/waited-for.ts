// What a step that takes too long is waiting for, in the words of an error.
import type { Phase } from "./phase-clock.ts";
import { type Step, stepPhase } from "./step.ts";

/** Completes "waiting for …". Without a step there is no page yet. */
export function describeWait(step: Step | undefined): string {
  if (!step) return "the browser to start";
  switch (step.name) {
    case "await-load":
      return `the page to load (${step.conditions.join(", ")})`;
    case "add-styles":
      return "the styles to be loaded";
    case "run-scripts":
      return "a script to end";
    case "click":
      return `'${short(step.selector)}' to be clicked`;
    case "hover":
      return `'${short(step.selector)}' to be hovered over`;
    case "await-selectors":
      return step.selectors.map((selector) => `'${short(selector)}'`).join(step.enough === "any" ? " or " : " and ");
    case "await-hidden":
      return `'${short(step.selector)}' to go away`;
    case "await-expression":
      return "wait_for_expression to become true";
    case "pause":
      return "the delay to pass";
    case "film":
    case "film-in-real-time":
      return "the video to be rendered; a shorter or smaller one, or fewer frames per second, take less";
    case "scroll-through":
      return "the page to be scrolled through";
    default:
      return inPhase[stepPhase[step.name]];
  }
}

/** The other steps take long only where the page keeps them waiting. */
const inPhase: Readonly<Record<Phase, string>> = {
  auth: "the key",
  browser: "the browser",
  navigate: "the page to answer",
  settle: "the page, which was busy",
  capture: "the page, which was busy, to be painted",
  encode: "the image to be encoded",
  store: "the result to be stored",
};

function short(selector: string): string {
  return selector.length > 100 ? `${selector.slice(0, 97)}...` : selector;
}
