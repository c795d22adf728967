// The audit log: who changed what, when, from where, and why. Nothing changes an entry.
import { apiBaseUrl } from "../../service-address.ts";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf, useAddress } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { formatUtc } from "../ages.ts";
import type { AuditEntry, ListPage } from "../answers.ts";
import { ListPages } from "../list-pages.tsx";
import { API } from "../requests.ts";
import { Age } from "../time.tsx";

export function AuditScreen() {
  const after = useAddress().query.get("after") ?? "";
  const parameters = new URLSearchParams(after === "" ? {} : { after });
  const list = useResource<ListPage<AuditEntry>>(`${API}/audit?${parameters}`);
  if (!list.data) {
    return list.error ? (
      <Notice problem={list.error} retry={list.reload} />
    ) : (
      <ListSkeleton rows={10} label="The audit log is being read." />
    );
  }
  const { data, next } = list.data;
  return (
    <>
      <p class="list-line note">
        <span>Every change by this page and by commands, and each look at a customer’s picture. Times are in UTC.</span>
        <a class="button" href={`${apiBaseUrl}${API}/audit/export`} download>
          Export as NDJSON
        </a>
      </p>
      {data.length === 0 ? (
        <p>Nothing was changed yet. The first change shows here.</p>
      ) : (
        <table class="dense audit">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Action</th>
              <th scope="col" class="wide">
                Operator
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      )}
      <ListPages path="audit" after={after} next={next} />
    </>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { at, action, account_id, reason, details, operator, from } = entry;
  return (
    <tr>
      <th scope="row">
        <time dateTime={at}>{formatUtc(at, true)}</time>
        <span class="second-line">
          <Age at={at} />
        </span>
      </th>
      <td>
        <code>
          <BreakableText text={action} />
        </code>{" "}
        {account_id !== null && <a href={addressOf(`accounts/${account_id}`)}>account {account_id}</a>}
        {reason !== null && <span class="audit-reason">“{reason}”</span>}
        {Object.keys(details).length > 0 && (
          <span class="second-line">
            {Object.entries(details)
              .toSorted()
              .map(([name, value]) => `${name}: ${value}`)
              .join(" · ")}
          </span>
        )}
        <span class="second-line narrow">
          {operator} from {from}
        </span>
      </td>
      <td class="wide">
        <BreakableText text={operator} />
        <span class="second-line">
          from <BreakableText text={from} />
        </span>
      </td>
    </tr>
  );
}
