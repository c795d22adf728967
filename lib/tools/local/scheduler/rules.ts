// Invokes the functions of rules with a schedule, as EventBridge does.
import type { ScheduledRule } from "./rule-definition.ts";

export interface RulesOptions {
  invoke(functionArn: string, event: string): Promise<unknown>;
  onLog(line: string): void;
  /** When each rule is due first, in milliseconds: not while a service that has just started is busy. @default 10,000 */
  readonly firstAfterMs?: number;
}

export interface PlayedRules {
  /** Replaces the rules. One that was played goes on as it was. */
  use(rules: readonly ScheduledRule[]): void;
  stop(): void;
}

/** Plays rules from when they are given on. A run that takes longer than the rate delays the next one: one machine is soon busy. */
export function playRules({ invoke, onLog, firstAfterMs = 10_000 }: RulesOptions): PlayedRules {
  const timers = new Map<string, NodeJS.Timeout>();
  const arm = (rule: ScheduledRule, afterMs: number) => {
    const timer = setTimeout(async () => {
      await run(rule);
      if (timers.get(keyOf(rule)) === timer) arm(rule, rule.everyMs);
    }, afterMs);
    timer.unref();
    timers.set(keyOf(rule), timer);
  };
  const run = async ({ functionArn }: ScheduledRule) => {
    try {
      await invoke(functionArn, scheduledEvent());
    } catch (error) {
      onLog(`${functionArn} failed: ${error}`);
    }
  };
  const end = (key: string) => {
    clearTimeout(timers.get(key));
    timers.delete(key);
  };
  return {
    use(rules) {
      const wanted = new Map(rules.map((rule) => [keyOf(rule), rule]));
      for (const key of timers.keys()) if (!wanted.has(key)) end(key);
      for (const [key, rule] of wanted) if (!timers.has(key)) arm(rule, firstAfterMs);
    },
    stop() {
      for (const key of timers.keys()) end(key);
    },
  };
}

const keyOf = ({ functionArn, everyMs }: ScheduledRule): string => `${functionArn} ${everyMs}`;

/** https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html */
function scheduledEvent(): string {
  const time = new Date().toISOString();
  return JSON.stringify({ source: "aws.events", "detail-type": "Scheduled Event", time, resources: [], detail: {} });
}
