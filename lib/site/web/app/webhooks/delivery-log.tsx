// The deliveries to a receiver: each attempt with the receiver's answer, newest first.
import { useEffect, useState } from "preact/hooks";
import type {
  WebhookDeliveries,
  WebhookDelivery,
  WebhookReceiver,
} from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../../ui/api.ts";
import { formatMilliseconds } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useResource } from "../../ui/use-resource.ts";
import { Time, ZoneNote } from "../time.tsx";
import { pathOf } from "./receiver-questions.tsx";

interface DeliveryLogProps {
  readonly receiver: WebhookReceiver;
  /** Changes when there is a new delivery. */
  readonly round: number;
}

export function DeliveryLog({ receiver, round }: DeliveryLogProps) {
  const [isFailedOnly, setFailedOnly] = useState(false);
  const path = `${pathOf(receiver)}/deliveries${isFailedOnly ? "?status=failed" : ""}`;
  const list = useResource<WebhookDeliveries>(path);
  useEffect(() => {
    if (round > 0) list.refresh();
  }, [round]);
  return (
    <section>
      <h2>Deliveries</h2>
      <form class="filters receiver-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <label class="check">
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={({ currentTarget: { checked } }) => setFailedOnly(checked)}
          />
          Failed only
        </label>
        <button type="button" onClick={list.refresh}>
          Refresh
        </button>
      </form>
      {list.error && <Notice problem={list.error} retry={list.reload} />}
      {!list.data && !list.error && <ListSkeleton label="The deliveries are being read." rows={8} />}
      {list.data && (
        <Deliveries
          key={`${path} ${list.data.data[0]?.id}`}
          path={path}
          first={list.data}
          isFailedOnly={isFailedOnly}
        />
      )}
    </section>
  );
}

interface DeliveriesProps {
  readonly path: string;
  readonly first: WebhookDeliveries;
  readonly isFailedOnly: boolean;
}

/** The first part of the list, and further ones on request. */
function Deliveries({ path, first, isFailedOnly }: DeliveriesProps) {
  const [older, setOlder] = useState<readonly WebhookDeliveries[]>([]);
  const action = useAction();
  const parts = [first, ...older];
  const deliveries = parts.flatMap(({ data }) => data);
  const next = parts.at(-1)?.next_before ?? null;
  const readOlder = () =>
    action.run(async () => {
      const part = await send<WebhookDeliveries>("GET", `${path}${path.includes("?") ? "&" : "?"}before=${next}`);
      setOlder((last) => [...last, part]);
    });
  return (
    <>
      {deliveries.length === 0 && next === null ? (
        <p>{isFailedOnly ? "No delivery of the last 30 days has failed." : "Nothing was sent in the last 30 days."}</p>
      ) : (
        <p class="note">
          <ZoneNote />
        </p>
      )}
      <ul class="receiver-deliveries">
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {next !== null && (
        <button type="button" disabled={action.isRunning} onClick={() => void readOlder()}>
          Older
        </button>
      )}
      {action.problem && <Notice problem={action.problem} />}
    </>
  );
}

function Delivery({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { type, request_id, event_id, attempt, at, http_status_code, error, duration_ms, response_excerpt } = delivery;
  return (
    <li>
      <details>
        <summary>
          <span class={`badge badge-${error === null ? "success" : "failed"}`}>
            {http_status_code ?? "no response"}
          </span>
          <span>
            {type}
            {attempt > 1 && `, attempt ${attempt}`}
          </span>
          <span class="receiver-duration">{formatMilliseconds(duration_ms)}</span>
          <Time at={at} />
        </summary>
        <div class="receiver-delivery">
          {error !== null && <p>{error}</p>}
          {response_excerpt !== undefined && <pre>{response_excerpt}</pre>}
          <dl class="facts">
            <dt>Event</dt>
            <dd>
              <code>{event_id}</code>
            </dd>
            {request_id !== null && (
              <>
                <dt>Capture</dt>
                <dd>
                  <a href={addressOf(`captures?open=${request_id}`)}>{request_id}</a>
                </dd>
              </>
            )}
          </dl>
        </div>
      </details>
    </li>
  );
}
