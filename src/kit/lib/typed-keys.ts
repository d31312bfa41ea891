// Object.keys() and Object.entries() return keys as any strings, because an object may have more properties
// than its type says. These are for objects that a module writes out whole, which have no others.

export const typedKeys = <T extends object>(object: T): (keyof T & string)[] =>
  Object.keys(object) as (keyof T & string)[]

export const typedEntries = <K extends string, V>(object: Readonly<Record<K, V>>): [K, V][] =>
  Object.entries(object) as [K, V][]
