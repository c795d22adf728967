// The source of a capture: the address of a page, or an editor of HTML or Markdown.
import type { ComponentChildren } from "preact";
import { InlineCode } from "../shared/inline-code.tsx";
import { Segments } from "../shared/segments.tsx";
import type { FieldErrors } from "./option-form.tsx";
import { type Preset, presets } from "./presets.ts";
import { type Draft, type Source, sources, withScheme } from "./request-options.ts";

interface SourceEditorProps {
  readonly draft: Draft;
  readonly fieldErrors: FieldErrors;
  readonly onChange: (draft: Draft) => void;
  readonly onPreset: (preset: Preset) => void;
  /** Below the presets. */
  readonly children?: ComponentChildren;
}

export const sourceLabels: Readonly<Record<Source, string>> = { url: "URL", html: "HTML", markdown: "Markdown" };

export function SourceEditor({ draft, fieldErrors, onChange, onPreset, children }: SourceEditorProps) {
  const { source, inputs } = draft;
  const messages = fieldErrors[source];
  const setInput = (text: string) => onChange({ ...draft, inputs: { ...inputs, [source]: text } });
  const shared = {
    id: `option-${source}`,
    "aria-label": sourceLabels[source],
    "aria-invalid": messages !== undefined,
    "aria-describedby": "source-problem",
    spellcheck: false,
    value: inputs[source],
  };
  return (
    <div class={`source${messages ? " is-bad" : ""}`}>
      <Segments
        label="Source"
        options={sources.map((each) => [each, sourceLabels[each]])}
        value={source}
        onChange={(next) => onChange({ ...draft, source: next })}
      />
      {source === "url" ? (
        <input
          {...shared}
          type="url"
          inputmode="url"
          onInput={(event) => setInput(event.currentTarget.value)}
          onChange={(event) => setInput(withScheme(event.currentTarget.value))}
        />
      ) : (
        <textarea {...shared} class="editor" rows={8} onInput={(event) => setInput(event.currentTarget.value)} />
      )}
      <p class="problem" id="source-problem">
        {messages && <InlineCode text={messages.join("; ")} />}
      </p>
      <fieldset class="presets" aria-label="Presets">
        {presets.map((preset) => (
          <button key={preset.name} type="button" title={preset.about} onClick={() => onPreset(preset)}>
            {preset.name}
          </button>
        ))}
      </fieldset>
      {children}
    </div>
  );
}
