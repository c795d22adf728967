// Polls a JavaScript expression in the page until it is truthy.
import type { Protocol } from "puppeteer-core";
import { expressionTimeout, invalidExpression } from "../../errors/option-errors.ts";
import { isContextLost } from "../../page/context-lost.ts";
import {
  passTime,
  retryAtRealPace,
  startTimeout,
  startVirtualTime,
  withPageTimeout,
} from "../../rendering/page-time.ts";
import { hardAllowance } from "../../timing/budget.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

const POLL_MS = 50;

const MAX_MESSAGE_CHARACTERS = 200;

interface WaitForExpression {
  readonly expression: string;
}

export const waitForExpression: StepFactory<ReadyStep, WaitForExpression> = readyStep({
  name: "wait-for-expression",
  awaits: () => "'wait_for_expression' to become true",
  advises: () => "check wait_for_expression",
  run: async (page, { expression }) => {
    const { session, activity, budget, now } = page;
    await startVirtualTime(page);
    const timeoutMs = hardAllowance(budget, now());
    let thrown: string | undefined;
    const untilTrue = async () => {
      const leftMs = startTimeout(page, hardAllowance(budget, now()));
      while (leftMs() > 0) {
        const evaluation = session.cdp.send("Runtime.evaluate", { expression, awaitPromise: true });
        const answer = await withPageTimeout(page, evaluation, leftMs()).catch((error) => {
          if (!isContextLost(error)) throw error;
          return "navigated" as const;
        });
        if (answer === undefined) return false;
        if (answer === "navigated") {
          await activity.until(() => activity.document.parsed, leftMs());
          continue;
        }
        const { result, exceptionDetails } = answer;
        if (!exceptionDetails && isTruthy(result)) return true;
        thrown = exceptionDetails && describeException(exceptionDetails);
        await withTimeout(passTime(page, POLL_MS), leftMs());
      }
      return false;
    };
    if (!(await retryAtRealPace(page, untilTrue, (isTrue) => isTrue))) throw expressionTimeout(timeoutMs, thrown);
  },
});

/** Values that JSON cannot represent, such as Infinity and BigInt, come in `unserializableValue`. */
function isTruthy({ value, objectId, unserializableValue }: Protocol.Runtime.RemoteObject): boolean {
  return Boolean(value) || objectId !== undefined || /^-?(Infinity|[1-9]\d*n)$/.test(unserializableValue ?? "");
}

/** What was thrown, which may only be too early. Throws `EXPRESSION_FAILED` for an expression that never parses. */
function describeException({ exception, text }: Protocol.Runtime.ExceptionDetails): string {
  const [thrown = "", ...stack] = (exception?.description ?? String(exception?.value ?? text)).split("\n");
  const isUnparsable = /^SyntaxError/.test(thrown) && !stack.some((line) => line.startsWith("    at "));
  if (isUnparsable) throw invalidExpression(thrown);
  return thrown.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();
}
