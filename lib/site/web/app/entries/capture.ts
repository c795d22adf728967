import { start } from "../app.tsx";
import { CaptureDialog } from "../captures/capture-dialog.tsx";
import { CaptureScreen } from "../screens/capture.tsx";

start({ "captures/id": CaptureScreen });

/** For the list of captures. */
export const Dialog = CaptureDialog;
