// What a capture, its result, and its errors need: one file, so that a page which hasn't captured yet has less to load.
import { CaptureRun } from "./capture-run.ts";
import { EndedBody } from "./ended-body.tsx";
import { ErrorView } from "./error-view.tsx";
import { InvalidOptions } from "./invalid-options.tsx";
import { ResultDetails } from "./result-details.tsx";

export const captureParts = { CaptureRun, EndedBody, ErrorView, InvalidOptions, ResultDetails };
