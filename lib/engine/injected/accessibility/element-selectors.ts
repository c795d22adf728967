/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Selectors that match one element only, also after the page has loaded once more: by an id, a name, or the place in the tree.
import { propertyReader } from "../dom/read-property.ts";
import { openRoots, queryAll, type Root } from "../dom/shadow-roots.ts";
import { attribute, isAttributeSet, localName } from "./dom.ts";

const parentOf = propertyReader(Node.prototype, "parentNode");
const childrenOf = propertyReader(Element.prototype, "children");
const { getRootNode } = Node.prototype;
const { hasAttributes } = Element.prototype;

/** Attributes that pages give an element as its name. */
const NAMES = ["data-testid", "data-test", "data-test-id", "data-cy", "name"] as const;

const MAX_NAME_LENGTH = 120;
const MAX_SELECTOR_LENGTH = 2_000; // what the options take

/** Selectors of the elements of one document, and of its open shadow roots, in one state of the page. */
export class ElementSelectors {
  readonly #positions = new Map<Element, string>();
  readonly #numbered = new Set<ParentNode>();
  readonly #anchors = new Map<Element, string | undefined>();
  readonly #named = new Map<Root, Map<string, number>>();
  readonly #hosts = new Map<ShadowRoot, string | undefined>();
  #roots: readonly Root[] | undefined;

  /** Undefined for an element that no selector matches alone. */
  select(element: Element): string | undefined {
    const root = getRootNode.call(element) as Root;
    const selector = this.#inRoot(element, root);
    if (selector === undefined || selector.length > MAX_SELECTOR_LENGTH) return undefined;
    if (root.nodeType === Node.DOCUMENT_NODE) return selector;
    return this.#isAlone(selector, root) ? selector : undefined;
  }

  #inRoot(element: Element, root: Root): string | undefined {
    let path = "";
    for (let each: Element = element; ; ) {
      const anchor = this.#anchor(each, root);
      if (anchor !== undefined) return path === "" ? anchor : `${anchor} > ${path}`;
      const parent = parentOf(each);
      const position = this.#position(each, parent);
      path = path === "" ? position : `${position} > ${path}`;
      if (parent === null) return undefined;
      if (parent === root) {
        if (root.nodeType === Node.DOCUMENT_NODE) return path;
        const host = this.#host(root as ShadowRoot);
        return host === undefined ? path : `${host} > ${path}`;
      }
      each = parent as Element;
    }
  }

  /** A selector by an id or a name that no other element of the root has. */
  #anchor(element: Element, root: Root): string | undefined {
    const known = this.#anchors.get(element);
    if (known !== undefined || this.#anchors.has(element)) return known;
    const anchor = hasAttributes.call(element) ? (this.#byId(element, root) ?? this.#byName(element, root)) : undefined;
    this.#anchors.set(element, anchor);
    return anchor;
  }

  #byId(element: Element, root: Root): string | undefined {
    const id = attribute(element, "id");
    if (!id || !isStable(id)) return undefined;
    const selector = `#${CSS.escape(id)}`;
    return queryAll(root, selector).length === 1 ? selector : undefined;
  }

  #byName(element: Element, root: Root): string | undefined {
    for (const name of NAMES) {
      const value = isAttributeSet(element, name) ? attribute(element, name) : null;
      if (!value || !isStable(value)) continue;
      const selector = nameSelector(element, name, value);
      if (this.#countNames(root).get(selector) === 1) return selector;
    }
    return undefined;
  }

  /** How many elements of a root have each name. */
  #countNames(root: Root): ReadonlyMap<string, number> {
    const known = this.#named.get(root);
    if (known) return known;
    const counts = new Map<string, number>();
    for (const element of queryAll(root, NAMES.map((name) => `[${name}]`).join(","))) {
      for (const name of NAMES) {
        const value = attribute(element, name);
        if (!value || value.length > MAX_NAME_LENGTH) continue;
        const selector = nameSelector(element, name, value);
        counts.set(selector, (counts.get(selector) ?? 0) + 1);
      }
    }
    this.#named.set(root, counts);
    return counts;
  }

  /** The type of an element, with its number among its siblings of that type where there are several. */
  #position(element: Element, parent: ParentNode | null): string {
    if (parent && !this.#numbered.has(parent)) this.#number(parent);
    return this.#positions.get(element) ?? typeSelector(element);
  }

  #number(parent: ParentNode): void {
    this.#numbered.add(parent);
    const children = parent.nodeType === Node.ELEMENT_NODE ? childrenOf(parent as Element) : parent.children;
    const byType = new Map<string, Element[]>();
    for (let child = children[0] ?? null; child; child = nextElement(child)) {
      const type = typeSelector(child);
      const alike = byType.get(type);
      if (alike) alike.push(child);
      else byType.set(type, [child]);
    }
    for (const [type, alike] of byType) {
      if (alike.length === 1) continue;
      alike.forEach((child, index) => {
        this.#positions.set(child, `${type}:nth-of-type(${index + 1})`);
      });
    }
  }

  /** The host of a shadow root, as its own styles select it. */
  #host(root: ShadowRoot): string | undefined {
    if (this.#hosts.has(root)) return this.#hosts.get(root);
    const { host } = root;
    const around = getRootNode.call(host) as Root;
    const compound = this.#anchor(host, around) ?? this.#position(host, parentOf(host) as ParentNode | null);
    const selector = `:host(${compound})`;
    this.#hosts.set(root, selector);
    return selector;
  }

  /** True where neither the document nor another shadow root has an element that matches. */
  #isAlone(selector: string, root: Root): boolean {
    this.#roots ??= openRoots();
    return this.#roots.every((each) => {
      try {
        return queryAll(each, selector).length === (each === root ? 1 : 0);
      } catch {
        return false;
      }
    });
  }
}

const nextElement = propertyReader(Element.prototype, "nextElementSibling");

const typeSelectors = new Map<string, string>();

function typeSelector(element: Element): string {
  const name = localName(element);
  const known = typeSelectors.get(name);
  if (known !== undefined) return known;
  const selector = CSS.escape(name);
  typeSelectors.set(name, selector);
  return selector;
}

function nameSelector(element: Element, name: string, value: string): string {
  return `${typeSelector(element)}[${name}="${CSS.escape(value)}"]`;
}

const GENERATED =
  /^(apexcharts.|bs-|dt-|ember\d|ext-gen|headlessui-|highcharts-|mui-|radix-|react-(select|aria)|select2-|yui_)/i;

/** False for names that look as if a script makes them up with each load: long numbers, hashes, and counters of libraries. */
function isStable(name: string): boolean {
  if (name.length > MAX_NAME_LENGTH || /\s|[\uD800-\uDFFF]|\p{Cc}/u.test(name)) return false;
  if (/\d{4,}|:|«/.test(name) || GENERATED.test(name)) return false;
  return !name.split(/[-_.]/).some((word) => word.length >= 6 && /[a-z]\d+[a-z]/i.test(word));
}
