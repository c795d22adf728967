// Mouse input. Events are sent without awaiting each other; the browser handles them in order.
import type { CDPSession, Protocol } from "puppeteer-core";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Moves the mouse to a point of the viewport; resolves when the page has handled the event. */
export async function moveMouse(cdp: CDPSession, point: Point): Promise<void> {
  await cdp.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point });
}

/** Clicks at a point of the viewport; resolves when the page has handled the events. */
export async function clickMouse(cdp: CDPSession, point: Point): Promise<void> {
  const button = (event: Pick<Protocol.Input.DispatchMouseEventRequest, "type" | "buttons">) =>
    cdp.send("Input.dispatchMouseEvent", { ...event, ...point, button: "left", clickCount: 1 });
  await Promise.all([
    moveMouse(cdp, point),
    button({ type: "mousePressed", buttons: LEFT }),
    button({ type: "mouseReleased", buttons: 0 }),
  ]);
}

/** In the bit mask of pressed buttons, see https://www.w3.org/TR/uievents/#dom-mouseevent-buttons */
const LEFT = 1;
