// A model of the webhook queue under load: the service's own rules for retries, slots, breakers, and pauses, with a clock of its own,
// so that days pass in seconds. What it leaves out are the engines: each step takes a fixed time.
import { MAX_DELAY_S } from "../../service/aws/account-queue.ts";
import {
  HEALTH_PRECISION_MS,
  hasFailedForLong,
  type Receiver as ReceiverState,
} from "../../service/receivers/receiver.ts";
import { MAX_DELIVERIES_PER_ACCOUNT } from "../../service/webhooks/delivery-slots.ts";
import { secondsUntilRetry } from "../../service/webhooks/retry-schedule.ts";
import { probePauseMs, slotBackoffMs } from "../../service/webhooks/slot-backoff.ts";

export interface LoadOptions {
  /** Webhooks of all receivers together. */
  readonly perMinute: number;
  /** Each is the only one of its account. */
  readonly receivers: number;
  /** Share of the receivers that are dead, from 0 to 1: half of them refuse connections, half never respond. */
  readonly deadShare: number;
  /** For how long webhooks come, in hours. */
  readonly hours: number;
  /** The stage's `webhookConcurrency`. */
  readonly workers: number;
  /** From 0 up to 1, like `Math.random`. */
  readonly random: () => number;
}

export interface LoadReport {
  readonly created: number;
  readonly delivered: number;
  /** Webhooks that are neither delivered nor kept in the end. */
  readonly lost: number;
  /** Kept webhooks when the last one is, and the longest time that one was kept, in hours. */
  readonly kept: number;
  readonly longestKeptHours: number;
  /** How long it takes to deliver what was kept, once all dead receivers are resumed at the same time. */
  readonly hoursToSendKept: number;
  /** Of receivers that are well: from the end of the capture to the delivery, in milliseconds. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** The most at any time before that. */
  readonly maxInFlight: number;
  readonly maxVisible: number;
  readonly maxDelayed: number;
  readonly maxSchedules: number;
  /** The most in one second. */
  readonly maxSchedulesCreated: number;
  readonly maxSchedulesFired: number;
  /** Schedules that were throttled, and replaced by a delayed message. */
  readonly throttled: number;
  readonly pausedReceivers: number;
  readonly attempts: number;
  readonly messages: number;
  readonly schedules: number;
}

/** Milliseconds of a step of the clock. */
const TICK_MS = 20;
const SECOND = 1_000 / TICK_MS;
const HOUR = 3_600 * SECOND;

/** How long a worker takes, in milliseconds: what the benchmark measures of a delivery, and guesses on the safe side for the rest. */
const TIMES_MS = { delivered: 160, refused: 80, timedOut: 10_080, kept: 60, waits: 40 };

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/scheduler-quotas.html, of us-east-1; others have 250 or more. */
const SCHEDULES_PER_SECOND = 1_000;

interface Receiver extends Pick<ReceiverState, "status" | "failing_since" | "failing_minutes"> {
  kind: "well" | "refusing" | "hanging";
  status: "active" | "paused";
  failing_since?: string;
  failing_minutes: number;
  failingFrom: number;
  lastFailure: number;
  running: number;
  isProbed: boolean;
  isHung: boolean;
  probeAt: number;
  readonly kept: number[];
}

/** Runs the model: webhooks come for some hours; the model goes on until all are delivered or kept; then the dead receivers are mended and resumed. */
export function modelLoad(options: LoadOptions): LoadReport {
  return new LoadModel(options).run();
}

class LoadModel {
  private readonly receivers: Receiver[];
  /** Of each webhook that was not delivered at once. */
  private readonly receiverOf: number[] = [];
  private readonly createdAt: number[] = [];
  private readonly failures: number[] = [];
  private readonly waits: number[] = [];
  private readonly keptAt: number[] = [];
  private readonly free: number[] = [];
  /** What happens at a tick: messages that become visible, schedules that fire, and workers that finish. */
  private readonly visible = new Map<number, number[]>();
  private readonly fired = new Map<number, number[]>();
  private readonly finished = new Map<number, (() => void)[]>();
  private queue: number[] = [];
  private head = 0;
  private tick = 0;
  private busy = 0;
  private delayed = 0;
  private scheduled = 0;
  private createdInSecond = 0;
  private firedInSecond = 0;
  private keptNow = 0;
  private readonly latencies = new Float64Array(100_000); // histogram by tick
  private measured = 0;
  private readonly counts = {
    created: 0,
    delivered: 0,
    kept: 0,
    longestKept: 0,
    maxInFlight: 0,
    maxVisible: 0,
    maxDelayed: 0,
    maxSchedules: 0,
    maxSchedulesCreated: 0,
    maxSchedulesFired: 0,
    throttled: 0,
    pausedReceivers: 0,
    attempts: 0,
    messages: 0,
    schedules: 0,
  };

  private readonly options: LoadOptions;

  constructor(options: LoadOptions) {
    this.options = options;
    const dead = Math.round(options.receivers * options.deadShare);
    this.receivers = Array.from({ length: options.receivers }, (_, index) => ({
      kind: index >= dead ? "well" : index % 2 === 0 ? "refusing" : "hanging",
      status: "active",
      failing_minutes: 0,
      failingFrom: -1,
      lastFailure: Number.NEGATIVE_INFINITY,
      running: 0,
      isProbed: false,
      isHung: false,
      probeAt: 0,
      kept: [],
    }));
  }

  run(): LoadReport {
    const end = this.options.hours * HOUR;
    const perTick = (this.options.perMinute / 60 / 1_000) * TICK_MS;
    let due = 0;
    for (; this.tick < end; this.tick++) {
      for (due += perTick; due >= 1; due--) this.arrive();
      this.step();
    }
    const open = () => this.counts.created - this.counts.delivered - this.keptNow;
    for (; open() > 0 && this.tick < end + 96 * HOUR; this.tick++) this.step();
    this.counts.kept = this.keptNow;
    const before = { ...this.counts };
    this.mend();
    const mended = this.tick;
    for (; this.counts.delivered < this.counts.created && this.tick < mended + 48 * HOUR; this.tick++) this.step();
    const { longestKept, delivered, attempts, messages } = this.counts;
    const { longestKept: _, ...counts } = { ...before, delivered, attempts, messages };
    return {
      ...counts,
      hoursToSendKept: (this.tick - mended) / HOUR,
      lost: counts.created - counts.delivered,
      longestKeptHours: longestKept / HOUR,
      p50Ms: this.percentile(0.5),
      p95Ms: this.percentile(0.95),
      p99Ms: this.percentile(0.99),
    };
  }

  private arrive(): void {
    const id = this.free.pop() ?? this.receiverOf.length;
    this.receiverOf[id] = Math.floor(this.options.random() * this.receivers.length);
    this.createdAt[id] = this.tick;
    this.failures[id] = 0;
    this.waits[id] = 0;
    this.counts.created++;
    this.enqueue(id);
  }

  private enqueue(id: number): void {
    this.counts.messages++;
    this.queue.push(id);
  }

  private step(): void {
    if (this.tick % SECOND === 0) {
      this.createdInSecond = 0;
      this.firedInSecond = 0;
    }
    for (const finish of take(this.finished, this.tick)) finish();
    for (const id of take(this.visible, this.tick)) {
      this.delayed--;
      this.queue.push(id);
    }
    for (const id of take(this.fired, this.tick)) {
      this.scheduled--;
      this.firedInSecond++;
      this.enqueue(id);
    }
    while (this.busy < this.options.workers && this.head < this.queue.length) {
      const id = this.queue[this.head++] as number;
      this.handle(id, this.receivers[this.receiverOf[id] as number] as Receiver);
    }
    if (this.head > 100_000) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
    const { counts } = this;
    counts.maxInFlight = Math.max(counts.maxInFlight, this.busy);
    counts.maxVisible = Math.max(counts.maxVisible, this.queue.length - this.head);
    counts.maxDelayed = Math.max(counts.maxDelayed, this.delayed);
    counts.maxSchedules = Math.max(counts.maxSchedules, this.scheduled);
    counts.maxSchedulesCreated = Math.max(counts.maxSchedulesCreated, this.createdInSecond);
    counts.maxSchedulesFired = Math.max(counts.maxSchedulesFired, this.firedInSecond);
  }

  /** A worker takes a message. */
  private handle(id: number, receiver: Receiver): void {
    if (receiver.status === "paused") {
      this.work(TIMES_MS.kept, () => this.keep(id, receiver));
      return;
    }
    const isBlocked = receiver.isHung && (receiver.isProbed || receiver.probeAt > this.tick);
    if (isBlocked || receiver.running >= MAX_DELIVERIES_PER_ACCOUNT) {
      const waits = this.waits[id] as number;
      const backoff = slotBackoffMs({ waits, failingMs: this.failingMs(receiver) }, this.options.random());
      this.work(TIMES_MS.waits, () => this.later(id, backoff));
      return;
    }
    this.counts.attempts++;
    receiver.running++;
    const isProbe = receiver.isHung;
    const failingMs = this.failingMs(receiver);
    if (isProbe) receiver.isProbed = true;
    const { kind } = receiver;
    const time = kind === "well" ? TIMES_MS.delivered : kind === "hanging" ? TIMES_MS.timedOut : TIMES_MS.refused;
    this.work(time, () => {
      receiver.running--;
      if (isProbe) receiver.isProbed = false;
      if (kind === "well") this.succeed(id, receiver);
      else this.fail(id, receiver, kind === "hanging" ? failingMs : undefined);
    });
  }

  private work(milliseconds: number, finish: () => void): void {
    this.busy++;
    put(this.finished, this.tick + Math.max(1, Math.round(milliseconds / TICK_MS)), () => {
      this.busy--;
      finish();
    });
  }

  private succeed(id: number, receiver: Receiver): void {
    receiver.isHung = false;
    receiver.failingFrom = -1;
    receiver.failing_minutes = 0;
    delete receiver.failing_since;
    this.counts.delivered++;
    const isMeasured = this.failures[id] === 0 && this.keptAt[id] === undefined;
    if (isMeasured) {
      const ticks = Math.min(this.latencies.length - 1, this.tick - (this.createdAt[id] as number));
      this.latencies[ticks] = (this.latencies[ticks] as number) + 1;
      this.measured++;
    }
    delete this.keptAt[id];
    this.free.push(id);
  }

  /** `timedOutMs` is for how long the receiver had failed before an attempt that timed out. */
  private fail(id: number, receiver: Receiver, timedOutMs: number | undefined): void {
    const now = this.tick * TICK_MS;
    if (receiver.failingFrom < 0) receiver.failingFrom = this.tick;
    if (now - receiver.lastFailure >= HEALTH_PRECISION_MS) {
      receiver.lastFailure = now;
      receiver.failing_minutes++;
      receiver.failing_since = new Date(receiver.failingFrom * TICK_MS).toISOString();
      if (hasFailedForLong(receiver as unknown as ReceiverState, now)) this.pause(receiver);
    }
    if (timedOutMs !== undefined) {
      receiver.isHung = true;
      receiver.probeAt = this.tick + probePauseMs(timedOutMs) / TICK_MS;
    }
    const failures = (this.failures[id] as number) + 1;
    this.failures[id] = failures;
    this.waits[id] = (this.waits[id] as number) + 1;
    const seconds = secondsUntilRetry(failures, this.options.random());
    if (seconds !== undefined) this.later(id, seconds * 1_000);
    else if (receiver.status === "paused") this.keep(id, receiver);
    else receiver.kept.push(id); // listed as ended while its receiver was failing
  }

  private pause(receiver: Receiver): void {
    receiver.status = "paused";
    this.counts.pausedReceivers++;
    const ended = receiver.kept.splice(0);
    for (const id of ended) this.keep(id, receiver);
  }

  private keep(id: number, receiver: Receiver): void {
    this.keptAt[id] = this.tick;
    this.keptNow++;
    receiver.kept.push(id);
  }

  /** The dead receivers work again, and their owners resume them. About 50 webhooks of each are queued a second. */
  private mend(): void {
    for (const receiver of this.receivers) {
      if (receiver.kind === "well") continue;
      receiver.kind = "well";
      receiver.status = "active";
      receiver.isHung = false;
      receiver.failingFrom = -1;
      for (const [index, id] of receiver.kept.splice(0).entries()) {
        this.counts.longestKept = Math.max(this.counts.longestKept, this.tick - (this.keptAt[id] as number));
        this.failures[id] = 0;
        this.waits[id] = 0;
        this.keptNow--;
        this.delayed++;
        put(this.visible, this.tick + 1 + Math.floor(index / 500) * 10 * SECOND, id);
      }
    }
  }

  private later(id: number, milliseconds: number): void {
    const ticks = Math.max(SECOND, Math.ceil(milliseconds / 1_000) * SECOND);
    this.waits[id] = Math.min(60, (this.waits[id] as number) + 1);
    if (ticks <= MAX_DELAY_S * SECOND) {
      this.delay(id, ticks);
      return;
    }
    if (this.createdInSecond >= SCHEDULES_PER_SECOND) {
      this.counts.throttled++;
      this.delay(id, Math.round(MAX_DELAY_S * (2 / 3 + this.options.random() / 3)) * SECOND);
      return;
    }
    this.createdInSecond++;
    this.counts.schedules++;
    this.scheduled++;
    const lateness = Math.floor(this.options.random() * 60) * SECOND; // Scheduler is precise to the minute
    put(this.fired, this.tick + ticks + lateness, id);
  }

  private delay(id: number, ticks: number): void {
    this.counts.messages++;
    this.delayed++;
    put(this.visible, this.tick + ticks, id);
  }

  private failingMs({ failingFrom }: Receiver): number {
    return failingFrom < 0 ? 0 : (this.tick - failingFrom) * TICK_MS;
  }

  private percentile(share: number): number {
    let seen = 0;
    for (let ticks = 0; ticks < this.latencies.length; ticks++) {
      seen += this.latencies[ticks] as number;
      if (seen >= share * this.measured) return ticks * TICK_MS;
    }
    return Number.POSITIVE_INFINITY;
  }
}

function put<T>(at: Map<number, T[]>, tick: number, value: T): void {
  const whole = Math.round(tick);
  const list = at.get(whole);
  if (list) list.push(value);
  else at.set(whole, [value]);
}

function take<T>(at: Map<number, T[]>, tick: number): readonly T[] {
  const list = at.get(tick);
  if (!list) return [];
  at.delete(tick);
  return list;
}
