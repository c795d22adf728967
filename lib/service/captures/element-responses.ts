// The elements of a captured page, as a capture answers them.
import * as v from "valibot";
import { countField, integerField } from "../http/response-fields.ts";

const Box = v.pipe(
  v.object({ x: integerField, y: integerField, width: integerField, height: integerField }),
  v.description("In CSS pixels from the top left corner of the page."),
);
const nullableText = v.nullable(v.string());
const isTrue = v.exactOptional(v.literal(true));

const role = v.pipe(v.string(), v.description("The ARIA role."), v.examples(["button"]));
const name = v.pipe(
  v.string(),
  v.description("The accessible name in one line, at most 200 characters. Empty if there is none."),
);
const frame = v.pipe(nullableText, v.description("The address of the frame that it is in. `null` in the page itself."));
const selector = v.pipe(
  nullableText,
  v.description("CSS selector that matches this element only, in its frame. `null` if there is none."),
);
const level = v.pipe(v.nullable(integerField), v.description("The level of a heading. `null` for most elements."));

const States = v.pipe(
  v.object({
    checked: v.exactOptional(v.union([v.boolean(), v.literal("mixed")])),
    selected: v.exactOptional(v.boolean()),
    expanded: v.exactOptional(v.boolean()),
    pressed: v.exactOptional(v.union([v.boolean(), v.literal("mixed")])),
    disabled: isTrue,
    required: isTrue,
    readonly: isTrue,
    invalid: isTrue,
    focused: isTrue,
    current: isTrue,
    hidden: v.exactOptional(v.pipe(v.literal(true), v.description("Visible, but hidden from assistive technology."))),
  }),
  v.description("The states that apply."),
);

export const PageElementResponse = v.object({
  ref: v.pipe(v.string(), v.description("`e1`, `e2`, and so on, in reading order.")),
  role,
  name,
  value: v.pipe(
    nullableText,
    v.description(
      "The value of a field, or the text of an element without a name, at most 200 characters. Values of password fields are masked.",
    ),
  ),
  states: States,
  level,
  box: Box,
  in_view: v.pipe(v.boolean(), v.description("`true` if a part of it is in the window, and not cut off.")),
  frame,
  selector,
  href: v.pipe(nullableText, v.description("The address of a link.")),
});

export const ImageMarkResponse = v.object({
  mark: v.pipe(countField, v.description("The number in the image, which is that of the `ref`.")),
  ref: v.string(),
  role,
  name,
  frame,
  selector,
  box: v.pipe(
    v.object({ x: integerField, y: integerField, width: integerField, height: integerField }),
    v.description("In pixels of the image."),
  ),
});

export const PageElementsResponse = v.pipe(
  v.object({
    page: v.pipe(
      v.object({ width: countField, height: countField }),
      v.description("The size of the page in CSS pixels."),
    ),
    truncated: v.pipe(v.boolean(), v.description("`true` if the page has more elements than are listed.")),
    elements: v.array(PageElementResponse),
    headings: v.array(v.object({ level, name, box: Box, frame, selector })),
    landmarks: v.array(v.object({ role, name, box: Box, frame, selector })),
    test: v.exactOptional(v.pipe(v.string(), v.description("Says that the API key is one for tests."))),
  }),
  v.description("The elements of the page, in reading order. With `format=elements`, it is the result itself."),
);
