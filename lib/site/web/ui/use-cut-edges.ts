// Where a list that scrolls sideways is cut off: its styles fade that edge.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Sets `data-cut` of the element to `start`, `end`, both, or nothing, whenever it scrolls or gets another width. */
export function useCutEdges(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const update = () => {
      const left = element.scrollLeft;
      const right = element.scrollWidth - element.clientWidth - left;
      element.dataset["cut"] = [left > 1 && "start", right > 1 && "end"].filter(Boolean).join(" ");
    };
    const observer = new ResizeObserver(update); // also calls it now
    observer.observe(element);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, []);
}
