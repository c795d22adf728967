// Code for the same request in eight languages, or as a GET link.
import { useEffect, useState } from "preact/hooks";
import type { CodeSample } from "../../samples/code-samples.ts";
import { type SampleLanguage, sampleLanguages } from "../../samples/sample-languages.ts";
import { ScrollRegion } from "./scroll-region.tsx";

const languages = Object.entries(sampleLanguages) as [SampleLanguage, string][];

interface CodeViewProps {
  readonly samples: readonly CodeSample[];
  /** Samples that send GET; undefined if the address would be too long. */
  readonly getSamples: readonly CodeSample[] | undefined;
}

export function CodeView({ samples, getSamples }: CodeViewProps) {
  const [language, setLanguage] = useState<SampleLanguage>("sh");
  const [method, setMethod] = useState<"POST" | "GET">("POST");
  const usesGet = method === "GET" && getSamples !== undefined;
  const { code = "", install } = (usesGet ? getSamples : samples).find((each) => each.language === language) ?? {};
  return (
    <section class="pane code-pane" aria-labelledby="code-title">
      <div class="pane-head">
        <h2 id="code-title">Code</h2>
        <fieldset class="segments" aria-label="Method">
          {(["POST", "GET"] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={(usesGet ? "GET" : "POST") === each}
              disabled={each === "GET" && !getSamples}
              title={each === "GET" && !getSamples ? "The address would be longer than 8,000 characters" : undefined}
              onClick={() => setMethod(each)}
            >
              {each}
            </button>
          ))}
        </fieldset>
      </div>
      <div class="code-bar">
        <select
          aria-label="Language"
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value as SampleLanguage)}
        >
          {languages.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <CopyButton text={code} label="Copy code" />
      </div>
      {install !== undefined && (
        <p class="install">
          <code>{install}</code>
          <CopyButton text={install} label="Copy" />
        </p>
      )}
      <ScrollRegion class="code" label="Code of the request">
        <pre>
          <code>{code}</code>
        </pre>
      </ScrollRegion>
      <p class="note">
        Reads the key from the environment: <code>SCREEN_CAPTURE_KEY</code>.
      </p>
    </section>
  );
}

export function CopyButton({ text, label }: { text: string | (() => Promise<string>); label: string }) {
  const [message, setMessage] = useState<string>();
  useEffect(() => {
    if (message === undefined) return;
    const timer = setTimeout(() => setMessage(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setMessage("Copied");
    } catch {
      setMessage("Not copied: no access to the clipboard");
    }
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      <span aria-live="polite">{message ?? label}</span>
    </button>
  );
}
