// The map of the tables: every key string of every item is built here.

/** Accounts: callers. An account shares a partition with its API keys, so that one query reads them all. */
export const accountPartition = (accountId: number | "*") => `ACCOUNT#${accountId}`;
export const accountKey = (accountId: number) => ({ pk: accountPartition(accountId), sk: "ACCOUNT" });
export const apiKeyKey = (accountId: number, keyId: number) => ({
  pk: accountPartition(accountId),
  sk: `KEY#${padded(keyId)}`,
});
/** Caller of an API key, by the hash of the key. */
export const callerKey = (hash: string) => ({ pk: `CALLER#${hash}`, sk: "CALLER" });
/** Caller of the sessions of an account. */
export const sessionCallerKey = (accountId: number) => callerKey(`ACCOUNT#${accountId}`);
/** Caller of a signed link, by the id of the API key that signed it. */
export const linkKey = (keyId: number | "*") => ({ pk: `LINK#${keyId}`, sk: "LINK" });
export const secretKey = (name: string) => ({ pk: `SECRET#${name}`, sk: "SECRET" });
/** Secret that signs links to results. */
export const linkSecretKey = secretKey("result-links");
/** Events of the operator's payment provider that were applied, by the hashes of their ids. */
export const billingEventKey = (hash: string) => ({ pk: `PAYMENTS#${hash}`, sk: "EVENT" });
/** Until when the billing run has closed invoices. */
export const billingRunKey = { pk: "BILLING#run", sk: "RUN" };

/** Secrets that sign what the operator receives, and verify what the operator sends. */
export const operatorSecretKey = secretKey("operator");
/** Data keys that encrypt secrets: that of the stage, and the one for links, which is derived from it. */
export type DataKeyName = "stage" | "links";
export const dataKeyKey = (name: DataKeyName) => secretKey(`data-key-${name}`);

/** Sessions of an account, by the hash of their token. */
export const sessionsPartition = (accountId: number | "*") => `SESSIONS#${accountId}`;
export const sessionKey = (accountId: number, hash: string) => ({ pk: sessionsPartition(accountId), sk: hash });
/** One-time link to sign in, by the hash of its secret. */
export const signInLinkKey = (hash: string) => ({ pk: `SIGNIN#${hash}`, sk: "SIGNIN" });
/** Code that proves an e-mail address, by the hash of the secret of the browser that requested. */
export const signInCodeKey = (hash: string) => ({ pk: `CODE#${hash}`, sk: "CODE" });
/** Links that undo a change of an account's e-mail address, by the hash of their token. */
export const addressUndoPartition = (accountId: number | "*") => `UNDO#${accountId}`;
export const addressUndoKey = (accountId: number, hash: string) => ({ pk: addressUndoPartition(accountId), sk: hash });
/** Links by which an owner reports a sign-in, by the hash of their token. */
export const signInReportsPartition = (accountId: number | "*") => `REPORTS#${accountId}`;
export const signInReportKey = (accountId: number, hash: string) => ({
  pk: signInReportsPartition(accountId),
  sk: hash,
});
/** When the owner reported a sign-in: browsers that were known before are not any more. */
export const reportedSinceKey = (accountId: number) => ({ pk: signInReportsPartition(accountId), sk: "SINCE" });
/** Receivers of webhooks of an account, by their ids, and an item with the names of the saved ones, which are unique. */
export const receiversPartition = (accountId: number | "*") => `RECEIVERS#${accountId}`;
export const receiverKey = (accountId: number, id: string) => ({ pk: receiversPartition(accountId), sk: id });
export const receiverNamesKey = (accountId: number) => ({ pk: receiversPartition(accountId), sk: "NAMES" });
/** How many e-mails about paused receivers an account got on a day, which is written `2026-01-31`. */
export const pauseMailsKey = (accountId: number, day: string) => ({
  pk: receiversPartition(accountId),
  sk: `MAILS#${day}`,
});
/** Signing secrets of saved receivers, by the ids of these. Functions that run Chromium may not read them. */
export const receiverSecretsPartition = (accountId: number | "*") => `RECEIVERSECRETS#${accountId}`;
export const receiverSecretsKey = (accountId: number, id: string) => ({
  pk: receiverSecretsPartition(accountId),
  sk: id,
});
/** Deletion of an account, which outlives the account for a while, so that its owner can see it end. */
export const deletionKey = (accountId: number | "*") => ({ pk: `DELETION#${accountId}`, sk: "DELETION" });
/** Account of an e-mail address, by the hash of the address. */
export const emailKey = (hash: string) => ({ pk: `EMAIL#${hash}`, sk: "EMAIL" });
/** Mailbox that has had a trial, by its hash. */
export const trialKey = (hash: string) => ({ pk: `TRIAL#${hash}`, sk: "TRIAL" });
/**
 * The directory, by which operators list and find accounts: a row for each account in the order of their ids, and their addresses, and the
 * prefixes of their API keys, in the order of the texts.
 */
export type DirectoryList = "ACCOUNTS" | "ADDRESSES" | "KEYS" | "STATE";
export const directoryKey = (list: DirectoryList | "*", sk: string) => ({ pk: `DIRECTORY#${list}`, sk });
export const directoryRowKey = (accountId: number) => directoryKey("ACCOUNTS", padded(accountId));
export const directoryAddressKey = (address: string, accountId: number) =>
  directoryKey("ADDRESSES", `${address}#${padded(accountId)}`);
export const directoryPrefixKey = (keyPrefix: string, keyId: number) =>
  directoryKey("KEYS", `${keyPrefix}#${padded(keyId)}`);
/** Says that accounts from before there was a directory are in it. */
export const directoryIndexedKey = directoryKey("STATE", "INDEXED");

/** Sessions of operators, their links to sign in, and their codes, each by the hash of its secret. */
export type OperatorItemKind = "SESSION" | "LINK" | "CODE";
export const operatorKey = (kind: OperatorItemKind | "*", hash: string) => ({
  pk: `OPERATORS#${kind}#${hash}`,
  sk: "OPERATOR",
});

/** Usage: the counters of an account. Requests of the last minute, one item for each limit there has been. */
export const requestsPartition = (accountId: number | "*") => `REQUESTS#${accountId}`;
export const requestsKey = (accountId: number, limit: number) => ({
  pk: requestsPartition(accountId),
  sk: String(limit),
});
/**
 * Requests of the last minute with sessions of the account: those of its owner, or those that began with an API key; for thumbnails, or
 * for anything else.
 */
export const sessionRequestsKey = (
  accountId: number,
  { beganWithKey, counted }: { readonly beganWithKey: boolean; readonly counted: "requests" | "thumbnails" },
) => ({
  pk: requestsPartition(accountId),
  sk: `${beganWithKey ? "KEY-SESSIONS" : "SESSIONS"}${counted === "thumbnails" ? "-THUMBNAILS" : ""}`,
});
/** Views in the last minute of the signed links of an account, by their signatures. */
export const linkViewsPartition = (accountId: number | "*") => `VIEWS#${accountId}`;
export const linkViewsKey = (accountId: number, signature: string) => ({
  pk: linkViewsPartition(accountId),
  sk: signature,
});
/** Attempts to sign in of one kind, by the hash of what is limited and the number of the time window. */
export const attemptsPartition = (kind: string) => `ATTEMPTS#${kind}`;
export const attemptsKey = (kind: string, hash: string, window: number) => ({
  pk: attemptsPartition(`${kind}#${hash}`),
  sk: String(window),
});
/** The kinds of attempts that are captures without an API key begin with it: their function can count no others. */
export const KEYLESS_ATTEMPTS = "keyless-";
/** The same of operators' attempts to sign in. */
export const OPERATOR_ATTEMPTS = "operator-";
/** The same of mails to the operator about what an owner does. */
export const EVENT_MAILS = "event-mails";
/** Captures of each billing period, by the timestamp of its start. */
export const periodsPartition = (accountId: number | "*") => `PERIODS#${accountId}`;
export const periodKey = (accountId: number, start: string) => ({ pk: periodsPartition(accountId), sk: start });
/** Captures with API keys for tests on each UTC day, written `2026-01-31`. */
export const testsPartition = (accountId: number | "*") => `TESTS#${accountId}`;
export const testsKey = (accountId: number, date: string) => ({ pk: testsPartition(accountId), sk: date });
/** Captures of API keys with a monthly limit, by the timestamp of the start of the billing period. */
export const keyLimitsPartition = (accountId: number | "*") => `KEYLIMITS#${accountId}`;
export const keyLimitKey = (accountId: number, start: string, apiKeyId: number) => ({
  pk: keyLimitsPartition(accountId),
  sk: `${start}#${apiKeyId}`,
});
/** Captures of accounts with a daily limit on each UTC day, written `2026-01-31`. */
export const dayLimitsPartition = (accountId: number | "*") => `DAYLIMITS#${accountId}`;
export const dayLimitKey = (accountId: number, date: string) => ({ pk: dayLimitsPartition(accountId), sk: date });
/** Free failures of each billing period, or of a day for API keys for tests, by the timestamp of its start. */
export const failuresPartition = (accountId: number | "*") => `FAILURES#${accountId}`;
export const failuresKey = (accountId: number, start: string) => ({ pk: failuresPartition(accountId), sk: start });
/** API key secrets with a reported first use, by their hashes. */
export const firstUsesPartition = (accountId: number | "*") => `FIRSTUSES#${accountId}`;
export const firstUseKey = (accountId: number, hash: string) => ({ pk: firstUsesPartition(accountId), sk: hash });
/** PDFs of the invoices of an account whose periods have ended, by the timestamp of their start. */
export const invoicesPartition = (accountId: number | "*") => `INVOICES#${accountId}`;
export const invoicePdfKey = (accountId: number, start: string) => ({ pk: invoicesPartition(accountId), sk: start });
/** Until when accounts without a paid plan get no new captures. */
export const trialPauseKey = { pk: "PAUSE#trials", sk: "PAUSE" };
/** Numbers of queued and running jobs of an account, one item for each shard, in a partition of its own. */
export const slotsPartition = (accountId: number | "*") => `SLOTS#${accountId}`;
export const jobSlotsKey = (accountId: number, shard = 0) => ({
  pk: `${slotsPartition(accountId)}${shardSuffix(shard)}`,
  sk: "JOBS-TAKEN",
});
/** Running synchronous captures of an account. */
export const runningCapturesKey = (accountId: number) => ({ pk: slotsPartition(accountId), sk: "CAPTURES" });
/** Running synchronous captures of all busy accounts, one item for each shard, in a partition of its own. */
export const allRunningCapturesKey = (shard: number) => ({ pk: `SLOTS#all${shardSuffix(shard)}`, sk: "CAPTURES" });
/** Bulk requests of all accounts that wait for their captures. */
export const waitingBulksKey = { pk: "SLOTS#bulks", sk: "BULKS" };
/** Running captures without an API key. */
export const keylessCapturesKey = { pk: "SLOTS#keyless", sk: "CAPTURES" };
/** Running webhook deliveries of an account. */
export const webhookSlotsKey = (accountId: number) => ({ pk: slotsPartition(accountId), sk: "WEBHOOKS" });
/** Running deliveries to a receiver that did not respond, by the hash of its origin. */
export const receiverSlotKey = (accountId: number, hash: string) => ({
  pk: slotsPartition(accountId),
  sk: `RECEIVER#${hash}`,
});
/** Captures per day, one item for each month, API key, and shard. Months are written `2026-01`. */
export const monthsPartition = (accountId: number | "*") => `MONTHS#${accountId}`;
export const monthKey = (accountId: number, month: string, apiKeyId: number, shard = 0) => ({
  pk: monthsPartition(accountId),
  sk: `${month}#${apiKeyId}${shardSuffix(shard)}`,
});
/** Captures per minute, one item for each hour, API key, and shard. Days are written `2026-01-31`, hours `00` to `23`. */
export const hoursPartition = (accountId: number | "*") => `HOURS#${accountId}`;
export const hourKey = (accountId: number, date: string, apiKeyId: number, hour: string, shard = 0) => ({
  pk: hoursPartition(accountId),
  sk: `${date}#${apiKeyId}#${hour}${shardSuffix(shard)}`,
});

/** Activity: the logs of an account's captures, one partition per UTC month, in the order of their ids. */
export const logPartition = (accountId: number | "*", month: string) => `LOG#${accountId}#${month}`;
export const logKey = (accountId: number, month: string, id: number) => ({
  pk: logPartition(accountId, month),
  sk: padded(id),
});

/** Jobs of an account, in the order of their ids. */
export const jobsPartition = (accountId: number | "*") => `JOBS#${accountId}`;
export const jobKey = (accountId: number, id: number) => ({ pk: jobsPartition(accountId), sk: padded(id) });
/** Deliveries to the saved receivers of an account: of each receiver, in the order of their ids. */
export const deliveriesPartition = (accountId: number | "*") => `DELIVERIES#${accountId}`;
export const deliveryKey = (accountId: number, receiverId: string, id: number) => ({
  pk: deliveriesPartition(accountId),
  sk: `${receiverId}#${padded(id)}`,
});
/**
 * Events that are stored while their receiver is paused: of each receiver, in the order in which their captures ended. Before them are
 * those whose attempts ended while their receiver was failing, which are kept if it is paused.
 */
export const storedEventsPartition = (accountId: number | "*") => `KEPT#${accountId}`;
export const storedEventPrefixes = (receiverId: string) => ({
  all: receiverId,
  ended: `${receiverId}!`,
  kept: `${receiverId}#`,
});
export const storedEventKey = (
  accountId: number,
  receiverId: string,
  list: "kept" | "ended",
  finishedAt: string,
  jobId: number,
) => ({
  pk: storedEventsPartition(accountId),
  sk: `${storedEventPrefixes(receiverId)[list]}${finishedAt}#${padded(jobId)}`,
});
/** Exports of an account's data, in the order of their ids. */
export const exportsPartition = (accountId: number | "*") => `EXPORTS#${accountId}`;
export const exportKey = (accountId: number, id: number) => ({ pk: exportsPartition(accountId), sk: padded(id) });
/** Cache entries of an account, by the hash of the options. */
export const cachePartition = (accountId: number | "*") => `CACHE#${accountId}`;
export const cacheKey = (accountId: number, hash: string) => ({ pk: cachePartition(accountId), sk: hash });
/** References to a cached result of an account, by its object key. */
export const resultReferencesPartition = (accountId: number | "*") => `REFERENCES#${accountId}`;
export const resultReferencesKey = (accountId: number, objectKey: string) => ({
  pk: resultReferencesPartition(accountId),
  sk: objectKey,
});
/** Leases of running captures (single-flight), by the cache key. */
export const leasesPartition = (accountId: number | "*") => `FLIGHTS#${accountId}`;
export const leaseKey = (accountId: number, hash: string) => ({ pk: leasesPartition(accountId), sk: hash });
/** Lease of the revalidation of a cache entry that is stale since a time in milliseconds since 1970. */
export const revalidationKey = (accountId: number, hash: string, staleSince: number) =>
  leaseKey(accountId, `${hash}#${staleSince}`);
/** Stored responses, by the hash of the idempotency key. */
export const responsesPartition = (accountId: number | "*") => `ANSWERS#${accountId}`;
export const responseKey = (accountId: number, hash: string) => ({ pk: responsesPartition(accountId), sk: hash });

/**
 * The partitions of an account other than those of its logs, jobs, sessions, undo links, reports of sign-ins, receivers, and keys, by table: what is deleted with it as it
 * is. A new partition of an account is added here.
 */
export const accountPartitions = (accountId: number | "*") => ({
  activity: [
    cachePartition(accountId),
    resultReferencesPartition(accountId),
    leasesPartition(accountId),
    responsesPartition(accountId),
    deliveriesPartition(accountId),
    storedEventsPartition(accountId),
    exportsPartition(accountId),
  ],
  usage: [
    requestsPartition(accountId),
    linkViewsPartition(accountId),
    periodsPartition(accountId),
    testsPartition(accountId),
    keyLimitsPartition(accountId),
    dayLimitsPartition(accountId),
    failuresPartition(accountId),
    firstUsesPartition(accountId),
    invoicesPartition(accountId),
    slotsPartition(accountId),
    monthsPartition(accountId),
    hoursPartition(accountId),
  ],
});

/** Pictures of captures without an API key, by the hash of the address. */
export const keylessPicturePartition = (hash: string) => `KEYLESS#${hash}`;
export const keylessPictureKey = (hash: string) => ({ pk: keylessPicturePartition(hash), sk: "PICTURE" });

/** The audit log: entries of a UTC month, which is written `2026-01`, in the order of their times. */
export const auditPartition = (month: string) => `AUDIT#${month}`;
export const auditKey = (at: string, id: string) => ({ pk: auditPartition(at.slice(0, 7)), sk: `${at}#${id}` });

/**
 * Events for the operator: those of a UTC month, which is written `2026-01`, in the order of their ids, which have their times. `PENDING` in
 * place of the month lists those whose delivery has not ended.
 */
export const operatorEventsPartition = (month: string) => `EVENTS#${month}`;
export const operatorEventKey = (month: string, id: string) => ({ pk: operatorEventsPartition(month), sk: id });
export const pendingOperatorEventKey = (id: string) => operatorEventKey("PENDING", id);

/** The last outcome of the canary. */
export const canaryKey = { pk: "CANARY#last", sk: "CANARY" };

/** What the status page shows: how many checks of a UTC day succeeded, which is written `2026-01-31`, and incidents in the order of their ids. */
export type StatusList = "DAYS" | "INCIDENTS";
export const statusPartition = (list: StatusList) => `STATUS#${list}`;
export const statusDayKey = (day: string) => ({ pk: statusPartition("DAYS"), sk: day });
export const incidentKey = (id: number) => ({ pk: statusPartition("INCIDENTS"), sk: padded(id) });

/** Sorts after every key with the same prefix. */
export const AFTER_ALL = "~";

/** Shard 0 has the key of an item without shards. */
function shardSuffix(shard: number): string {
  return shard === 0 ? "" : `#${shard}`;
}

/** Pads a number, so that text order is numeric order. */
function padded(id: number): string {
  return String(id).padStart(16, "0");
}
