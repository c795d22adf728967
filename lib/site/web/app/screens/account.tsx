// The account: its name and address, the browsers that are signed in to it, its data, and its end.
import { useState } from "preact/hooks";
import type { DataExport } from "../../../../../clients/typescript/src/generated/types.ts";
import { forgetSession } from "../../session-hint.ts";
import { send } from "../../ui/api.ts";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { handleSubmit, TextField } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { navigateTo } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useResource } from "../../ui/use-resource.ts";
import { AddressForm } from "../address-form.tsx";
import { ExportState, useDataExport } from "../data-export.tsx";
import { planText } from "../plans/plan-text.ts";
import type { ScreenProps } from "../screen.ts";
import type { SessionState, SignedInAccount } from "../session.ts";
import { Time } from "../time.tsx";
import type { DeletionProgress } from "./deleted.tsx";

const EXPORTS = "/session/account/exports";

interface DataExports {
  readonly data: readonly DataExport[];
}

/** The owner of a suspended account can export its data and delete it, and change nothing. */
export function AccountScreen({ session, reloadSession }: ScreenProps) {
  const { account } = session;
  const isByKey = session.session.signed_in_with === "api_key";
  return (
    <>
      <Facts account={account} />
      {isByKey && (
        <p class="note">
          You signed in with an API key, which can’t change the account, end sessions, or take its data. For that, sign
          in by e-mail or with the operator’s link.
        </p>
      )}
      {account.suspension === null && <Settings {...{ session, reloadSession, isByKey }} />}
      {!isByKey && <AllData />}
      {!isByKey && <DeleteForm label={account.label} />}
    </>
  );
}

function Facts({ account: { label, id, plan, email, created_at } }: { readonly account: SignedInAccount }) {
  return (
    <section>
      <h2>{label}</h2>
      <dl class="facts">
        <dt>Account id</dt>
        <dd>{id}</dd>
        <dt>Plan</dt>
        <dd>{planText(plan)}</dd>
        <dt>E-mail address</dt>
        <dd>
          <BreakableText text={email ?? "none"} />
        </dd>
        <dt>Opened</dt>
        <dd>
          <Time at={created_at} />
        </dd>
      </dl>
    </section>
  );
}

interface SettingsProps extends ScreenProps {
  readonly isByKey: boolean;
}

function Settings({ session: { account, sign_in }, reloadSession, isByKey }: SettingsProps) {
  return (
    <>
      {!isByKey && <NameForm label={account.label} onChanged={reloadSession} />}
      {sign_in.email && !isByKey && (
        <>
          <AddressForm current={account.email} onChanged={reloadSession} />
          <Alerts account={account} onChanged={reloadSession} />
        </>
      )}
      {!isByKey && <Thumbnails account={account} onChanged={reloadSession} />}
      <SessionList isOwner={!isByKey} />
    </>
  );
}

function AllData() {
  const exports = useResource<DataExports>(EXPORTS);
  const { current, action, start } = useDataExport(EXPORTS, exports.data?.data[0]);
  const isRunning = action.isRunning || current?.status === "running";
  return (
    <section>
      <h2>Your data</h2>
      <p>
        Everything that the account has, without secrets, as one JSON object a line, compressed with gzip: the account,
        keys, sessions, invoices, and captures.
      </p>
      <p class="form-actions">
        <button type="button" disabled={isRunning} aria-busy={isRunning} onClick={() => start()}>
          {isRunning ? "Exporting…" : "Export all data"}
        </button>
      </p>
      <ExportState {...{ current, action }} />
    </section>
  );
}

function NameForm({ label, onChanged }: { readonly label: string; readonly onChanged: () => void }) {
  const [name, setName] = useState(label);
  const action = useAction();
  const save = () => action.run(() => send("PATCH", "/api/v1/account/settings", { label: name }), onChanged);
  return (
    <form class="inline-form" onSubmit={handleSubmit(save)}>
      <TextField
        id="account-name"
        label="Name, as on invoices"
        required
        maxLength={100}
        value={name}
        onText={setName}
      />
      <button type="submit" disabled={action.isRunning || name.trim() === label}>
        Rename
      </button>
      {action.problem && <Notice problem={action.problem} />}
    </form>
  );
}

function Alerts({ account, onChanged }: { readonly account: SignedInAccount; readonly onChanged: () => void }) {
  return (
    <section>
      <h2>Alerts</h2>
      <SettingSwitch
        setting="quota_alerts"
        label="E-mail when 50, 80, and 100 % of a quota are used"
        {...{ account, onChanged }}
      />
      <SettingSwitch setting="key_alerts" label="E-mail when a new API key is first used" {...{ account, onChanged }} />
      {account.email === null && <p class="note">They need an e-mail address of the account.</p>}
    </section>
  );
}

function Thumbnails({ account, onChanged }: { readonly account: SignedInAccount; readonly onChanged: () => void }) {
  return (
    <section>
      <h2>Thumbnails</h2>
      <SettingSwitch setting="store_thumbnails" label="Store a thumbnail of each capture" {...{ account, onChanged }} />
      <p class="note">
        A small picture of the result, at most 320 × 400 pixels, with which the list shows the capture: encrypted, for
        30 days, also where the result itself isn’t stored. Those that are stored stay until then, unless you delete
        them on the page of their capture.
      </p>
    </section>
  );
}

interface SettingSwitchProps {
  readonly setting: "quota_alerts" | "key_alerts" | "store_thumbnails";
  readonly label: string;
  readonly account: SignedInAccount;
  readonly onChanged: () => void;
}

function SettingSwitch({ setting, label, account, onChanged }: SettingSwitchProps) {
  const [isOn, setOn] = useState(account[setting]);
  const action = useAction();
  const change = async (isWanted: boolean) => {
    setOn(isWanted);
    if (await action.run(() => send<void>("PATCH", "/api/v1/account/settings", { [setting]: isWanted }))) onChanged();
    else setOn(!isWanted);
  };
  return (
    <div>
      <label class="check">
        <input
          id={setting.replace("_", "-")}
          type="checkbox"
          checked={isOn}
          disabled={action.isRunning}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
        {label}
      </label>
      {action.problem && <Notice problem={action.problem} />}
    </div>
  );
}

interface Sessions {
  readonly data: readonly {
    readonly id: string;
    readonly last_used_at: string;
    readonly ends_at: string;
    readonly signed_in_with: SessionState["session"]["signed_in_with"];
    readonly user_agent: string | null;
    readonly network: string;
    readonly is_current: boolean;
  }[];
}

const WAYS = { link: "with a link", api_key: "with an API key", email: "by e-mail" };

function SessionList({ isOwner }: { readonly isOwner: boolean }) {
  const sessions = useResource<Sessions>("/sessions");
  const action = useAction();
  const end = async (path: string, isCurrent = false) => {
    const isDone = await action.run(() => send("DELETE", path));
    if (!isDone) return;
    if (isCurrent) {
      forgetSession();
      navigateTo("sign-in");
    } else sessions.reload();
  };
  const others = sessions.data?.data.filter(({ is_current }) => !is_current) ?? [];
  return (
    <section>
      <h2>Signed-in browsers</h2>
      {sessions.error && <Notice problem={sessions.error} retry={sessions.reload} />}
      {action.problem && <Notice problem={action.problem} />}
      {!sessions.data && !sessions.error && <ListSkeleton label="The browsers are being read." rows={2} />}
      <ul class="sessions">
        {sessions.data?.data.map(({ id, user_agent, network, signed_in_with, last_used_at, ends_at, is_current }) => (
          <li key={id}>
            <p>
              <strong>{is_current ? "This browser" : (user_agent ?? "A browser without a name")}</strong>
              <span>
                {network}, signed in {WAYS[signed_in_with]}, last used <Time at={last_used_at} />, ends{" "}
                <Time at={ends_at} /> at the latest
              </span>
            </p>
            {(isOwner || is_current) && (
              <button
                type="button"
                disabled={action.isRunning}
                onClick={() => void end(is_current ? "/session" : `/sessions/${id}`, is_current)}
              >
                {is_current ? "Sign out" : "End"}
              </button>
            )}
          </li>
        ))}
      </ul>
      {isOwner && others.length > 0 && (
        <button type="button" disabled={action.isRunning} onClick={() => void end("/sessions")}>
          End all others
        </button>
      )}
    </section>
  );
}

function DeleteForm({ label }: { readonly label: string }) {
  const [isAsked, setAsked] = useState(false);
  const [name, setName] = useState("");
  const action = useAction();
  const remove = () =>
    action.run(async () => {
      const deletion = await send<DeletionProgress>("DELETE", "/session/account", { label: name });
      navigateTo("deleted", { replace: true, state: deletion });
    });
  return (
    <section>
      <h2>Delete the account</h2>
      <p>
        All API keys stop working at once. Captures, results, statistics, and invoices are deleted, and nothing brings
        them back.
      </p>
      {!isAsked ? (
        <p class="form-actions">
          <button type="button" class="danger" onClick={() => setAsked(true)}>
            Delete the account…
          </button>
        </p>
      ) : (
        <form class="inline-form" onSubmit={handleSubmit(remove)}>
          <TextField
            id="delete-name"
            label={`Write “${label}” to confirm`}
            required
            autocomplete="off"
            value={name}
            onText={setName}
          />
          <button type="submit" class="danger" disabled={action.isRunning || name !== label}>
            {action.isRunning ? "Deleting…" : "Delete for good"}
          </button>
          <button type="button" class="quiet" onClick={() => setAsked(false)}>
            Keep it
          </button>
          {action.problem && <Notice problem={action.problem} />}
        </form>
      )}
    </section>
  );
}
