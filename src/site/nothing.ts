import { type Query, together } from '../db/query.ts'

/** A query of nothing, for pages that read nothing. */
export const nothing = (): Query<Record<never, never>> => together({})
