// Pages that count who comes, so that a test can say how often something was rendered.
import { document, numberIn, type Pages } from "./page.ts";

const visits = new Map<string, number>();

export const countedPages: Pages = {
  /**
   * Shows how many visits there were to its `name`, this one among them. It answers the status `status` (200 unless
   * told), and after `after` ms.
   */
  "/counted": (query, answer) => {
    const name = query.get("name") ?? "";
    const count = (visits.get(name) ?? 0) + 1;
    visits.set(name, count);
    answer.statusCode = numberIn(query, "status", 200);
    const html = document(`<p>Visit ${count}</p>`);
    const send = () => answer.setHeader("content-type", "text/html; charset=utf-8").end(html);
    return void setTimeout(send, numberIn(query, "after", 0));
  },

  /** The number of visits to `/counted` with this `name`, as JSON. */
  "/visits": (query, answer) => {
    const count = visits.get(query.get("name") ?? "") ?? 0;
    return void answer.setHeader("content-type", "application/json").end(String(count));
  },
};
