import {
  chooseNotices,
  confirmAddress,
  findEmailLink,
  newEmailLink,
  purposeOf,
  removeAddress,
} from '../../calendar/users/email.ts'
import { isConflict } from '../../kit/db/failures.ts'
import { NOTICES } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { may } from '../../kit/lib/roles.ts'
import { isMailAddress } from '../../kit/lib/values.ts'
import { isOwnMailbox, requireMailer } from '../../kit/work/mail.ts'
import { buttonForm, formText } from '../../site/forms/field-html.ts'
import { html } from '../../site/html/html.ts'
import { filled } from '../../words/words.ts'
import type { VisitorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { defineAction, defineOpenPage } from '../pages-and-actions.ts'
import { notePage } from '../respond.ts'
import { ACCOUNT, accountPage } from './page.ts'
import { selectAccount } from './queries.ts'

const saveEmail = defineAction({
  path: `${ACCOUNT}email/`,
  requires: 'read',
  isDelicate: true,
  handle: async (editor, { form }) => {
    const { context, session, texts } = editor
    const words = texts.account
    const email = formText(form, 'email')
    await context.countWrites(1)
    const account = await context.db.read(selectAccount(editor))
    const refuse = (error: string) => accountPage(editor, account, undefined, { email, error })
    if (email === '') {
      await removeAddress(context)
      return { to: ACCOUNT, notice: { text: words.emailGone } }
    }
    if (!may(context.caller, 'edit_others_content'))
      throw new ApiError('rest_forbidden', 'Only users who decide about events get e-mails.')
    requireMailer(context.mailer)
    if (!isMailAddress(email)) return refuse(words.emailBad)
    if (isOwnMailbox(context.settings, email)) return refuse(texts.reason.own_address)
    if (email === account.contact.email) return { to: ACCOUNT, notice: { text: words.emailSame } }
    const link = await newEmailLink(context, { email, login: session.user.login })
    try {
      await context.db.write(link.statements)
    } catch (error) {
      if (isConflict(error)) return refuse(words.emailTooMany)
      throw error
    }
    const { state } = await link.send()
    const text = filled(state === 'sent' ? words.emailAsked : words.emailFailed, { email })
    return { to: ACCOUNT, notice: { text } }
  },
})

const saveNotices = defineAction({
  path: `${ACCOUNT}notices/`,
  requires: 'edit_others_content',
  handle: async ({ context, texts }, { form }) => {
    requireMailer(context.mailer)
    const interval = NOTICES.find(when => when === form.get('notices'))
    await context.countWrites(1)
    if (interval) await chooseNotices(context, interval)
    return { to: ACCOUNT, notice: { text: texts.account.noticesSaved } }
  },
})

const LINK_PATH = '/admin/email/:secret{[a-z0-9]+}/'

function endedPage({ texts }: VisitorContext): EditorPage {
  const words = texts.account
  return notePage({ title: words.confirmEnded, status: 410, text: words.confirmEndedText })
}

const findLink = ({ context }: VisitorContext, { secret = '' }: Readonly<Record<string, string>>) =>
  findEmailLink(context, { secret })

/**
 * The page of a link in an e-mail. Opening it changes nothing, because mail scanners open links; its button
 * does.
 */
const confirmPage = defineOpenPage({
  path: LINK_PATH,
  respond: async (visit, { params, url }) => {
    const link = await findLink(visit, params)
    if (!link) return endedPage(visit)
    const words = visit.texts.account
    return {
      title: words.confirmTitle,
      isNarrow: true,
      main: html`<h1>${words.confirmTitle}</h1><p class="lead">${purposeOf(visit.texts, visit.context.settings.siteName, link)}</p>
${buttonForm(visit, { action: url.pathname, text: filled(words.confirmButton, { email: link.email }), className: 'button' })}`,
    }
  },
  handle: async (visit, { params }) => {
    const link = await findLink(visit, params)
    if (!link) return endedPage(visit)
    await confirmAddress(visit.context, link)
    const words = visit.texts.account
    return notePage({ title: words.confirmed, text: filled(words.confirmedText, { email: link.email }) })
  },
})

export const emailRoutes = [saveEmail, saveNotices, confirmPage]
