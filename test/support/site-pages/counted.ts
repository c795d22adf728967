// Pages that count their requests, so that a test can tell how often they were rendered.
import { document, numberIn, type Pages } from "./page.ts";

const visits = new Map<string, number>();
const doors = new Map<string, PromiseWithResolvers<void>>();

/** What visits wait for whose page is shut. */
function doorOf(name: string): PromiseWithResolvers<void> {
  const door = doors.get(name) ?? Promise.withResolvers<void>();
  doors.set(name, door);
  return door;
}

export const countedPages: Pages = {
  /**
   * Shows how many visits there were to its `name`, this one among them. It answers the status `status` (200 unless
   * told), and after `after` ms. With `shut` it answers so many visits, and all others once `/opens` was asked for.
   */
  "/counted": (query, answer) => {
    const name = query.get("name") ?? "";
    const count = (visits.get(name) ?? 0) + 1;
    visits.set(name, count);
    answer.statusCode = numberIn(query, "status", 200);
    const html = document(`<p>Visit ${count}</p>`);
    const send = () => answer.setHeader("content-type", "text/html; charset=utf-8").end(html);
    if (count > numberIn(query, "shut", Number.POSITIVE_INFINITY)) return void doorOf(name).promise.then(send);
    return void setTimeout(send, numberIn(query, "after", 0));
  },

  /** Opens the page of this `name` for all who wait. */
  "/opens": (query) => {
    doorOf(query.get("name") ?? "").resolve();
    return document("");
  },

  /** The number of visits to `/counted` with this `name`, as JSON. */
  "/visits": (query, answer) => {
    const count = visits.get(query.get("name") ?? "") ?? 0;
    return void answer.setHeader("content-type", "application/json").end(String(count));
  },
};
