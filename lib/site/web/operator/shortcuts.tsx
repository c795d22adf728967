// Keys of the operator's page: they find, open, and move, as long as no field has the focus. They can be turned off (WCAG 2.1.4).
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { readStored, store } from "../shared/storage.ts";
import { Modal } from "../ui/modal.tsx";
import type { NavigationLink } from "../ui/navigation.tsx";
import { navigateTo } from "../ui/router.ts";
import { FIND_FIELD, moveInList } from "./list-keys.ts";

const STORED_OFF = "operator-shortcuts-off";
/** Between `g` and the letter of a screen. */
const SEQUENCE_MS = 1_500;

export interface ScreenWithKey extends NavigationLink {
  /** Opens the screen after `g`. */
  readonly letter: string;
}

/** Handles the keys, and is the button that lists them. */
export function Shortcuts({ screens }: { readonly screens: readonly ScreenWithKey[] }) {
  const [isOff, setOff] = useState(() => readStored("localStorage", STORED_OFF) !== undefined);
  const [isListed, setListed] = useState(false);
  const startedAt = useRef(0);
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (moveInList(event, { withLetters: !isOff })) return event.preventDefault();
      if (isOff || isTyping(event)) return;
      const isSequence = performance.now() - startedAt.current < SEQUENCE_MS;
      startedAt.current = event.key === "g" ? performance.now() : 0;
      const target = isSequence ? screens.find(({ letter }) => letter === event.key) : undefined;
      if (target) navigateTo(target.path);
      else if (event.key === "/") document.getElementById(FIND_FIELD)?.focus();
      else if (event.key === "?") setListed(true);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, [screens, isOff]);
  const turn = (isOn: boolean) => {
    setOff(!isOn);
    store("localStorage", STORED_OFF, isOn ? undefined : "1");
  };
  return (
    <>
      <button type="button" class="quiet shortcuts-button" aria-haspopup="dialog" onClick={() => setListed(true)}>
        Shortcuts
      </button>
      {isListed && <KeyList {...{ screens, isOff, turn }} onClose={() => setListed(false)} />}
    </>
  );
}

interface KeyListProps {
  readonly screens: readonly ScreenWithKey[];
  readonly isOff: boolean;
  readonly turn: (isOn: boolean) => void;
  readonly onClose: () => void;
}

function KeyList({ screens, isOff, turn, onClose }: KeyListProps) {
  return (
    <Modal title="Shortcuts" onClose={onClose}>
      {(close) => (
        <>
          <dl class="facts shortcuts">
            <Keys keys={["/"]}>Find an account</Keys>
            <Keys keys={["↓", "↑"]}>Move in a list, also from the field</Keys>
            <Keys keys={["j", "k"]}>Move in a list</Keys>
            <Keys keys={["Enter"]}>Open</Keys>
            {screens.map(({ path, title, letter }) => (
              <Keys key={path} keys={["g", letter]}>
                {title}
              </Keys>
            ))}
            <Keys keys={["?"]}>This list</Keys>
          </dl>
          <label class="check">
            <input type="checkbox" checked={!isOff} onChange={(event) => turn(event.currentTarget.checked)} />
            Letters and signs are shortcuts
          </label>
          <p class="form-actions">
            <button type="button" onClick={close}>
              Close
            </button>
          </p>
        </>
      )}
    </Modal>
  );
}

function Keys({ keys, children }: { readonly keys: readonly string[]; readonly children: string }) {
  return (
    <>
      <dt>
        {keys.map((each) => (
          <kbd key={each}>{each}</kbd>
        ))}
      </dt>
      <dd>{children}</dd>
    </>
  );
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
}
