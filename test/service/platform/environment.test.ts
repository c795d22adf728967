// The environment of a function, read once and refused as a whole.
import { afterEach, describe, expect, test, vi } from "vitest";
import { type EnvironmentVariable, environment } from "../../../lib/service/platform/environment.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

function given(variables: Partial<Record<EnvironmentVariable, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

function problemsOf(...names: EnvironmentVariable[]): string {
  try {
    environment(...names);
  } catch (error) {
    return String(error);
  }
  return "none";
}

test("environment: returns the requested variables only", () => {
  given({ ACCOUNTS_TABLE: "Accounts", USAGE_TABLE: "Usage", RESULTS_BUCKET: "results" });
  expect(environment("ACCOUNTS_TABLE", "RESULTS_BUCKET")).toEqual({
    ACCOUNTS_TABLE: "Accounts",
    RESULTS_BUCKET: "results",
  });
});

test("environment: ignores missing variables that were not requested", () => {
  given({ ACCOUNTS_TABLE: "Accounts", USAGE_TABLE: undefined });
  expect(environment("ACCOUNTS_TABLE")).toEqual({ ACCOUNTS_TABLE: "Accounts" });
});

test("environment: the error names every missing or invalid variable, and no valid one", () => {
  given({ ACCOUNTS_TABLE: undefined, USAGE_TABLE: "", ACTIVITY_TABLE: "Activity", BASE_URL: "https://api.example/" });
  const problems = problemsOf("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "BASE_URL");
  const named = problems.match(/[A-Z]{2,}_[A-Z]+(?=:)/g);
  expect(named).toEqual(["ACCOUNTS_TABLE", "USAGE_TABLE", "BASE_URL"]);
});

describe("BASE_URL", () => {
  test.each(["https://api.example", "http://127.0.0.1:3000", "https://api.example/prod"])("may be %s", (url) => {
    given({ BASE_URL: url });
    expect(environment("BASE_URL")).toEqual({ BASE_URL: url });
  });

  test.each(["https://api.example/", "api.example", "ftp://api.example", "https://", ""])("may not be %j", (url) => {
    given({ BASE_URL: url });
    expect(problemsOf("BASE_URL")).toBe(
      "Error: The function's environment is not usable. " +
        "BASE_URL: must be an http(s) address without a trailing slash",
    );
  });
});

describe("environment: a variable with a default", () => {
  const names = [
    "CAPTURE_ALLOW_ORIGINS",
    "CAPTURE_ALLOW_ORIGINS_PERMITTED",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
    "USAGE_RETENTION_DAYS",
  ] as const;

  test("allows nothing unless it is set", () => {
    given(Object.fromEntries(names.map((name) => [name, undefined])));
    expect(environment(...names)).toEqual({
      CAPTURE_ALLOW_ORIGINS: "",
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "false",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: 2048,
      USAGE_RETENTION_DAYS: 400,
    });
  });

  test("is read when it is set", () => {
    given({
      CAPTURE_ALLOW_ORIGINS: "127.0.0.1:8080",
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "3008",
      USAGE_RETENTION_DAYS: "1",
    });
    expect(environment(...names)).toEqual({
      CAPTURE_ALLOW_ORIGINS: "127.0.0.1:8080",
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: 3008,
      USAGE_RETENTION_DAYS: 1,
    });
  });

  test.each([
    ["CAPTURE_ALLOW_ORIGINS_PERMITTED", "yes"],
    ["AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "much"],
    ["AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "127"],
    ["USAGE_RETENTION_DAYS", "0"],
    ["USAGE_RETENTION_DAYS", "1.5"],
    ["USAGE_RETENTION_DAYS", "forever"],
  ] as const)("is refused when %s is %s", (name, value) => {
    given({ [name]: value });
    expect(problemsOf(name)).toContain(`${name}: `);
  });
});
