// The script of the status page, which is in the page itself: says that the checks fail when the last one is too old.

const MINUTE_MS = 60_000;

/** Unhides the notice once the last check is older than the page says. */
function markStale(): void {
  const checked = document.querySelector<HTMLElement>("[data-checked-at]");
  const notice = document.querySelector<HTMLElement>("#stale");
  const { checkedAt = "", staleMs } = checked?.dataset ?? {};
  if (!notice || checkedAt === "") return;
  notice.hidden = Date.now() - Date.parse(checkedAt) <= Number(staleMs);
}

markStale();
setInterval(markStale, MINUTE_MS);
