/** A reply of 200. */
export const ok = <T>(body: T, headers: Record<string, string> = {}) => ({
  status: 200 as const,
  body,
  headers,
})

/** What a handler makes of one resource: its answer, and the version of what is stored. */
export type Versioned<A> = { answer: A; version: number }

/** Handed to http/caching.ts, which makes an entity tag of it; never sent. */
export const VERSION_HEADER = 'x-resource-version'

const versionHeader = (version: number): Record<string, string> => ({ [VERSION_HEADER]: String(version) })

/** A reply of 200 with one resource. */
export const one = <A>({ answer, version }: Versioned<A>) => ok(answer, versionHeader(version))

/** A reply of 201 with one resource. */
export const created = <A>({ answer, version }: Versioned<A>) => ({
  status: 201 as const,
  body: answer,
  headers: versionHeader(version),
})
