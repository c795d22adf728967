// The dialog that opens a capture of the list. Its script is that of the pages of captures.
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { loadEntry } from "../loaded-screens.ts";
import type { CaptureDialog } from "./capture-dialog.tsx";

interface OpenedDialog {
  readonly id: number;
  readonly Dialog: typeof CaptureDialog;
}

/** `ids` are those that the dialog goes through. Returns what opens one, and the dialog. */
export function useCaptureDialog(ids: readonly number[]) {
  const [opened, setOpened] = useState<OpenedDialog>();
  const open = async (id: number) => {
    const { Dialog } = (await loadEntry("capture")) as Pick<OpenedDialog, "Dialog">;
    setOpened({ id, Dialog });
  };
  const dialog: ComponentChild = opened && (
    <opened.Dialog
      id={opened.id}
      ids={ids}
      onShow={(id) => setOpened({ ...opened, id })}
      onClose={() => setOpened(undefined)}
    />
  );
  return { open: (id: number) => void open(id), dialog };
}
