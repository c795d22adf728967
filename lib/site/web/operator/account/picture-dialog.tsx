// Shows the picture of a customer's capture. It says first that the audit log keeps each look.
import { useState } from "preact/hooks";
import { apiBaseUrl } from "../../service-address.ts";
import { Modal } from "../../ui/modal.tsx";
import { API } from "../requests.ts";

interface PictureDialogProps {
  readonly accountId: number;
  readonly captureId: number;
  readonly onClose: () => void;
}

export function PictureDialog({ accountId, captureId, onClose }: PictureDialogProps) {
  const [isShown, setShown] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const address = `${apiBaseUrl}${API}/accounts/${accountId}/captures/${captureId}/picture`;
  return (
    <Modal title={`Picture of request ${captureId}`} onClose={onClose}>
      {(close) => (
        <>
          <p>It shows a customer’s page. The audit log keeps that you have looked at it.</p>
          {isShown && !hasFailed && (
            <img class="customer-picture" src={address} alt="The captured page" onError={() => setFailed(true)} />
          )}
          {hasFailed && (
            <p class="note" role="alert">
              The picture can’t be shown: it is not stored any more, or this browser doesn’t know its format.
            </p>
          )}
          <p class="form-actions">
            {!isShown && (
              <button type="button" class="button-primary" onClick={() => setShown(true)}>
                Show it
              </button>
            )}
            <button type="button" onClick={close}>
              Close
            </button>
          </p>
        </>
      )}
    </Modal>
  );
}
