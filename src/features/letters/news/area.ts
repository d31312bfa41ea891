import type { EditorContext } from '../../../editor/context.ts'
import { type EditorPage, section } from '../../../editor/layout.ts'
import { type Area, defineEditorPage } from '../../../editor/pages-and-actions.ts'
import { wordsOfField } from '../../../site/forms/control.ts'
import { form, formText, inputField } from '../../../site/forms/field-html.ts'
import { isDone, reasonsOf, replyValue, submitOrThrow } from '../../../site/forms/requests.ts'
import { type Html, html } from '../../../site/html/html.ts'
import { weekdayName } from '../../../site/html/when.ts'
import { filled } from '../../../words/words.ts'
import { LETTER_WEEKDAYS } from '../tables.ts'
import { isNewsOn } from './limits.ts'
import type { NewsNumbers } from './schema.ts'
import { selectNumbers } from './subscribers.ts'

const SUBSCRIBERS_PATH = '/admin/subscribers/'
const requires = 'manage_subscribers'

/** What was found out about an address, or done to it. */
type LookUpResult = { email: string; text: string; canErase: boolean; isError?: boolean }

const numbersText = ({ texts, site }: EditorContext, numbers: NewsNumbers): string => {
  const { number } = site.dates
  return filled(texts.news.numbers, {
    confirmed: number(numbers.confirmed),
    unconfirmed: number(numbers.unconfirmed),
    choices: number(numbers.choices),
    waiting: number(numbers.waiting),
    left_out: number(numbers.left_out),
  })
}

function lookUpForm(editor: EditorContext, lookUpResult: LookUpResult | undefined): Html {
  const words = editor.texts.news
  const button = (action: string, text: string, className = ''): Html =>
    html`<button class="button${className}" name="do" value="${action}">${text}</button>`
  return html`<p>${words.lookUpText}</p>
${lookUpResult && html`<p class="notice${lookUpResult.isError && ' notice-alert'}" role="status">${lookUpResult.text}</p>`}
${form(editor, {
  action: SUBSCRIBERS_PATH,
  body: html`${inputField(
    {
      id: 'f-email',
      label: wordsOfField(editor.language, 'subscriber', 'email').label,
      name: 'email',
      value: lookUpResult?.email ?? '',
    },
    html` type="email" required autocomplete="off" maxlength="254"`,
  )}
<div class="actions">${button('find', words.lookUp)}${lookUpResult?.canErase && button('erase', words.erase, ' button-quiet is-danger')}</div>`,
})}`
}

/** @param numbers undefined where nobody can sign up */
function page(
  editor: EditorContext,
  numbers: NewsNumbers | undefined,
  lookUpResult?: LookUpResult,
): EditorPage {
  const words = editor.texts.news
  return {
    title: words.subscribers,
    isNarrow: true,
    main: html`<h1>${words.subscribers}</h1>
<p class="lead">${isNewsOn(editor.context) ? words.subscribersLead : words.subscribersOff}</p>
${numbers && html`<p>${numbersText(editor, numbers)}</p>`}
${section('look-up', words.lookUpTitle, lookUpForm(editor, lookUpResult))}`,
  }
}

/** Numbers, and one address: there is no list of who gets news. */
const subscribersPage = defineEditorPage({
  path: SUBSCRIBERS_PATH,
  requires,
  load: ({ context }) => selectNumbers(context),
  respond: (editor, { loaded }) => page(editor, loaded),
  handle: async (editor, { form: data }) => {
    const words = editor.texts.news
    const email = formText(data, 'email').trim()
    const action = formText(data, 'do')
    const path = `/subscribers/${action === 'erase' ? 'erase' : 'find'}`
    const reply = await submitOrThrow(editor, { method: 'POST', path, body: { email } })
    const numbers = await editor.context.db.read(selectNumbers(editor.context))
    if (!isDone(reply))
      return page(editor, numbers, { email, text: reasonsOf(editor, reply), canErase: false, isError: true })
    if (action === 'erase') {
      const text = replyValue(reply, 'erased') === true ? words.erased : words.foundNone
      return page(editor, numbers, { email: '', text, canErase: false })
    }
    const state = String(replyValue(reply, 'state'))
    const day = weekdayName(
      editor.site,
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
    return page(editor, numbers, { email, text, canErase: state !== 'none' })
  },
})

export const subscribersArea: Area = {
  routes: [subscribersPage],
  menu: [{ path: SUBSCRIBERS_PATH, label: texts => texts.news.subscribers, requires, group: 'more' }],
}
