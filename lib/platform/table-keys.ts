// The map of the tables: every key string of every item is built here.

/** Accounts: who may call. Index `by-account` finds the keys of an account. */
export const accountKey = (accountId: number) => ({ pk: `ACCOUNT#${accountId}`, sk: "ACCOUNT" });
export const apiKeyKey = (hash: string) => ({ pk: `KEY#${hash}`, sk: "KEY" });
export const accountIndexKey = (accountId: number) => ({ account_pk: `ACCOUNT#${accountId}`, sk: "KEY" });
export const secretKey = (name: string) => ({ pk: `SECRET#${name}`, sk: "SECRET" });

/** Usage: one counter per account, UTC day and API key. */
export const dayCounterKey = (accountId: number, date: string, apiKeyId: number) => ({
  pk: `DAYS#${accountId}`,
  sk: `${date}#${apiKeyId}`,
});
/** Bounds of the counters of an account from one UTC day to another, both included. */
export const dayCounterRange = (accountId: number, from: string, to: string) => ({
  pk: `DAYS#${accountId}`,
  first: `${from}#`,
  last: `${to}#~`, // "~" sorts after every digit
});

/** Activity: the logs of an account's captures, one partition per UTC day, in the order of their ids. */
export const logKey = (accountId: number, date: string, id: number) => ({
  pk: `LOG#${accountId}#${date}`,
  sk: String(id).padStart(16, "0"),
});
export const logPartition = (accountId: number, date: string) => `LOG#${accountId}#${date}`;
