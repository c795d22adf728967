// The account, and the browsers that are signed in to it.
import { send } from "../api.ts";
import { planName } from "../format.ts";
import { Notice } from "../notice.tsx";
import { navigate } from "../router.ts";
import type { ScreenProps } from "../screen.ts";
import { Time } from "../time.tsx";
import { useAction } from "../use-action.ts";
import { useResource } from "../use-resource.ts";

interface Sessions {
  readonly data: readonly {
    readonly id: string;
    readonly created_at: string;
    readonly last_used_at: string;
    readonly signed_in_with: "link" | "api_key" | "email";
    readonly user_agent: string | null;
    readonly network: string;
    readonly is_current: boolean;
  }[];
}

const WAYS = { link: "with a link", api_key: "with an API key", email: "by e-mail" };

export function AccountScreen({ session: { account } }: ScreenProps) {
  const sessions = useResource<Sessions>("/sessions");
  const action = useAction();
  const end = async (path: string, isCurrent = false) => {
    const isDone = await action.run(() => send("DELETE", path));
    if (!isDone) return;
    if (isCurrent) navigate("sign-in");
    else sessions.reload();
  };
  const others = sessions.data?.data.filter(({ is_current }) => !is_current) ?? [];
  return (
    <>
      <section>
        <h2>{account.label}</h2>
        <dl class="account-facts">
          <dt>Account id</dt>
          <dd>{account.id}</dd>
          <dt>Plan</dt>
          <dd>{planName(account.plan)}</dd>
          <dt>Opened</dt>
          <dd>
            <Time at={account.created_at} />
          </dd>
        </dl>
      </section>
      <section>
        <h2>Signed-in browsers</h2>
        {sessions.error && <Notice problem={sessions.error} retry={sessions.reload} />}
        {action.problem && <Notice problem={action.problem} />}
        <ul class="sessions">
          {sessions.data?.data.map(({ id, user_agent, network, signed_in_with, last_used_at, is_current }) => (
            <li key={id}>
              <p>
                <strong>{is_current ? "This browser" : (user_agent ?? "A browser without a name")}</strong>
                <span>
                  {network}, signed in {WAYS[signed_in_with]}, last used <Time at={last_used_at} />
                </span>
              </p>
              <button
                type="button"
                disabled={action.isRunning}
                onClick={() => void end(is_current ? "/session" : `/sessions/${id}`, is_current)}
              >
                {is_current ? "Sign out" : "End"}
              </button>
            </li>
          ))}
        </ul>
        {others.length > 0 && (
          <button type="button" disabled={action.isRunning} onClick={() => void end("/sessions")}>
            End all others
          </button>
        )}
      </section>
    </>
  );
}
