// Rules with a schedule, as the local service plays them.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readRules } from "../../../../lib/tools/local/scheduler/rule-definition.ts";
import { playRules } from "../../../../lib/tools/local/scheduler/rules.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const rule = { logicalId: "CanarySchedule", functionArn: "arn:canary", everyMs: 5 * MINUTE };

test("rules: a function is invoked soon after the start, then at its rate, also after a failure, until they stop", async () => {
  const invoked: string[] = [];
  const lines: string[] = [];
  const rules = playRules({
    async invoke(functionArn, event) {
      invoked.push(functionArn);
      expect(JSON.parse(event)).toMatchObject({ "detail-type": "Scheduled Event" });
      if (invoked.length === 1) throw new Error("not yet");
    },
    onLog: (line) => lines.push(line),
  });
  rules.use([rule]);
  rules.use([rule]); // as after each change of sources
  await vi.advanceTimersByTimeAsync(9_000);
  expect(invoked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([invoked, lines]).toEqual([["arn:canary"], ["arn:canary failed: Error: not yet"]]);
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(invoked).toHaveLength(3);
  rules.stop();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(invoked).toHaveLength(3);
});

test("rules: a run that takes longer than the rate delays the next one", async () => {
  let running = 0;
  let most = 0;
  const rules = playRules({
    async invoke() {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 7 * MINUTE));
      running--;
    },
    onLog: () => undefined,
    firstAfterMs: 0,
  });
  rules.use([rule]);
  await vi.advanceTimersByTimeAsync(30 * MINUTE);
  rules.stop();
  expect(most).toBe(1);
});

test("rules: those of a template have a rate in minutes or hours; any other is refused by name", () => {
  const resource = (properties: object) =>
    ({ type: "AWS::Events::Rule", logicalId: "CanarySchedule", properties }) as Parameters<typeof readRules>[0][number];
  const Targets = [{ Arn: "arn:canary", Id: "Target0" }];
  expect(readRules([resource({ ScheduleExpression: "rate(5 minutes)", Targets })])).toEqual([rule]);
  expect(readRules([resource({ ScheduleExpression: "rate(1 hour)", Targets })])).toEqual([
    { ...rule, everyMs: 60 * MINUTE },
  ]);
  expect(readRules([resource({ ScheduleExpression: "rate(5 minutes)", State: "DISABLED", Targets })])).toEqual([]);
  expect(() => readRules([resource({ ScheduleExpression: "cron(0 12 * * ? *)", Targets })])).toThrow("CanarySchedule");
});
