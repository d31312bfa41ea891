import { toEpoch } from '../../../lib/time.ts'
import type { Admin } from '../admin.ts'

/** Milliseconds after a sign-in in which somebody may make what signs them in later. */
const RECENT_MS = 900_000

/** Tells if somebody has just signed in: a browser that was left alone, or whose session was stolen, makes no keys that last. */
export const isRecent = ({ session, context }: Admin): boolean =>
  toEpoch(context.now) - toEpoch(session.begun) <= RECENT_MS

/** The way to the sign-in, although there is a session, and back. @param to a path of the editor */
export const signInAgain = (to: string): { to: string } => ({
  to: `/admin/sign-in/?${new URLSearchParams({ again: '1', to })}`,
})
