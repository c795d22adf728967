// The error of a failed invocation: the function threw, its process exited, or it timed out.

/** `errorType` is Lambda's, such as `Sandbox.Timedout`, or the name of the error that the function threw. */
export class FunctionError extends Error {
  override readonly name = "FunctionError";
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

/** An invocation that Lambda's API refuses. */
export class InvalidInvocation extends Error {
  readonly status: number;
  readonly type: string;

  constructor(message: string, { status, type } = { status: 400, type: "InvalidParameterValueException" }) {
    super(message);
    this.status = status;
    this.type = type;
  }
}
