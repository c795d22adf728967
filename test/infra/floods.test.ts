// The budget for anonymous requests in docs/operations.md: the bounds of `prod`, at the list prices.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plans } from "../../lib/contract/plans.ts";
import { KEYLESS_REQUESTS_PER_SECOND } from "../../lib/infra/api/capture-api.ts";
import { stageConfig } from "../../lib/infra/stages.ts";
import { durationCost, invocationCost } from "../../lib/tools/measure/cost-model.ts";
import { prices } from "../../lib/tools/measure/prices.ts";
import { functionsOf, resources, templatesOf } from "./synthesized.ts";

const operations = readFileSync(join(import.meta.dirname, "../../docs/operations.md"), "utf8");
const { webAcl, throttling, reservedConcurrency } = stageConfig("prod");
const { service } = templatesOf("prod");
const methods = resources(service, "AWS::ApiGateway::Method").length;

const DAY_S = 24 * 60 * 60;
const WINDOWS = DAY_S / 300;
/** A request that a function answers at once, with a read of the caller's key. */
const request =
  prices.gatewayRequest +
  prices.wafRequest +
  prices.dynamoReadUnit +
  invocationCost({ milliseconds: 5, memoryMegabytes: 512, storageMegabytes: 512 });
const perDay = 500;
/** A browser that is started ahead of a capture, in a second. */
const launchAhead = durationCost({ milliseconds: 1_000, memoryMegabytes: 2_048, storageMegabytes: 1_024 });
/** A request without an API key that writes a counter, and is refused. */
const refusedKeyless =
  prices.gatewayRequest +
  prices.wafRequest +
  prices.dynamoWriteUnit +
  invocationCost({ milliseconds: 10, memoryMegabytes: 2_048, storageMegabytes: 1_024 });
/** 1,000 captures of all of their 15 seconds, by the table of costs. */
const longestKeyless = Number(/\$([\d.]+) if it takes all of the 15 s/.exec(operations)?.[1]);

const reserved = (reservedConcurrency?.web ?? 0) + (reservedConcurrency?.identity ?? 0);
const budget: readonly (readonly [row: string, bound: string, dollars: number])[] = [
  [
    "From one address",
    `${count(webAcl?.anonymousRequestsPerAddress)} in 5 minutes`,
    WINDOWS * (webAcl?.anonymousRequestsPerAddress ?? 0) * request,
  ],
  [
    "With a wrong key, from one address",
    `${count(webAcl?.requestsPerAddress)} in 5 minutes`,
    WINDOWS * (webAcl?.requestsPerAddress ?? 0) * request,
  ],
  [
    "To the website and sign-in, from many addresses",
    `${reserved} executions of 512 MB`,
    reserved * durationCost({ milliseconds: 1_000 * DAY_S, memoryMegabytes: 512, storageMegabytes: 512 }),
  ],
  [
    "[Captures without a key](#captures-without-a-key), with `perDay` 500",
    `${perDay} of 15 s, and as many browsers started ahead`,
    (perDay / 1_000) * longestKeyless + perDay * launchAhead,
  ],
  [
    "Beyond these limits, to `POST /try`, from many addresses",
    `${KEYLESS_REQUESTS_PER_SECOND} a second`,
    DAY_S * KEYLESS_REQUESTS_PER_SECOND * refusedKeyless,
  ],
  [
    "To one method, from many addresses",
    `${throttling.requestsPerSecond} a second`,
    DAY_S * throttling.requestsPerSecond * request,
  ],
  [
    "To all methods, from many addresses",
    `${methods} times ${throttling.requestsPerSecond} a second`,
    methods * DAY_S * throttling.requestsPerSecond * request,
  ],
];

function count(value = Number.NaN): string {
  return value.toLocaleString("en-US");
}

test.each(budget)("budget for anonymous requests: %s, %s", (row, bound, dollars) => {
  const text = dollars < 1 ? dollars.toFixed(2) : Math.round(dollars).toLocaleString("en-US");
  const line = operations.split("\n").find((each) => each.startsWith(`| ${row} |`));
  expect(line).toBe(`| ${row} | ${bound} | $${text} |`);
});

test("budget for anonymous requests: the throttle of all methods together is below API Gateway's 10,000 a second of a region", () => {
  expect(methods * throttling.requestsPerSecond).toBeLessThan(10_000);
  expect(operations).toContain(`each of the API's ${methods} methods`);
});

test("budget for anonymous requests: functions of the website and of sign-in have the memory that it counts", () => {
  for (const file of ["web", "identity"]) expect(functionsOf(service).get(file)?.Properties.MemorySize).toBe(512);
});

test("floods: a customer of the largest plan and three of them at once stay below the limit of an address, as the documentation says", () => {
  const captures = 5 * Math.max(...Object.values(plans).map(({ requestsPerMinute }) => requestsPerMinute));
  expect(operations.replaceAll(/\s+/g, " ")).toContain(
    `makes ${captures} captures in five minutes, with four requests each if it polls: ${count(4 * captures)}. So three of them`,
  );
  expect(3 * 4 * captures).toBeLessThan(webAcl?.requestsPerAddress ?? 0);
});
