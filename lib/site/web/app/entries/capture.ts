import { start } from "../app.tsx";
import { CaptureScreen } from "../screens/capture.tsx";

start({ "captures/id": CaptureScreen });
