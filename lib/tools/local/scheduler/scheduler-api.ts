// EventBridge Scheduler's API on loopback, in front of the local engine: CreateSchedule, GetSchedule, and DeleteSchedule. For tests,
// `GET /local/schedules` lists all schedules, and `POST /local/clock` with `{"advance_ms": …}` moves their clock forward.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import { listen, stopListening } from "../loopback.ts";
import type { Scheduler } from "./scheduler.ts";

export interface SchedulerApi {
  /** Address without a trailing slash. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

const ClockSchema = v.object({ advance_ms: v.pipe(v.number(), v.minValue(0)) });

/** Starts the API on a free port. */
export async function startSchedulerApi(scheduler: Scheduler): Promise<SchedulerApi> {
  const server = createServer((request, response) => {
    answer(request, response, scheduler).catch((error) => fail(response, 400, "ValidationException", String(error)));
  });
  return { endpoint: `http://${await listen(server)}`, stop: () => stopListening(server) };
}

async function answer(request: IncomingMessage, response: ServerResponse, scheduler: Scheduler): Promise<void> {
  const { method = "", url = "" } = request;
  const { pathname, searchParams } = new URL(url, "http://scheduler");
  if (`${method} ${pathname}` === "GET /local/schedules") return succeed(response, scheduler.list());
  if (`${method} ${pathname}` === "POST /local/clock") {
    await scheduler.advance(v.parse(ClockSchema, JSON.parse(await text(request))).advance_ms);
    return succeed(response, {});
  }
  const Name = scheduleName(pathname);
  if (Name === undefined) return fail(response, 404, "UnknownOperationException", `There is no ${method} ${pathname}.`);
  const ids = { GroupName: searchParams.get("groupName") ?? "default", Name };
  const missing = () => fail(response, 404, "ResourceNotFoundException", `Schedule ${Name} does not exist.`);
  switch (method) {
    case "POST": {
      const isCreated = await scheduler.create({ ...JSON.parse(await text(request)), Name });
      if (isCreated) return succeed(response, { ScheduleArn: Name });
      return fail(response, 409, "ConflictException", `Schedule ${Name} already exists.`);
    }
    case "GET": {
      const schedule = scheduler.get(ids);
      return schedule ? succeed(response, schedule) : missing();
    }
    case "DELETE":
      return (await scheduler.delete(ids)) ? succeed(response, {}) : missing();
    default:
      return fail(response, 404, "UnknownOperationException", `There is no ${method} ${pathname}.`);
  }
}

/** The name of a schedule in the path of its resource; undefined for any other path. */
export function scheduleName(pathname: string): string | undefined {
  const [, encoded] = /^\/schedules\/([^/]+)$/.exec(pathname) ?? [];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}

function succeed(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, status: number, code: string, Message: string): void {
  response.writeHead(status, { "Content-Type": "application/json", "x-amzn-ErrorType": code });
  response.end(JSON.stringify({ Message }));
}
