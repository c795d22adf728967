// What authorizes the requests of the playground: an API key, or the session of the dashboard.
import { apiBaseUrl } from "../service-address.ts";
import { forgetSession, mayBeSignedIn } from "../session-hint.ts";

export type Credential = { readonly apiKey: string } | "session";

/** The part of `fetch` that presents a credential. A request with a key is never the session's. */
export function credentialInit(credential: Credential): {
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: RequestCredentials;
} {
  return credential === "session"
    ? { headers: {}, credentials: "same-origin" }
    : { headers: { Authorization: `Bearer ${credential.apiKey}` }, credentials: "omit" };
}

export interface PlaygroundAccount {
  readonly label: string;
}

/** What is known of the session: nothing as long as the service is asked for it, the account, or that there is none. */
export type Access = "unknown" | "signed-out" | PlaygroundAccount;

/** Before the service has answered. */
export const initialAccess = (): Access => (mayBeSignedIn() ? "unknown" : "signed-out");

/** The account that this browser is signed in to; undefined for none. */
export async function signedInAccount(): Promise<PlaygroundAccount | undefined> {
  if (!mayBeSignedIn()) return undefined;
  try {
    const response = await fetch(`${apiBaseUrl}/session`, { credentials: "same-origin" });
    if (response.status === 401) forgetSession();
    if (!response.ok) return undefined;
    const { account } = (await response.json()) as { account: PlaygroundAccount | null };
    if (account === null) forgetSession();
    return account ?? undefined;
  } catch {
    return undefined;
  }
}
