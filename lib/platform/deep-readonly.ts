// A type helper: all properties of a value, at every depth, are read-only.

export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
