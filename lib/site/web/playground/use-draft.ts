// The draft of the playground: in the address as the visitor types, in the storage of the tab, and replaced by the links that they open.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { readShareFragment, shareFragment, withoutSecrets } from "../shared/share-link.ts";
import type { Contract } from "./contract.ts";
import { type DraftHistory, edit, replace, startHistory } from "./draft-history.ts";
import { typedOptions } from "./option-value.ts";
import { type Draft, draftFromOptions, initialDraft, type RequestOptions, requestOptions } from "./request-options.ts";
import { readStoredDraft, storeDraft } from "./stored-draft.ts";

/** Milliseconds after the last change until the address is written: Safari allows 100 writes in 30 seconds. */
const WRITE_DELAY_MS = 350;
/** A longer address breaks in mails, chats, and proxies. */
const MAX_FRAGMENT_CHARACTERS = 8_000;

type Change = (change: (history: DraftHistory) => DraftHistory) => void;

export interface EditedDraft {
  readonly history: DraftHistory;
  readonly change: Change;
  /** Resolves to the address that holds the whole request, HTML and Markdown included, without its secret options. */
  readonly share: () => Promise<string>;
}

export function useDraft(contract: Contract): EditedDraft {
  const [history, setHistory] = useState(() => readStoredDraft()?.history ?? startHistory(initialDraft));
  const latest = useRef(history);
  latest.current = history;
  const isRead = useOpenedLinks(contract, setHistory);
  useWrittenAddress(history, { contract, isRead });
  useStorageOnLeave(latest, isRead);
  // It is in the address bar, too, so that it can be copied there.
  const share = async () => {
    const fragment = await shareFragment(requestOptions(latest.current.draft), contract.isSecret);
    writeAddress(fragment);
    storeDraft({ history: latest.current, fragment });
    return location.href;
  };
  return { history, change: setHistory, share };
}

/**
 * Shows what a link holds, when the page opens and when its fragment changes. It captures nothing, and what it replaces can be restored.
 * Returns true once the fragment of the page is read.
 */
function useOpenedLinks(contract: Contract, change: Change): boolean {
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const read = async () => {
      const { hash } = location;
      const isOwn = hash === "" || hash === readStoredDraft()?.fragment;
      const shared = isOwn ? undefined : await readShareFragment(hash);
      if (shared) change((history) => replaceByLink(history, typedOptions(shared, contract.reference)));
      setRead(true);
    };
    void read();
    const onChange = () => void read();
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, [contract, change]);
  return isRead;
}

/** The inputs that the link lacks stay as they are. */
function replaceByLink(history: DraftHistory, shared: RequestOptions): DraftHistory {
  const draft = draftFromOptions(shared, history.draft);
  const isUntouched = JSON.stringify(history.draft) === JSON.stringify(initialDraft);
  return isUntouched ? edit(history, draft) : replace(history, draft, "The link replaced your request.");
}

/** Writes the draft into the address and the storage, once the visitor pauses. */
function useWrittenAddress(
  history: DraftHistory,
  { contract, isRead }: { readonly contract: Contract; readonly isRead: boolean },
): void {
  useEffect(() => {
    if (!isRead) return undefined;
    let isCurrent = true;
    const write = async () => {
      const fragment = await addressFragment(history.draft, contract);
      if (!isCurrent) return;
      writeAddress(fragment);
      storeDraft({ history, fragment });
    };
    const timer = setTimeout(() => void write(), WRITE_DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [history, contract, isRead]);
}

function writeAddress(fragment: string): void {
  if (fragment === location.hash) return;
  const address = new URL(location.href);
  address.hash = fragment;
  window.history.replaceState(window.history.state, "", address);
}

/** Keeps the last letters, too, when the visitor leaves before the address is written. */
function useStorageOnLeave(latest: RefObject<DraftHistory>, isRead: boolean): void {
  useEffect(() => {
    if (!isRead) return undefined;
    const store = () => storeDraft({ history: latest.current, fragment: location.hash });
    addEventListener("pagehide", store);
    return () => removeEventListener("pagehide", store);
  }, [latest, isRead]);
}

/**
 * The fragment that holds a draft, without secret options, and without HTML and Markdown, which may be personal: those are only in the
 * storage of the tab, as is all of a draft whose fragment would be too long. Empty for the draft of a new visitor.
 */
async function addressFragment({ source, inputs, options }: Draft, { isSecret }: Contract): Promise<string> {
  const isTyped = source === "url" && inputs.url !== initialDraft.inputs.url;
  const held = withoutSecrets({ ...(isTyped && { url: inputs.url }), ...options }, isSecret);
  if (Object.keys(held).length === 0) return "";
  const fragment = await shareFragment(held, isSecret);
  return fragment.length > MAX_FRAGMENT_CHARACTERS ? "" : fragment;
}
