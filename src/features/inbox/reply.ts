import type { RequestContext } from '../../context.ts'
import { isConflict } from '../../db/failures.ts'
import { asError, logError } from '../../http/log.ts'
import { bodyOf, sendMail } from '../../http/mail.ts'
import { shortDigest } from '../../lib/digest.ts'
import { senderPath } from '../../resources/submissions/sender-link.ts'
import { countMail } from '../../resources/users/sent-mails.ts'
import { filled, textsIn } from '../../words/words.ts'

/** Milliseconds for which the other side waits for the platform. */
const PATIENCE_MS = 5_000

/**
 * Tells the sender of an e-mail, once, where the submissions can be seen, changed and withdrawn. Its failure changes nothing: what was taken
 * is taken.
 *
 * @param sent.email a confirmed address
 * @param sent.tokens those of the pages
 */
export async function reply(
  context: RequestContext,
  { email, tokens }: { email: string; tokens: readonly string[] },
): Promise<void> {
  const { mailer, settings, site, db } = context
  if (!mailer || settings.siteUrl === undefined) return
  const { language } = settings.website
  const words = textsIn(language).inbox
  const named = { site: settings.siteName }
  const links = tokens.map(token => ({ href: site + senderPath(token) }))
  const mail = {
    to: email,
    subject: filled(words.takenSubject, named),
    ...bodyOf([filled(words.taken, named), words.takenLinks, ...links, words.takenNext], language),
    language,
    id: `inbox-${await shortDigest(tokens.join())}`,
  }
  try {
    await db.change(countMail(context, { purpose: 'link', email }))
    await sendMail(mailer, mail, PATIENCE_MS)
  } catch (error) {
    // One that is one too many today is not sent.
    if (!isConflict(error)) logError(context.requestId, asError(error))
  }
}
