// Webhooks: the saved receivers with their health, one of them with its deliveries, and a test of any address.
import { useState } from "preact/hooks";
import type { IssuedWebhookReceiver, WebhookReceivers } from "../../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { Notice } from "../../ui/notice.tsx";
import { navigateTo, useAddress } from "../../ui/router.ts";
import { useResource } from "../../ui/use-resource.ts";
import type { ScreenProps } from "../screen.ts";
import { Webhooks as Skeleton } from "../skeletons.tsx";
import { IssuedReceiverSecret } from "../webhooks/issued-receiver-secret.tsx";
import { NewReceiverForm } from "../webhooks/new-receiver-form.tsx";
import { ReceiverList } from "../webhooks/receiver-list.tsx";
import { ReceiverPage } from "../webhooks/receiver-page.tsx";
import { WebhookTestForm } from "../webhooks/webhook-test.tsx";

export function WebhooksScreen(_: ScreenProps) {
  const { query } = useAddress();
  const [issued, setIssued] = useState<IssuedWebhookReceiver>();
  const [deleted, setDeleted] = useState<string>();
  const id = query.get("receiver");
  const secret = issued && <IssuedReceiverSecret issued={issued} onHidden={() => setIssued(undefined)} />;
  if (id !== null) {
    return (
      <>
        {issued?.id === id && secret}
        <ReceiverPage
          key={id}
          id={id}
          onIssued={setIssued}
          onDeleted={(name) => {
            setIssued(undefined);
            setDeleted(name);
            navigateTo("webhooks", { replace: true });
          }}
        />
      </>
    );
  }
  return (
    <>
      {secret}
      <Receivers deleted={deleted} onIssued={setIssued} />
    </>
  );
}

interface ReceiversProps {
  /** Name of the receiver that was just deleted. */
  readonly deleted: string | undefined;
  readonly onIssued: (receiver: IssuedWebhookReceiver) => void;
}

function Receivers({ deleted, onIssued }: ReceiversProps) {
  const list = useResource<WebhookReceivers>("/api/v1/webhooks/receivers");
  if (list.error) return <Notice problem={list.error} retry={list.reload} />;
  if (!list.data) return <Skeleton />;
  const receivers = list.data.data;
  return (
    <>
      {deleted !== undefined && (
        <p class="note" role="status">
          “{deleted}” is deleted: captures that name it are refused.
        </p>
      )}
      <NewReceiverForm
        onIssued={(receiver) => {
          onIssued(receiver);
          list.reload();
        }}
      />
      {!receivers.some(({ kind }) => kind === "saved") && (
        <p>
          The account has no saved receiver. Create one above; then send its id as <code>webhook_receiver</code> with
          asynchronous captures. <a href={`${apiBaseUrl}/docs/guide/webhooks`}>How webhooks work</a>
        </p>
      )}
      <ReceiverList receivers={receivers} />
      <WebhookTestForm />
    </>
  );
}
