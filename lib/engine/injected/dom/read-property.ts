// Reads a property by the getter of its prototype, which elements of the page cannot shadow (DOM clobbering).

/** `readProperty(Document.prototype, "body", document)` is `document.body`, even on a page with `<img name="body">`. */
export function readProperty<T extends object, K extends keyof T>(prototype: T, name: K, object: T): T[K] {
  return Reflect.get(prototype, name, object) as T[K];
}

/** A function that reads a property by the getter of its prototype, for many objects. */
export function propertyReader<T extends object, K extends keyof T>(prototype: T, name: K): (object: T) => T[K] {
  const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (object) => (getter ? getter.call(object) : Reflect.get(prototype, name, object));
}
