import type { Mailer } from '../src/kit/context.ts'
import type { Bindings } from '../src/kit/env.ts'

/** An e-mail as the platform gets it. */
export type SentMail = Parameters<Mailer['send']>[0]

/**
 * A stand-in for the platform's service, which keeps what it takes. `onSend` may throw what the platform
 * would, or take its time.
 */
export function openOutbox(vars: Partial<Bindings> = {}) {
  const mails: SentMail[] = []
  const outbox = {
    mails,
    onSend: async (_: SentMail): Promise<void> => {},
    bindings: {} as Partial<Bindings>,
    last: (): SentMail => {
      const mail = mails.at(-1)
      if (!mail) throw new Error('Nothing was sent.')
      return mail
    },
  }
  const send = async (mail: SentMail) => {
    await outbox.onSend(mail)
    mails.push(mail)
    return { messageId: `<${mails.length}@platform.example>` }
  }
  outbox.bindings = {
    MAIL_FROM: 'Town Hall <events@town.example>',
    SITE_NAME: 'What’s on in Kilkenny',
    ...vars,
    // The Worker uses nothing else of it.
    EMAIL: { send } as unknown as SendEmail,
  }
  return outbox
}

export type Outbox = ReturnType<typeof openOutbox>

/** The path of the link in an e-mail. */
export const linkIn = ({ text }: SentMail): string =>
  /https?:\/\/[^/]+(\/admin\/email\/\w+\/)/.exec(text)?.[1] ?? ''
