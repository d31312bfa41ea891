/** A reply of 200. */
export const ok = <T>(body: T, headers: Record<string, string> = {}) => ({
  status: 200 as const,
  body,
  headers,
})

/** A reply of 201. */
export const created = <T>(body: T) => ({ status: 201 as const, body })
