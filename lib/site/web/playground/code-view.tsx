// Code for the same request in nine languages, or as a GET link.
import { useState } from "preact/hooks";
import type { CodeSample } from "../../samples/code-samples.ts";
import { type SampleLanguage, sampleLanguages } from "../../samples/sample-languages.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { chosenSampleLanguage, storeSampleLanguage } from "../shared/sample-language.ts";
import { ScrollRegion } from "../shared/scroll-region.tsx";
import { Segments } from "../shared/segments.tsx";

const languages = Object.entries(sampleLanguages) as [SampleLanguage, string][];

interface CodeViewProps {
  readonly samples: readonly CodeSample[];
  /** Samples that send GET; undefined if the address would be too long. */
  readonly getSamples: readonly CodeSample[] | undefined;
}

export function CodeView({ samples, getSamples }: CodeViewProps) {
  const [language, setLanguage] = useState(chosenSampleLanguage);
  const [method, setMethod] = useState<"POST" | "GET">("POST");
  const usesGet = method === "GET" && getSamples !== undefined;
  const { code = "", install } = (usesGet ? getSamples : samples).find((each) => each.language === language) ?? {};
  return (
    <section class="pane code-pane" aria-labelledby="code-title">
      <div class="pane-head">
        <h2 id="code-title">Code</h2>
        <p class="note">
          Reads the key from <code>SCREEN_CAPTURE_KEY</code>.
        </p>
        <div class="code-bar">
          <select
            aria-label="Language"
            value={language}
            onChange={({ currentTarget: { value } }) => {
              setLanguage(value as SampleLanguage);
              storeSampleLanguage(value);
            }}
          >
            {languages.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <Segments
            label="Method"
            options={[
              ["POST", "POST"],
              ["GET", "GET", getSamples ? undefined : "The address would be longer than 8,000 characters"],
            ]}
            value={usesGet ? "GET" : "POST"}
            onChange={setMethod}
          />
          <CopyButton text={code} refusal="Not copied">
            Copy code
          </CopyButton>
        </div>
      </div>
      {install !== undefined && (
        <p class="install">
          <code>{install}</code>
          <CopyButton text={install}>Copy</CopyButton>
        </p>
      )}
      <ScrollRegion class="code" label="Code of the request">
        <pre>
          <code>{code}</code>
        </pre>
      </ScrollRegion>
    </section>
  );
}
