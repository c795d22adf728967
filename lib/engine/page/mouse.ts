// The mouse of a visitor. Its events are sent without waiting for each other, which the browser does in their order.
import type { CDPSession, Protocol } from "puppeteer-core";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Moves the mouse to a point of the window; resolves when the page has been told. */
export async function moveMouse(cdp: CDPSession, point: Point): Promise<void> {
  await cdp.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point });
}

/** Clicks at a point of the window; resolves when the page has been told. */
export async function clickMouse(cdp: CDPSession, point: Point): Promise<void> {
  const button = (event: Pick<Protocol.Input.DispatchMouseEventRequest, "type" | "buttons">) =>
    cdp.send("Input.dispatchMouseEvent", { ...event, ...point, button: "left", clickCount: 1 });
  await Promise.all([
    moveMouse(cdp, point),
    button({ type: "mousePressed", buttons: LEFT }),
    button({ type: "mouseReleased", buttons: 0 }),
  ]);
}

/** Of the mask of buttons that are pressed, see https://www.w3.org/TR/uievents/#dom-mouseevent-buttons */
const LEFT = 1;
