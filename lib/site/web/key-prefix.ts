// Next to the samples, the first characters of the caller's own key, when this browser is signed in to the dashboard.
import type { Keys } from "../../../clients/typescript/src/generated/types.ts";
import { createElement } from "./create-element.ts";
import { apiBaseUrl } from "./service-address.ts";
import { forgetSession, mayBeSignedIn } from "./session-hint.ts";
import { readStored, store } from "./shared/storage.ts";

/** Kept for the tab, so that not every page asks for it. */
const STORED_PREFIX = "key-prefix";

export async function showKeyPrefix(document: Document): Promise<void> {
  const samples = document.querySelector(".samples");
  if (!samples || !mayBeSignedIn()) return;
  const prefix = readStored("sessionStorage", STORED_PREFIX) ?? (await loadPrefix());
  if (prefix === undefined) return;
  samples.after(
    createElement(
      "p",
      { className: "key-note" },
      createElement("code", {}, "$SCREEN_CAPTURE_KEY"),
      " is your key ",
      createElement("code", {}, `${prefix}…`),
      ". You manage it under ",
      createElement("a", { href: `${apiBaseUrl}/app/keys` }, "API keys"),
      ".",
    ),
  );
}

/** The prefix of the first key that captures; undefined without one, and without a session. */
async function loadPrefix(): Promise<string | undefined> {
  try {
    const response = await fetch(`${apiBaseUrl}/api/v1/keys`, { credentials: "same-origin" });
    if (response.status === 401) forgetSession();
    if (!response.ok) return undefined;
    const { data } = (await response.json()) as Keys;
    const prefix = data.find((key) => key.revoked_at === null && key.scopes.includes("capture"))?.key_prefix;
    store("sessionStorage", STORED_PREFIX, prefix);
    return prefix;
  } catch {
    return undefined;
  }
}
