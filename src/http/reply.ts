/** A status that a route declares, with the body that belongs to it. */
export type Reply<Status extends number, Body> = {
  status: Status
  body: Body
  headers?: Record<string, string>
  /** Version of the one resource that is shown, which `If-Match` compares. */
  version?: number
}

/** A resource in its serialized form, and the version of what is stored. */
export type Versioned<Body> = { body: Body; version: number }

/** A reply of 200. */
export const ok = <Body>(body: Body, headers: Record<string, string> = {}): Reply<200, Body> => ({
  status: 200,
  body,
  headers,
})

/** A reply of 200 with one resource. */
export const one = <Body>({ body, version }: Versioned<Body>): Reply<200, Body> => ({
  status: 200,
  body,
  version,
})

/** A reply of 201 with one resource. */
export const created = <Body>({ body, version }: Versioned<Body>): Reply<201, Body> => ({
  status: 201,
  body,
  version,
})
