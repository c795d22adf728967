// How an invocation fails: the function threw, ended its process or ran out of time.

/** `errorType` is the name that Lambda uses, such as `Sandbox.Timedout`, or that of the error which the function threw. */
export class FunctionError extends Error {
  override readonly name = "FunctionError";
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}
