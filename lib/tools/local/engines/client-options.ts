// Region, account and credentials for the local engines. None of them is real, and no engine checks them.

/** Queues and tables exist per region, so all clients on this machine must use the same one. */
export const REGION = "us-east-1";

/** The only account id that the SQS engine accepts. */
export const ACCOUNT_ID = "000000000000";

export const fakeCredentials = { accessKeyId: "local", secretAccessKey: "local" } as const;

/** Options of any SDK client that talks to an engine. */
export function clientOptions(endpoint: string) {
  return { endpoint, region: REGION, credentials: fakeCredentials };
}
