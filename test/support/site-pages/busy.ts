// Pages whose network is never idle, and the connections that stay open for them.
import { box, document, type Pages, paintGreen, script } from "./page.ts";

const EVERY_MS = 100;

export const busyPages: Pages = {
  /** Scripts, styles and requests all answered, but a beacon every 100 ms for ever. */
  "/beacons": () =>
    document(`${box}<script>setInterval(() => navigator.sendBeacon("/empty-204"), ${EVERY_MS})</script>`),

  /**
   * A fetch() every 100 ms for ever, an open EventSource and an open WebSocket; a second WebSocket waits for an answer
   * that never comes. The box is green once both open ones have brought a message.
   */
  "/fetch-beacons": () =>
    document(
      box +
        script(`
          setInterval(() => fetch("/empty-204", { method: "POST", body: "{}" }), ${EVERY_MS});
          const first = (source) => new Promise((resolve) => { source.onmessage = resolve });
          Promise.all([first(new EventSource("/events")), first(new WebSocket("/socket"))]).then(() => { ${paintGreen} });
          new WebSocket("/never-answers");
        `),
    ),

  /** Server-sent events: one at once and one every 100 ms, for ever. */
  "/events": (_, answer) => {
    answer.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const send = () => answer.write("data: tick\n\n");
    send();
    const timer = setInterval(send, EVERY_MS);
    answer.on("close", () => clearInterval(timer));
    return undefined;
  },
};
