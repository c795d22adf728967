// The local engine of EventBridge Scheduler: one-time schedules that send messages to queues. Like Scheduler, it delivers at least
// once: a schedule is deleted after its message was sent.
import { join } from "node:path";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { clientOptions } from "../engines/client-options.ts";
import { dueAt, messageOf, parseSchedule, type Schedule } from "./schedule.ts";
import { type ScheduleIds, scheduleFiles } from "./schedule-files.ts";

export interface SchedulerOptions {
  /** Folder of the data. */
  readonly dataDir: string;
  /** Address of SQS without a trailing slash. Messages go to the queue of that name there: its address differs after a restart. */
  readonly sqsEndpoint: string;
  /** Whether the role of a schedule may send to the queue with this URL; reports it if not. */
  maySend(roleArn: string, queueUrl: string): boolean;
  onLog(line: string): void;
  /** Sends each message twice, as Scheduler may. @default false */
  readonly sendsTwice?: boolean;
}

export interface Scheduler {
  /** Starts to deliver, once the queues exist and their roles are known. */
  start(): void;
  /** Resolves to false when a schedule of this name exists. Rejects for a schedule that the local runner does not play. */
  create(schedule: unknown): Promise<boolean>;
  get(ids: ScheduleIds): Schedule | undefined;
  /** All schedules, the next one first. */
  list(): Schedule[];
  /** Resolves to false when there is none. */
  delete(ids: ScheduleIds): Promise<boolean>;
  /** Moves the clock of the schedules forward. Resolves when the messages of all that are due then are sent. */
  advance(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the engine with the schedules of the folder. It delivers nothing until it is started. */
export async function openScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { onLog, sqsEndpoint, sendsTwice = false } = options;
  const files = scheduleFiles(join(options.dataDir, "schedules"));
  const schedules = new Map((await files.read()).map((schedule) => [keyOf(schedule), schedule]));
  const sqs = new SQSClient(clientOptions(sqsEndpoint));
  let advancedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isStopped = false;
  let delivering: Promise<void> = Promise.resolve();

  const list = () => [...schedules.values()].toSorted((a, b) => dueAt(a) - dueAt(b));
  const send = async (schedule: Schedule) => {
    const message = messageOf(schedule);
    if (options.maySend(schedule.Target.RoleArn, message.QueueUrl)) {
      const QueueUrl = `${sqsEndpoint}${new URL(message.QueueUrl).pathname}`;
      for (let count = 0; count < (sendsTwice ? 2 : 1); count++) {
        await sqs.send(new SendMessageCommand({ ...message, QueueUrl }));
      }
    }
    await remove(schedule);
  };
  const remove = async (ids: ScheduleIds) => {
    await files.delete(ids);
    schedules.delete(keyOf(ids));
  };
  const deliverDue = async () => {
    const now = Date.now() + advancedMs;
    for (const schedule of list()) {
      if (isStopped || dueAt(schedule) > now) break;
      await send(schedule);
    }
  };
  /** Delivers what is due, one after the other, and sets the timer for the next one. */
  const run = () => {
    clearTimeout(timer);
    delivering = delivering.then(deliverDue).then(
      () => arm(),
      (error) => {
        onLog(`A schedule could not be delivered: ${error}`);
        arm(RETRY_MS);
      },
    );
    return delivering;
  };
  const arm = (minimumMs = 0) => {
    clearTimeout(timer);
    const [next] = list();
    if (!next || !isStarted || isStopped) return;
    const waitMs = dueAt(next) - Date.now() - advancedMs;
    timer = setTimeout(() => void run(), Math.min(MAX_TIMER_MS, Math.max(minimumMs, waitMs)));
  };
  return {
    start() {
      isStarted = true;
      arm();
    },
    async create(value) {
      const schedule = parseSchedule(value);
      if (schedules.has(keyOf(schedule))) return false;
      schedules.set(keyOf(schedule), schedule); // before the file, so that two requests at once make one
      await files.write(schedule);
      arm();
      return true;
    },
    get: (ids) => schedules.get(keyOf(ids)),
    list,
    async delete(ids) {
      if (!schedules.has(keyOf(ids))) return false;
      await remove(ids);
      return true;
    },
    advance(milliseconds) {
      advancedMs += milliseconds;
      return run();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await delivering;
      clearTimeout(timer);
      sqs.destroy();
    },
  };
}

const RETRY_MS = 1_000;
/** The longest time of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function keyOf({ GroupName, Name }: ScheduleIds): string {
  return `${GroupName}~${Name}`;
}
