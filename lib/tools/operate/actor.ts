// Who runs a command of the operator, as the audit log names them.
import { hostname, userInfo } from "node:os";
import type { AuditActor } from "../../service/operator/audit-log.ts";

/** The user and the host of this process. */
export function commandActor(): AuditActor {
  const host = hostname();
  return { operator: `${userName()}@${host}`, from: host };
}

/** In a container, the user may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}
