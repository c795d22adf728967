/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// States, value, and level of an element: what ARIA and HTML say about it besides its role and name.
// https://www.w3.org/TR/wai-aria-1.2/#state_prop_def
import { attribute, isAttributeSet, localName } from "./dom.ts";
import { isSecretField, oneLine, selectedText } from "./names.ts";
import { isDisabled } from "./roles.ts";

/** Only what is set. `hidden`: shown, but hidden from assistive technology. */
export interface ElementStates {
  checked?: boolean | "mixed";
  selected?: boolean;
  expanded?: boolean;
  pressed?: boolean | "mixed";
  disabled?: true;
  required?: true;
  readonly?: true;
  invalid?: true;
  focused?: true;
  current?: true;
  hidden?: true;
}

const CHECKED = new Set(["checkbox", "menuitemcheckbox", "menuitemradio", "option", "radio", "switch", "treeitem"]);
const SELECTED = new Set(["columnheader", "gridcell", "option", "row", "rowheader", "tab", "treeitem"]);

export function readStates(element: Element, role: string, isHidden: boolean): ElementStates {
  const states: ElementStates = {};
  const aria = (name: string) => attribute(element, `aria-${name}`)?.toLowerCase();
  const isInput = element instanceof HTMLInputElement;

  if (isInput && (element.type === "checkbox" || element.type === "radio")) {
    states.checked = element.indeterminate ? "mixed" : element.checked;
  } else if (CHECKED.has(role)) {
    const checked = tristate(aria("checked"));
    if (checked !== undefined) states.checked = checked;
  }
  if (element instanceof HTMLOptionElement) states.selected = element.selected;
  else if (SELECTED.has(role) && isBoolean(aria("selected"))) states.selected = aria("selected") === "true";

  const summarized = localName(element) === "summary" ? element.parentElement : element;
  if (summarized instanceof HTMLDetailsElement) states.expanded = summarized.open;
  else if (isBoolean(aria("expanded"))) states.expanded = aria("expanded") === "true";
  const pressed = role === "button" ? tristate(aria("pressed")) : undefined;
  if (pressed !== undefined) states.pressed = pressed;

  if (isDisabled(element) || aria("disabled") === "true") states.disabled = true;
  const isField = isInput || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
  if ((isField && element.required) || aria("required") === "true") states.required = true;
  if ((isField && isAttributeSet(element, "readonly")) || aria("readonly") === "true") states.readonly = true;
  const invalid = aria("invalid");
  if (invalid !== undefined && invalid !== "" && invalid !== "false") states.invalid = true;
  if ((element.getRootNode() as Document | ShadowRoot).activeElement === element && localName(element) !== "body")
    states.focused = true;
  const current = aria("current");
  if (current !== undefined && current !== "" && current !== "false") states.current = true;
  if (isHidden) states.hidden = true;
  return states;
}

function tristate(value: string | undefined): boolean | "mixed" | undefined {
  if (value === "mixed") return "mixed";
  return isBoolean(value) ? value === "true" : undefined;
}

function isBoolean(value: string | undefined): boolean {
  return value === "true" || value === "false";
}

/** Stands for any value of a password field, of any length. */
const MASK = "••••••••";

const WITHOUT_VALUE = new Set(["button", "checkbox", "hidden", "image", "radio", "reset", "submit"]);

/** The value of a field or a gauge, in one line of at most 200 characters; null for an element without one. */
export function readValue(element: Element, role: string): string | null {
  if (!VALUED_ROLES.has(role) && !VALUED_TAGS.has(localName(element))) return null;
  if (element instanceof HTMLSelectElement) return oneLine(selectedText(element));
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (WITHOUT_VALUE.has(element.type)) return null;
    const value = element.type === "file" ? (element as HTMLInputElement).files?.[0]?.name : element.value;
    if (value && isSecretField(element)) return MASK;
    return oneLine(value ?? "");
  }
  if (element instanceof HTMLProgressElement || element instanceof HTMLMeterElement) return String(element.value);
  if (/^(textbox|searchbox|combobox)$/.test(role)) return oneLine((element.textContent ?? "").slice(0, 2_000));
  if (/^(meter|progressbar|scrollbar|slider|spinbutton)$/.test(role)) {
    const value = attribute(element, "aria-valuetext") ?? attribute(element, "aria-valuenow");
    return value === null ? null : oneLine(value);
  }
  return null;
}

/** Elements and roles that can have a value. */
const VALUED_TAGS = new Set(["input", "meter", "progress", "select", "textarea"]);
const VALUED_ROLES = new Set("combobox meter progressbar scrollbar searchbox slider spinbutton textbox".split(" "));

const LEVELS = new Set(["heading", "listitem", "row", "treeitem"]);

/** The level of a heading, or of a part of a tree or a list; null where none is known. */
export function readLevel(element: Element, role: string): number | null {
  if (!LEVELS.has(role)) return null;
  const given = Number(attribute(element, "aria-level"));
  if (Number.isInteger(given) && given >= 1 && given <= 1_000) return given;
  const native = /^h([1-6])$/.exec(localName(element))?.[1];
  if (native !== undefined) return Number(native);
  return role === "heading" ? 2 : null; // as ARIA says
}
