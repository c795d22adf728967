// Mouse input. Events are sent without awaiting each other; the browser handles them in order.
import type { Protocol } from "puppeteer-core";
import { whileTimePasses } from "../rendering/page-time.ts";
import type { CapturedPage } from "./captured-page.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Moves the mouse to a point of the viewport; resolves when the page has handled the event. */
export async function moveMouse(page: CapturedPage, point: Point): Promise<void> {
  // The page handles a move with its next frame.
  await whileTimePasses(page, page.session.cdp.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...point }));
}

/** Clicks at a point of the viewport; resolves when the page has handled the events. */
export async function clickMouse(page: CapturedPage, point: Point): Promise<void> {
  const { cdp } = page.session;
  const button = (event: Pick<Protocol.Input.DispatchMouseEventRequest, "type" | "buttons">) =>
    cdp.send("Input.dispatchMouseEvent", { ...event, ...point, button: "left", clickCount: 1 });
  const events = [
    moveMouse(page, point),
    button({ type: "mousePressed", buttons: LEFT }),
    button({ type: "mouseReleased", buttons: 0 }),
  ];
  await whileTimePasses(page, Promise.all(events));
}

/** In the bit mask of pressed buttons, see https://www.w3.org/TR/uievents/#dom-mouseevent-buttons */
const LEFT = 1;
