// One account: what it is and uses, its keys, captures, receivers, and invoices, and what the operator can do with it.
import { useState } from "preact/hooks";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { CopyTextButton } from "../../ui/copy-text.tsx";
import { planName } from "../../ui/format.ts";
import { Heading } from "../../ui/heading.tsx";
import { LimitTable } from "../../ui/limit-table.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf, useAddress } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { AccountActions, type ActionName } from "../account/account-actions.tsx";
import { AllCaptures, LatestCaptures } from "../account/captures.tsx";
import { InvoiceTable } from "../account/invoice-table.tsx";
import { KeyTable } from "../account/key-table.tsx";
import { ReceiverTable } from "../account/receiver-table.tsx";
import type { AccountDetails } from "../answers.ts";
import { AccountBadges } from "../badges.tsx";
import { API } from "../requests.ts";
import type { ScreenProps } from "../screen.ts";
import { UtcDay, UtcTime } from "../time.tsx";

/** The path of the page of an account, with its id, and of its part. */
export const ACCOUNT_PATH = /^accounts\/(\d{1,16})(?:\/(captures))?$/;

export function AccountScreen({ session }: ScreenProps) {
  const [, id = "", part] = ACCOUNT_PATH.exec(useAddress().path) ?? [];
  const { data, error, reload } = useResource<AccountDetails>(`${API}/accounts/${id}`);
  const [changed, setChanged] = useState<AccountDetails>();
  const [question, setQuestion] = useState<ActionName>();
  const account = changed ?? data;
  return (
    <>
      <p class="back">
        <a href={addressOf("accounts")}>
          <span aria-hidden="true">←</span> Accounts
        </a>
      </p>
      <div class="account-head">
        <Heading>{account ? account.label : error?.status === 404 ? "No such account" : "Account"}</Heading>
        {account && <AccountBadges {...account} />}
      </div>
      {error?.status === 404 && <p>No account has the id {id}. It can have been deleted.</p>}
      {error && error.status !== 404 && <Notice problem={error} retry={reload} />}
      {!account && !error && <ListSkeleton rows={12} label="The account is being read." />}
      {account && (
        <>
          <AccountActions account={account} open={question} onOpen={setQuestion} onChanged={setChanged} />
          <Standing account={account} onAnswer={() => setQuestion("plan")} />
          <Tabs id={id} part={part} />
          {part === "captures" ? (
            <AllCaptures account={account} showsPictures={session.shows_pictures} />
          ) : (
            <>
              <div class="two-columns">
                <Summary account={account} />
                <section>
                  <h2>Limits</h2>
                  <LimitTable limits={account.limits} endText={(until) => <UtcDay at={until} />} />
                </section>
              </div>
              <LatestCaptures account={account} showsPictures={session.shows_pictures} />
              <KeyTable keys={account.keys} />
              <div class="two-columns">
                <InvoiceTable invoices={account.invoices} />
                <ReceiverTable receivers={account.receivers} />
              </div>
            </>
          )}
        </>
      )}
    </>
  );
}

function Tabs({ id, part }: { readonly id: string; readonly part: string | undefined }) {
  const tab = (name: string | undefined, title: string) => (
    <a
      href={addressOf(`accounts/${id}${name === undefined ? "" : `/${name}`}`)}
      {...(name === part && { "aria-current": "page" as const })}
    >
      {title}
    </a>
  );
  return (
    <nav class="tabs" aria-label="Account">
      {tab(undefined, "Overview")}
      {tab("captures", "Captures")}
    </nav>
  );
}

interface StandingProps {
  readonly account: AccountDetails;
  readonly onAnswer: () => void;
}

/** What needs the operator's attention. */
function Standing({ account: { suspension, requested_plan }, onAnswer }: StandingProps) {
  return (
    <>
      {suspension && (
        <div class="notice">
          <p>
            Suspended since <UtcTime at={suspension.at} />: {suspension.reason}
          </p>
        </div>
      )}
      {requested_plan !== null && (
        <div class="notice notice-calm">
          <p>The owner asks for the plan {planName(requested_plan)}.</p>
          <button type="button" onClick={onAnswer}>
            Change the plan…
          </button>
        </div>
      )}
    </>
  );
}

function Summary({ account }: { readonly account: AccountDetails }) {
  const { id, email, created_at, last_used_at, quotas } = account;
  return (
    <section>
      <h2>Account</h2>
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          {id} <CopyTextButton text={String(id)} label="the account id" />
        </dd>
        <dt>E-mail address</dt>
        <dd>{email === null ? "none" : <BreakableText text={email} />}</dd>
        <dt>Opened</dt>
        <dd>
          <UtcTime at={created_at} />
        </dd>
        <dt>Last used</dt>
        <dd>{last_used_at === null ? "never" : <UtcTime at={last_used_at} />}</dd>
      </dl>
      {quotas.map(({ name, used, limit }) => (
        <Meter key={name} label={`Used ${name} of this period`} used={used} limit={limit} />
      ))}
    </section>
  );
}
