// Accounts: all of them, newest first, or those that the field in the header finds.
import { BreakableText } from "../../ui/breakable-text.tsx";
import { formatCount } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf, useAddress } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import type { AccountRow, AccountRows, QuotaUse } from "../answers.ts";
import { AccountBadges } from "../badges.tsx";
import { ListPages } from "../list-pages.tsx";
import { API } from "../requests.ts";
import { Age, UtcDay } from "../time.tsx";

export function AccountsScreen() {
  const { query } = useAddress();
  const search = query.get("search") ?? "";
  const after = query.get("after") ?? "";
  const parameters = new URLSearchParams({ ...(search && { search }), ...(after && { after }) });
  const list = useResource<AccountRows>(`${API}/accounts?${parameters}`);
  if (list.error) return <Notice problem={list.error} retry={list.reload} />;
  if (!list.data) return <ListSkeleton rows={10} label="Accounts are being read." />;
  const { data, next, is_complete } = list.data;
  return (
    <>
      {data.length === 0 ? (
        <NothingFound search={search} />
      ) : (
        <table class="dense rows" aria-busy={list.isSlow}>
          <caption class="visually-hidden">{search === "" ? "Accounts" : `Accounts for “${search}”`}</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" class="wide">
                Plan
              </th>
              <th scope="col" class="use">
                Used of the quota
              </th>
              <th scope="col" class="number wide">
                Last used
              </th>
              <th scope="col" class="number wide">
                Opened
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((account) => (
              <Row key={account.id} account={account} />
            ))}
          </tbody>
        </table>
      )}
      {!is_complete && (
        <p class="note">
          Accounts from before this list was kept can be missing. <code>npm run accounts -- index</code> adds them.
        </p>
      )}
      <ListPages path="accounts" filters={{ search }} after={after} next={next} />
    </>
  );
}

function Row({ account }: { readonly account: AccountRow }) {
  const { id, label, email, quotas, last_used_at, created_at } = account;
  const lastUsed = last_used_at === null ? "never" : <Age at={last_used_at} />;
  return (
    <tr>
      <th scope="row">
        <a class="row-link" href={addressOf(`accounts/${id}`)}>
          <BreakableText text={label} />
        </a>
        <span class="second-line">
          {email !== null && (
            <>
              <BreakableText text={email} /> ·{" "}
            </>
          )}
          {id}
        </span>
        <span class="narrow">
          <AccountBadges {...account} />
          <span class="second-line">Last used: {lastUsed}</span>
        </span>
      </th>
      <td class="wide">
        <AccountBadges {...account} />
      </td>
      <td class="use">
        {quotas.map((quota) => (
          <Use key={quota.name} quota={quota} isNamed={quotas.length > 1} />
        ))}
      </td>
      <td class="number wide">{lastUsed}</td>
      <td class="number wide">
        <UtcDay at={created_at} />
      </td>
    </tr>
  );
}

function Use({ quota: { name, used, limit }, isNamed }: { readonly quota: QuotaUse; readonly isNamed: boolean }) {
  return (
    <span class="use-line">
      <meter
        min={0}
        max={Math.max(1, limit)}
        high={limit * 0.8}
        optimum={0}
        value={Math.min(used, limit)}
        aria-label={`Used ${name}`}
      />
      <span class="use-figure">
        {formatCount(used)} of {formatCount(limit)}
        {isNamed && ` ${name}`}
      </span>
    </span>
  );
}

/** A number can be that of a request, which customers send when they ask about a failure. */
function NothingFound({ search }: { readonly search: string }) {
  if (search === "") return <p>The service has no account yet. The first one shows here once it is opened.</p>;
  return (
    <>
      <p role="status">
        No account has this id, or an e-mail address or a key that starts with “<BreakableText text={search} />
        ”.
      </p>
      {/^\d{12,16}$/.test(search) && (
        <p>
          <a class="row-link" href={addressOf(`requests/${search}`)}>
            Look for a request with the number {search}
          </a>
        </p>
      )}
    </>
  );
}
