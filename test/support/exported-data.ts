// Exports and deletions of accounts over HTTP, as the dashboard's pages start them and wait for them.
import { gunzipSync } from "node:zlib";
import { expect, vi } from "vitest";

interface Owner {
  readonly request: (method: string, path: string, body?: object) => Promise<Response>;
}

const patience = { timeout: 20_000, interval: 100 };

/** Exports all data of an account, and resolves to the text of the file, and to its name. */
export async function exportAllData(
  owner: Owner,
): Promise<{ readonly text: string; readonly disposition: string | null }> {
  const started = await owner.request("POST", "/session/account/exports");
  expect(started.status).toBe(202);
  const { id } = await started.json();
  const file = await vi.waitFor(async () => {
    const state = await (await owner.request("GET", `/session/account/exports/${id}`)).json();
    expect(state.status).toBe("ready");
    return fetch(state.download_url);
  }, patience);
  const text = gunzipSync(Buffer.from(await file.arrayBuffer())).toString();
  return { text, disposition: file.headers.get("content-disposition") };
}

/** Deletes an account of this name, and resolves to the state of its deletion once everything is deleted, or once it has a status. */
export async function deleteAllData(owner: Owner, label: string, { until = "finishing" } = {}) {
  const started = await owner.request("DELETE", "/session/account", { label });
  expect(started.status).toBe(202);
  const { id } = await started.json();
  return vi.waitFor(async () => {
    const state = await (await owner.request("GET", `/session/account/deletions/${id}`)).json();
    expect([until, "done"]).toContain(state.status);
    return state;
  }, patience);
}
