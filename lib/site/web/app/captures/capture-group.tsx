// The results of the same request as a capture, each with a link to its page.
import type { UsageSearch } from "../../../../../clients/typescript/src/generated/types.ts";
import { MAX_OUTPUTS } from "../../../../contract/options/output-limits.ts";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { addressOf } from "../../ui/router.ts";
import { useResource } from "../../ui/use-resource.ts";
import { Badge } from "./capture-item.tsx";
import { capturePath } from "./capture-text.ts";

interface CaptureGroupProps {
  /** The id of the request. */
  readonly groupId: number;
  /** The id of the capture whose page it is. */
  readonly id: number;
}

export function GroupedCaptures({ groupId, id }: CaptureGroupProps) {
  // The lists have no filter by group: the captures of a request have the ids from its own on. Twice as many, because captures of other requests can have ids in between.
  const path = `/api/v1/usage/search?before=${groupId + MAX_OUTPUTS}&limit=${2 * MAX_OUTPUTS}`;
  const found = useResource<UsageSearch>(path).data?.data ?? [];
  const captures = found.filter(({ group_id }) => group_id === groupId).toReversed();
  if (captures.length === 0) return null;
  return (
    <nav class="capture-group" aria-labelledby="capture-group-title">
      <h2 id="capture-group-title">
        {captures.length} {captures.length === 1 ? "result" : "results"} of one request
      </h2>
      <ul>
        {captures.map(({ id: each, output_name, format, status, cached }) => (
          <li key={each}>
            <a href={addressOf(capturePath(each))} aria-current={each === id ? "page" : undefined}>
              <BreakableText text={output_name ?? String(each)} />
            </a>
            <span>{format}</span>
            <Badge status={status} isCached={cached} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
