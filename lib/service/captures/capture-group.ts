// The group of captures that a request with `outputs` makes.

/** The request with `outputs` that a capture is a part of. */
export interface CaptureGroup {
  /** The id of the request, which all of its captures have in common. */
  readonly id: number;
  /** The name of the output. */
  readonly output: string;
  /** How many captures there are, which share the time of the request. */
  readonly size: number;
}
