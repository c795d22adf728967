// A receiver: its facts, what can be done with it, and its deliveries.
import type { ComponentChild } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  IssuedWebhookReceiver,
  WebhookReceiver,
  WebhookReceiverSecret,
  WebhookTest,
} from "../../../../../clients/typescript/src/generated/types.ts";
import { send } from "../../ui/api.ts";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { CopyText, CopyTextButton } from "../../ui/copy-text.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useResource } from "../../ui/use-resource.ts";
import { useQuestion } from "../question.tsx";
import { Time } from "../time.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { ReceiverHealth } from "./receiver-health.tsx";
import {
  DeleteQuestion,
  EditQuestion,
  pathOf,
  type ReceiverQuestionProps,
  ReplayQuestion,
  RotateSecretQuestion,
} from "./receiver-questions.tsx";
import { TestAnswer } from "./test-answer.tsx";

interface ReceiverPageProps {
  readonly id: string;
  readonly onIssued: (receiver: IssuedWebhookReceiver) => void;
  /** Called with the name of the receiver. */
  readonly onDeleted: (name: string) => void;
}

export function ReceiverPage({ id, onIssued, onDeleted }: ReceiverPageProps) {
  const resource = useResource<WebhookReceiver>(pathOf({ id: encodeURIComponent(id) }));
  return (
    <>
      <p>
        <a href={addressOf("webhooks")}>All receivers</a>
      </p>
      {resource.error && <Notice problem={resource.error} retry={resource.reload} />}
      {!resource.data && !resource.error && <ListSkeleton label="The receiver is being read." rows={8} />}
      {resource.data && (
        <Receiver receiver={resource.data} onChanged={resource.reload} onIssued={onIssued} onDeleted={onDeleted} />
      )}
    </>
  );
}

interface ReceiverProps extends Omit<ReceiverPageProps, "id"> {
  readonly receiver: WebhookReceiver;
  readonly onChanged: () => void;
}

type QuestionName = "replay" | "edit" | "rotate" | "delete";

function Receiver({ receiver, onChanged, onIssued, onDeleted }: ReceiverProps) {
  const { name, status, kind } = receiver;
  const isSaved = kind === "saved";
  const [said, setSaid] = useState("");
  const [answer, setAnswer] = useState<WebhookTest>();
  const [secret, setSecret] = useState<string>();
  const [logRound, setLogRound] = useState(0);
  const action = useAction();
  const section = useRef<HTMLElement>(null);
  const { question, setQuestion, close, button } = useQuestion<QuestionName>(section);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const path = pathOf(receiver);
  /** Makes a change that says what it has done. */
  const run = (change: () => Promise<string>) =>
    action.run(async () => {
      setSaid("");
      setAnswer(undefined);
      setSaid(await change());
    });
  const answerQuestion = async (change: () => Promise<string>) => {
    if (!(await run(change))) return;
    if (question === "delete") return onDeleted(name);
    if (question === "rotate") setSecret(undefined);
    else close();
    setQuestion(undefined);
    onChanged();
  };
  const test = () =>
    run(async () => {
      setAnswer(await send<WebhookTest>("POST", `${path}/test`));
      setLogRound((round) => round + 1);
      return "";
    });
  const change = async (verb: "pause" | "resume", words: string) => {
    const isDone = await run(async () => {
      await send("POST", `${path}/${verb}`);
      return words;
    });
    if (isDone) onChanged();
  };
  const toggleSecret = () => {
    if (secret !== undefined) return setSecret(undefined);
    return action.run(async () => {
      setSecret((await send<WebhookReceiverSecret>("GET", `${path}/secret`)).signing_secret);
    });
  };
  const asked: ReceiverQuestionProps = {
    receiver,
    isRunning: action.isRunning,
    onCancel: close,
    onAnswer: (answered) => void answerQuestion(answered),
  };
  const questions: Record<QuestionName, () => ComponentChild> = {
    replay: () => <ReplayQuestion {...asked} />,
    edit: () => <EditQuestion {...asked} />,
    rotate: () => <RotateSecretQuestion {...asked} onIssued={onIssued} />,
    delete: () => <DeleteQuestion {...asked} />,
  };
  return (
    <>
      <section ref={section} class="receiver">
        <h2 ref={heading} tabIndex={-1}>
          <BreakableText text={name} />
        </h2>
        <ReceiverHealth receiver={receiver} />
        <ReceiverFacts receiver={receiver} />
        <div class="key-actions">
          {isSaved && (
            <button type="button" disabled={action.isRunning} onClick={() => void test()}>
              Send a test event
            </button>
          )}
          {status === "active" ? (
            <button
              type="button"
              disabled={action.isRunning}
              onClick={() => void change("pause", "The receiver is paused: its webhooks are kept, for 7 days each.")}
            >
              Pause
            </button>
          ) : (
            <button
              type="button"
              disabled={action.isRunning}
              onClick={() => void change("resume", "The receiver is resumed: what was kept is sent, oldest first.")}
            >
              Resume
            </button>
          )}
          {isSaved && (
            <>
              {button("replay", "Send again since…", status === "paused")}
              {button("edit", "Edit")}
              <button type="button" aria-expanded={secret !== undefined} onClick={() => void toggleSecret()}>
                {secret === undefined ? "Show secret" : "Hide secret"}
              </button>
              {button("rotate", "Rotate secret")}
              {button("delete", "Delete")}
            </>
          )}
        </div>
        {question && questions[question]()}
        {action.problem && <Notice problem={action.problem} />}
        {secret !== undefined && <CopyText label="Signing secret" text={secret} />}
        <div role="status">
          {said !== "" && <p class="note">{said}</p>}
          {answer && <TestAnswer answer={answer} signedWith="the receiver" />}
        </div>
      </section>
      {isSaved ? (
        <DeliveryLog receiver={receiver} round={logRound} />
      ) : (
        <p class="note">
          This address comes from <code>webhook_url</code>. For a log, a secret of its own, and test events, save a
          receiver.
        </p>
      )}
    </>
  );
}

function ReceiverFacts({ receiver }: { readonly receiver: WebhookReceiver }) {
  const { id, url, created_at, last_success_at, last_failure_at, previous_secret_ends_at } = receiver;
  const timeOrNever = (at: string | null) => (at === null ? "never" : <Time at={at} />);
  return (
    <dl class="facts">
      <dt>Id</dt>
      <dd>
        <code>{id}</code> <CopyTextButton text={id} label="the id" />
      </dd>
      <dt>Address</dt>
      <dd>
        <BreakableText text={url} />
      </dd>
      <dt>Last success</dt>
      <dd>{timeOrNever(last_success_at)}</dd>
      <dt>Last failure</dt>
      <dd>{timeOrNever(last_failure_at)}</dd>
      <dt>Created</dt>
      <dd>
        <Time at={created_at} />
      </dd>
      {previous_secret_ends_at !== null && (
        <>
          <dt>Previous secret</dt>
          <dd>
            signs until <Time at={previous_secret_ends_at} />
          </dd>
        </>
      )}
    </dl>
  );
}
