// The request of a capture, to copy: as a curl command, its options, and all that the log has as JSON.
import { useState } from "preact/hooks";
import type { CaptureDetails } from "../../../../../clients/typescript/src/generated/types.ts";
import { ScrollRegion } from "../../shared/scroll-region.tsx";
import { Segments } from "../../shared/segments.tsx";
import { CopyTextButton } from "../../ui/copy-text.tsx";
import { curlCommand, isRepeatable } from "./capture-options.ts";

const forms = [
  ["curl", "curl"],
  ["options", "Options"],
  ["json", "JSON"],
] as const;
type Form = (typeof forms)[number][0];

export function CaptureRequestDetails({ details }: { readonly details: CaptureDetails }) {
  const [form, setForm] = useState<Form>("curl");
  const text = textIn(form, details);
  return (
    <section>
      <h2>Request</h2>
      <div class="request-bar">
        <Segments label="Form of the request" options={forms} value={form} onChange={setForm} />
        <CopyTextButton text={text} label={`the request as ${form}`} />
      </div>
      <ScrollRegion class="code" label="Request">
        <pre>
          <code>{text}</code>
        </pre>
      </ScrollRegion>
      <p class="note">{noteOn(form, details)}</p>
    </section>
  );
}

function textIn(form: Form, details: CaptureDetails): string {
  if (form === "curl") return curlCommand(details.options);
  return JSON.stringify(form === "options" ? details.options : details, null, 2);
}

function noteOn(form: Form, { options, id }: CaptureDetails): string {
  if (form === "json") return `As GET /api/v1/usage/${id} answers.`;
  const isWhole = isRepeatable(options);
  if (form === "options")
    return isWhole ? "As sent." : "As sent, without secrets, and with the beginning of long texts.";
  const key = "The API key is read from the environment: SCREEN_CAPTURE_KEY.";
  return isWhole ? key : `${key} The log has no secrets and no long texts: complete them before you run it.`;
}
