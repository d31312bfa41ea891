import type { Admin } from '../../../web/editor/admin.ts'
import { type AdminPage, section } from '../../../web/editor/layout.ts'
import type { Area } from '../../../web/editor/route.ts'
import { defineAdminPage } from '../../../web/editor/route.ts'
import { wordsOfField } from '../../../web/forms/control.ts'
import { form, inputField, textOf } from '../../../web/forms/element.ts'
import { ask, isDone, reasonsOf, replyValue } from '../../../web/forms/requests.ts'
import { type Html, html } from '../../../web/html/html.ts'
import { weekdayName } from '../../../web/html/when.ts'
import { filled } from '../../../words/words.ts'
import { LETTER_WEEKDAYS } from '../tables.ts'
import { isNewsOn } from './availability.ts'
import type { NewsNumbers } from './schema.ts'
import { selectNumbers } from './subscribers.ts'

const SUBSCRIBERS = '/admin/subscribers/'
const requires = 'manage_subscribers'

/** What was found out about an address, or done to it. */
type LookUpResult = { email: string; text: string; canErase: boolean; isError?: boolean }

const numbersText = ({ texts, site }: Admin, numbers: NewsNumbers): string => {
  const { number } = site.dates
  return filled(texts.news.numbers, {
    confirmed: number(numbers.confirmed),
    unconfirmed: number(numbers.unconfirmed),
    choices: number(numbers.choices),
    waiting: number(numbers.waiting),
    left_out: number(numbers.left_out),
  })
}

function lookUp(admin: Admin, found: LookUpResult | undefined): Html {
  const words = admin.texts.news
  const button = (act: string, text: string, look = ''): Html =>
    html`<button class="button${look}" name="do" value="${act}">${text}</button>`
  return html`<p>${words.lookUpText}</p>
${found && html`<p class="notice${found.isError && ' notice-alert'}" role="status">${found.text}</p>`}
${form(admin, {
  action: SUBSCRIBERS,
  body: html`${inputField(
    {
      id: 'f-email',
      label: wordsOfField(admin.language, 'subscriber', 'email').label,
      name: 'email',
      value: found?.email ?? '',
    },
    html` type="email" required autocomplete="off" maxlength="254"`,
  )}
<div class="actions">${button('find', words.lookUp)}${found?.canErase && button('erase', words.erase, ' button-quiet is-danger')}</div>`,
})}`
}

/** @param numbers undefined where nobody can sign up */
function page(admin: Admin, numbers: NewsNumbers | undefined, found?: LookUpResult): AdminPage {
  const words = admin.texts.news
  return {
    title: words.subscribers,
    isNarrow: true,
    main: html`<h1>${words.subscribers}</h1>
<p class="lead">${isNewsOn(admin.context) ? words.subscribersLead : words.subscribersOff}</p>
${numbers && html`<p>${numbersText(admin, numbers)}</p>`}
${section('look-up', words.lookUpTitle, lookUp(admin, found))}`,
  }
}

/** Numbers, and one address: there is no list of who gets news. */
const subscribersPage = defineAdminPage({
  path: SUBSCRIBERS,
  requires,
  load: ({ context }) => selectNumbers(context),
  respond: (admin, { loaded }) => page(admin, loaded),
  handle: async (admin, { form: data }) => {
    const words = admin.texts.news
    const [email, act] = [textOf(data, 'email').trim(), textOf(data, 'do')]
    const path = `/subscribers/${act === 'erase' ? 'erase' : 'find'}`
    const reply = await ask(admin, { method: 'POST', path, body: { email } })
    const numbers = await admin.context.db.read(selectNumbers(admin.context))
    if (!isDone(reply))
      return page(admin, numbers, { email, text: reasonsOf(admin, reply), canErase: false, isError: true })
    if (act === 'erase') {
      const text = replyValue(reply, 'erased') === true ? words.erased : words.foundNone
      return page(admin, numbers, { email: '', text, canErase: false })
    }
    const state = String(replyValue(reply, 'state'))
    const day = weekdayName(
      admin.site,
      LETTER_WEEKDAYS.map(String).indexOf(String(replyValue(reply, 'weekday'))),
    )
    const text =
      state === 'none'
        ? words.foundNone
        : filled(state === 'confirmed' ? words.foundConfirmed : words.foundUnconfirmed, {
            day,
            asked: String(replyValue(reply, 'asked') ?? ''),
            confirmed: String(replyValue(reply, 'confirmed') ?? ''),
          })
    return page(admin, numbers, { email, text, canErase: state !== 'none' })
  },
})

/** The page about people who get news, for administrators. */
export const subscribersArea: Area = {
  routes: [subscribersPage],
  menu: [{ path: SUBSCRIBERS, label: texts => texts.news.subscribers, requires, group: 'more' }],
}
