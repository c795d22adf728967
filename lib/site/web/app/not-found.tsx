// What an address of the dashboard shows that no screen has, in the words of the website's own page for that.
import { apiBaseUrl } from "../service-address.ts";
import { addressOf } from "../ui/router.ts";

export const notFoundTitle = "Nothing in the frame";

export function NotFound() {
  return (
    <div class="message-frame">
      <p class="eyebrow">404</p>
      <p>
        No screen of the dashboard exists at this address. Start at the <a href={addressOf("")}>overview</a>, look into
        your <a href={addressOf("captures")}>captures</a>, or read the <a href={`${apiBaseUrl}/docs`}>documentation</a>.
      </p>
    </div>
  );
}
