import { senderPath } from '../../calendar/intake/sender-link.ts'
import { countsOfLink } from '../../calendar/users/link-limits.ts'
import type { RequestContext } from '../../kit/context.ts'
import { isConflict } from '../../kit/db/failures.ts'
import { shortDigest } from '../../kit/lib/hash.ts'
import { countStatements } from '../../kit/work/counts.ts'
import { asError, logError } from '../../kit/work/error-log.ts'
import { mailBody, sendMail } from '../../kit/work/mail.ts'
import { filled, textsIn } from '../../words/words.ts'

/**
 * Counts the reply to an e-mail. That is done before the statements of an invocation may run out, and never
 * twice for an e-mail.
 *
 * @returns false if it would be one too many today, or could not be sent
 */
export async function countReply(context: RequestContext, email: string): Promise<boolean> {
  const { mailer, settings, db, clock } = context
  if (!mailer || settings.siteUrl === undefined) return false
  try {
    await db.write(countStatements(clock, countsOfLink(context, email)))
    return true
  } catch (error) {
    if (!isConflict(error)) logError(context.requestId, asError(error))
    return false
  }
}

/**
 * Tells the sender of an e-mail, once, where the submissions can be seen, changed and withdrawn. The
 * delivering server doesn't wait for that. If it fails, nothing changes: what was taken is taken. The reply
 * has already been counted.
 *
 * @param sent.email a confirmed address
 * @param sent.tokens the tokens of the submissions' pages
 */
export async function replyToMail(
  context: RequestContext,
  { email, tokens }: { email: string; tokens: readonly string[] },
): Promise<void> {
  const { mailer, settings, site } = context
  if (!mailer) return
  const { language } = settings.website
  const words = textsIn(language).inbox
  const names = { site: settings.siteName }
  const links = tokens.map(token => ({ href: site + senderPath(token) }))
  const mail = {
    to: email,
    subject: filled(words.takenSubject, names),
    ...mailBody([filled(words.taken, names), words.takenLinks, ...links, words.takenNext], language),
    language,
    id: `inbox-${await shortDigest(tokens.join())}`,
  }
  context.afterResponse(() => sendMail(mailer, mail))
}
