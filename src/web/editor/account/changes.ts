import { UserError } from '../../../resources/users/records.ts'
import type { Admin } from '../admin.ts'

/** The author of a change of users, for the audit. */
export const authorOf = ({ context, session }: Admin) => ({
  userId: session.user.id,
  requestId: context.requestId,
})

/** Whoever revokes a password that is gone has got what they want. @throws any other error */
export function ignoreGone(error: unknown): void {
  if (!(error instanceof UserError && error.reason === 'no password')) throw error
}
