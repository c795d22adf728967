// Where a sign-in leads to: paths of the dashboard alone.
import { expect, test } from "vitest";
import { returnPath, signInPath } from "../../lib/site/web/app/return-path.ts";

test.each(["captures", "captures?status=failed", "captures?url=https%3A%2F%2Fa.example", "captures/243680361387214"])(
  "return path: %s leads there",
  (path) => {
    expect(returnPath(path)).toBe(path);
    expect(new URLSearchParams(signInPath(path).split("?")[1]).get("to")).toBe(path);
  },
);

test.each([
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https://evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "../x",
  "captures/../../x",
  "captures/%2e%2e/x",
  "\\@evil.example",
  "@evil.example",
  "/captures",
  " captures",
  "captures\n",
  "captures#token=x",
  "",
  // No screens of a session.
  "sign-in",
  "sign-in?to=captures",
  "not-me",
  "undo-address",
  "deleted",
])("return path: %j leads to the overview", (text) => {
  expect(returnPath(text)).toBe("");
  expect(signInPath(text)).toBe("sign-in");
});
