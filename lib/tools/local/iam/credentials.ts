// Credentials of the local functions: each has its own, as on AWS, where they belong to a session of its role.
import { randomBytes } from "node:crypto";

export interface FunctionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

export interface CredentialStore {
  /** The same for each call with one name. */
  issue(functionName: string): FunctionCredentials;
  /** Whose access key it is; undefined for one that was not issued. */
  find(accessKeyId: string): { readonly functionName: string; readonly credentials: FunctionCredentials } | undefined;
}

/** They are random, and valid for as long as this process runs. */
export function createCredentialStore(): CredentialStore {
  const byFunction = new Map<string, FunctionCredentials>();
  const owners = new Map<string, string>();
  return {
    issue(functionName) {
      const known = byFunction.get(functionName);
      if (known) return known;
      const credentials = {
        accessKeyId: `ASIA${randomBytes(8).toString("hex").toUpperCase()}`, // temporary ones begin like this
        secretAccessKey: randomBytes(30).toString("base64"),
        sessionToken: randomBytes(48).toString("base64"),
      };
      byFunction.set(functionName, credentials);
      owners.set(credentials.accessKeyId, functionName);
      return credentials;
    },
    find(accessKeyId) {
      const functionName = owners.get(accessKeyId);
      const credentials = functionName === undefined ? undefined : byFunction.get(functionName);
      return functionName !== undefined && credentials ? { functionName, credentials } : undefined;
    },
  };
}
