import type { Header } from 'postal-mime'
import { domainOf } from './authentication.ts'
import { Refused } from './limits.ts'
import { headerValues } from './mime.ts'

/** Senders that are programs of mail servers. */
const SERVERS = /^(?:mailer-daemon|postmaster|double-bounce)@/i

/** Headers of programs that reply by themselves, apart from those that RFC 3834 names. */
const REPLIES = ['x-autoreply', 'x-autorespond', 'x-auto-response', 'x-loop', 'x-failed-recipients']

/**
 * @param envelope the address that bounces go to; empty for what must not be replied to
 * @throws Refused for what programs send by themselves, and for mailing lists: RFC 3834 and RFC 2919
 */
export function assertFromPerson(
  headers: readonly Header[],
  { sender, envelope }: { sender: string; envelope: string },
): void {
  const words = (key: string) => headerValues(headers, key).map(value => value.trim().toLowerCase())
  const isMarked =
    words('auto-submitted').some(value => !/^no(?:[\s;(]|$)/.test(value)) ||
    words('precedence').some(value => /\b(?:bulk|list|junk|auto_reply)\b/.test(value)) ||
    REPLIES.some(key => words(key).length > 0)
  const isBounce =
    /^(?:<>)?$/.test(envelope.trim()) ||
    words('return-path').some(value => value === '<>') ||
    SERVERS.test(sender) ||
    SERVERS.test(envelope) ||
    words('content-type').some(value => value.startsWith('multipart/report'))
  if (words('list-id').length > 0)
    throw new Refused(
      'mailing_list',
      'This calendar takes no e-mails of mailing lists. Please send it yourself.',
    )
  if (isMarked || isBounce)
    throw new Refused('automatic', 'This calendar takes no e-mails that programs send by themselves.')
  if (domainOf(sender) === '') throw new Refused('no_sender', 'This e-mail has no sender.')
}
