import type { RequestContext } from '../../kit/context.ts'
import { isConflict } from '../../kit/db/failures.ts'
import { passwordDigest, randomHex } from '../../kit/lib/hash.ts'
import { countStatements } from '../../kit/work/counts.ts'
import { mailBody, sendMail } from '../../kit/work/mail.ts'
import { filled, textsIn } from '../../words/words.ts'
import { countsOfLink } from '../users/link-limits.ts'

// The e-mail that leads a sender back to a submission. Anybody can enter any address, so it has fixed words,
// and only somebody who reads the mail of the address can confirm it.

/** The address of the page of a submission. */
export const senderPath = (token: string): string => `/submit/${token}/`

/** The name of the parameter with the secret of the link. */
export const CONFIRM = 'confirm'

/**
 * A new link to the page of a submission, by which its sender confirms the address.
 *
 * @param sent.token the token of the page
 * @returns undefined if this calendar sends no e-mails. `send` sends the link after the response, unless
 *   there were too many links today
 */
export async function newSenderLink(
  context: RequestContext,
  { email, token }: { email: string; token: string },
): Promise<{ digest: string; send: () => void } | undefined> {
  const { mailer, settings, site, db, clock } = context
  if (!mailer) return undefined
  const secret = randomHex(16)
  const digest = await passwordDigest(secret)
  const { language } = settings.website
  const words = textsIn(language).mail
  const href = `${site}${senderPath(token)}?${CONFIRM}=${secret}`
  const names = { site: settings.siteName }
  const mail = {
    to: email,
    subject: filled(words.confirmSubject, names),
    ...mailBody(
      [filled(words.confirmSender, names), words.confirmSenderHow, { href }, words.confirmIgnore],
      language,
    ),
    language,
    id: `confirm-${digest.slice(0, 16)}`,
  }
  return {
    digest,
    send: () =>
      context.afterResponse(async () => {
        try {
          await db.write(countStatements(clock, countsOfLink(context, email)))
        } catch (error) {
          // The page that the visitor sees now is the way back.
          if (isConflict(error)) return
          throw error
        }
        await sendMail(mailer, mail)
      }),
  }
}
