// The screens of the dashboard, in the order of the navigation.
import type { Screen } from "./screen.ts";
import type { SignedInAccount } from "./session.ts";
import * as skeletons from "./skeletons.tsx";

export const screens: readonly Screen[] = [
  { path: "", title: "Overview", entry: "overview", skeleton: skeletons.Overview },
  { path: "keys", title: "API keys", entry: "keys", skeleton: skeletons.Keys },
  { path: "captures", title: "Captures", entry: "captures", skeleton: skeletons.Captures },
  { path: "webhooks", title: "Webhooks", entry: "webhooks", skeleton: skeletons.Webhooks },
  { path: "usage", title: "Usage", entry: "usage", skeleton: skeletons.Usage },
  { path: "billing", title: "Plan and invoices", entry: "billing", skeleton: skeletons.Billing },
  { path: "account", title: "Account", entry: "account", skeleton: skeletons.Account },
];

/** The page of a capture, which belongs to the list in the navigation. */
export const capturePage: Screen = {
  path: "captures",
  title: "Capture",
  entry: "capture",
  skeleton: skeletons.Capture,
  hasOwnHeading: true,
};

/** The path of the page of a capture, with its id. */
export const CAPTURE_PATH = /^captures\/(\d{1,16})$/;

/** The pages that need no session. */
export const visitorPaths: readonly string[] = ["sign-in", "undo-address", "not-me", "deleted"];

/** What is left to the owner of a suspended account: the service answers nothing else. */
const screensWhileSuspended = screens.filter(({ path }) => path === "billing" || path === "account");

export const screensOf = ({ suspension }: Pick<SignedInAccount, "suspension">): readonly Screen[] =>
  suspension === null ? screens : screensWhileSuspended;

/** Undefined for a path that no screen has. */
export function findScreen(path: string): Screen | undefined {
  return CAPTURE_PATH.test(path) ? capturePage : screens.find((each) => each.path === path);
}
