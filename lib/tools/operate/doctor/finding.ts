// What the doctor found: one line of its table.

/** A `failed` finding makes the command exit with 1; a `warning` is for the operator to judge. */
export type FindingStatus = "ok" | "warning" | "failed";

export interface DoctorFinding {
  readonly status: FindingStatus;
  /** What was seen. */
  readonly detail: string;
  /** What to do, often a command. */
  readonly fix?: string;
}

export interface DoctorCheck {
  readonly name: string;
  /** True where the checks after it make no sense once it has failed. */
  readonly isRequired?: boolean;
  /** An error that it throws is a failed finding. */
  readonly run: () => Promise<DoctorFinding> | DoctorFinding;
}

export const ok = (detail: string): DoctorFinding => ({ status: "ok", detail });
export const warning = (detail: string, fix: string): DoctorFinding => ({ status: "warning", detail, fix });
export const failed = (detail: string, fix: string): DoctorFinding => ({ status: "failed", detail, fix });
