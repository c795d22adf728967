// The captures of an account, newest first: the latest ones, and all of them, by page and state.
import { Segments } from "../../shared/segments.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf, navigateTo, useAddress } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import type { AccountCapture, ListPage } from "../answers.ts";
import { ListPages } from "../list-pages.tsx";
import { API } from "../requests.ts";
import { type CapturesProps, CaptureTable } from "./capture-table.tsx";

/** Rows of the overview. */
const LATEST = 5;

const states = [
  ["", "All"],
  ["failed", "Failed"],
  ["success", "Succeeded"],
] as const;

const useCaptures = (accountId: number, parameters = "") =>
  useResource<ListPage<AccountCapture>>(`${API}/accounts/${accountId}/captures${parameters}`);

export function LatestCaptures(props: CapturesProps) {
  const { account } = props;
  const list = useCaptures(account.id);
  const captures = list.data?.data ?? [];
  return (
    <section>
      <div class="section-head">
        <h2>Latest captures</h2>
        {captures.length > 0 && <a href={addressOf(`accounts/${account.id}/captures`)}>All captures</a>}
      </div>
      {list.error && <Notice problem={list.error} retry={list.reload} />}
      {!list.data && !list.error && <ListSkeleton rows={LATEST} label="Captures are being read." />}
      {list.data && captures.length === 0 && <p class="note">Nothing was captured yet.</p>}
      {captures.length > 0 && <CaptureTable captures={captures.slice(0, LATEST)} {...props} />}
    </section>
  );
}

export function AllCaptures(props: CapturesProps) {
  const { path, query } = useAddress();
  const [status] = states.find(([value]) => value === query.get("status")) ?? [""];
  const after = query.get("after") ?? "";
  const parameters = new URLSearchParams({ ...(status && { status }), ...(after && { after }) });
  const list = useCaptures(props.account.id, `?${parameters}`);
  return (
    <section aria-label="Captures">
      <Segments
        label="State"
        options={states}
        value={status}
        onChange={(value) => navigateTo(value === "" ? path : `${path}?status=${value}`)}
      />
      {list.error && <Notice problem={list.error} retry={list.reload} />}
      {!list.data && !list.error && <ListSkeleton rows={10} label="Captures are being read." />}
      {list.data?.data.length === 0 && (
        <p class="note">{status === "" ? "Nothing was captured yet." : "No capture has this state."}</p>
      )}
      {list.data && list.data.data.length > 0 && <CaptureTable captures={list.data.data} {...props} />}
      {list.data && <ListPages path={path} filters={{ status }} after={after} next={list.data.next} />}
    </section>
  );
}
