import { paramsOf } from '../../calendar/content/fields.ts'
import { DIGEST_DAYS } from '../../calendar/digest/digest.ts'
import { selectContact } from '../../calendar/users/email.ts'
import { ACCOUNT } from '../../editor/account/page.ts'
import { type EditorContext, shortMomentOf } from '../../editor/context.ts'
import { section } from '../../editor/layout.ts'
import { listItem } from '../../editor/lists.ts'
import { stateLabel } from '../../editor/managed.ts'
import { type Area, defineAction, defineEditorPage } from '../../editor/pages-and-actions.ts'
import type { EditorResponse } from '../../editor/respond.ts'
import { buttonSection, retryButton, senderPages } from '../../editor/senders.ts'
import type { WriteReply } from '../../kit/context.ts'
import { hourControl, languageChoice, weekdayControl } from '../../site/forms/controls/choice.ts'
import { lines } from '../../site/forms/controls/text.ts'
import { buttonForm } from '../../site/forms/field-html.ts'
import { defineForm, inFirst } from '../../site/forms/form.ts'
import { isDone, reasonsOf, replyValue, submitOrThrow } from '../../site/forms/requests.ts'
import { type Html, html } from '../../site/html/html.ts'
import { type Catalogue, filled, plural } from '../../words/words.ts'
import { tryToCompose } from './compose.ts'
import { eventBoxes } from './filters.ts'
import {
  type LetterDeliveryRow,
  type LetterRow,
  requireLetter,
  selectLetterById,
  selectLetterDeliveries,
} from './queries.ts'
import { managedLetters } from './routes.ts'
import { LETTER_FIELDS } from './schema.ts'
import { deliveryState, letterState, nextSending } from './state.ts'
import { LETTER_WEEKDAYS } from './tables.ts'

const LETTER_FORM = defineForm('letter', paramsOf(LETTER_FIELDS), {
  name: inFirst(),
  to: inFirst(),
  weekday: inFirst(weekdayControl(LETTER_WEEKDAYS)),
  hour: { ...inFirst(hourControl), isBeside: true },
  days: inFirst(),
  subject: inFirst(),
  intro: inFirst(lines(4)),
  language: inFirst(languageChoice),
  filters: inFirst(eventBoxes),
  empty: inFirst(),
  active: null,
})

const { requires } = managedLetters
const LETTERS_PATH = '/admin/letters/'
const LETTER_PATTERN = `${LETTERS_PATH}:id{[0-9]+}/`
const letterPath = (id: number): string => `${LETTERS_PATH}${id}/`

function letterBadge(editor: EditorContext, row: LetterRow): Html {
  const words = editor.texts.letter
  const state = letterState(row)
  const { clock, settings } = editor.context
  const text =
    state === 'active'
      ? filled(words.next, { date: shortMomentOf(editor, nextSending(row, clock.now(), settings.timezone)) })
      : words[state]
  return stateLabel(text, state === 'unconfirmed')
}

/** The redirect to a letter's page after a write that has sent a link; undefined if it has sent none. */
function linkResponse({ texts }: EditorContext, reply: WriteReply): EditorResponse | undefined {
  const words = texts.letter
  const linkSent = replyValue(reply, 'link_sent')
  if (linkSent === undefined) return undefined
  const text = filled(linkSent === true ? words.asked : words.notAsked, {
    email: String(replyValue(reply, 'to')),
  })
  return { to: letterPath(Number(replyValue(reply, 'id'))), notice: { text } }
}

/**
 * The sections of a letter's page: the button that asks its recipient again, and the letter as it would be
 * sent now.
 */
async function letterSections(editor: EditorContext, letter: LetterRow, address: string): Promise<Html> {
  const { context, texts } = editor
  const words = texts.letter
  const [composed, contact] = await Promise.all([
    tryToCompose(context, letter),
    context.db.read(selectContact(context.caller.id)),
  ])
  const askText = filled(words.askText, { email: letter.to_email })
  const body =
    'reason' in composed
      ? html`<p>${refusalText(words, composed.reason)}</p>`
      : html`<p>${words.previewText}</p><p><strong dir="auto">${composed.subject}</strong></p>
<iframe class="letter" src="${address}preview/" title="${words.preview}" sandbox loading="lazy"></iframe>
<details><summary>${words.plain}</summary><pre class="letter-text">${composed.text}</pre></details>
${
  contact?.email
    ? html`<p>${filled(words.testText, { email: contact.email })}</p>${buttonForm(editor, { action: `${address}test/`, text: words.test })}`
    : html`<p><a href="${ACCOUNT}#email">${words.testNeeds}</a></p>`
}`
  return html`${letterState(letter) === 'unconfirmed' && buttonSection(editor, address, 'ask', { title: words.ask, text: askText })}
${section('preview', words.preview, body)}`
}

function refusalText(words: Catalogue['letter'], code: string): string {
  if (/^E_SENDER/.test(code)) return words.reasonSender
  if (/^E_RECIPIENT|^E_DELIVERY/.test(code)) return words.reasonRecipient
  if (/LIMIT/.test(code)) return words.reasonLimit
  if (code === 'text') return words.reasonText
  if (code === 'filters') return words.reasonFilters
  return /^E_/.test(code) ? filled(words.reasonOther, { code }) : words.reasonUnknown
}

function stateText(editor: EditorContext, row: LetterDeliveryRow): string {
  const words = editor.texts.letter
  const { next_try_utc: next, events } = row
  const state = deliveryState(row, editor.context.clock.now())
  if (state === 'sent')
    return filled(plural(editor.language, words, 'sent', events), { count: editor.site.dates.number(events) })
  if (state === 'waiting')
    return filled(words.waiting, { date: next === null ? '' : shortMomentOf(editor, next) })
  return state === 'empty' ? words.emptied : words[state]
}

function deliveryItem(editor: EditorContext, row: LetterDeliveryRow): Html {
  const words = editor.texts.letter
  const state = deliveryState(row, editor.context.clock.now())
  const name = shortMomentOf(editor, row.due_utc ?? row.at_utc)
  const mayBeRepeated = state === 'unknown' || state === 'failed'
  return listItem({
    name,
    className: 'delivery',
    facts: [
      row.due_utc === null && words.forMe,
      row.tries > 1 && filled(words.tries, { n: editor.site.dates.number(row.tries) }),
      row.reason !== '' && refusalText(words, row.reason),
      state === 'unknown' && words.unknownText,
    ],
    end: html`${stateLabel(stateText(editor, row), mayBeRepeated || state === 'waiting')}
${
  mayBeRepeated &&
  row.due_utc !== null &&
  retryButton(editor, `${letterPath(row.letter_id)}deliveries/${row.id}/retry/`, { ...words, name })
}`,
  })
}

/** The policy of a letter in the frame on its page: its own styles, and the images of events. */
const PREVIEW_POLICY = {
  defaultSrc: ["'none'"],
  styleSrc: ["'unsafe-inline'"],
  imgSrc: ["'self'", 'https:', 'http:'],
  formAction: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'self'"],
  sandbox: [],
}

/** The letter alone, for the frame on its page. */
const preview = defineEditorPage({
  path: `${LETTER_PATTERN}preview/`,
  requires,
  load: (_, { id }) => selectLetterById(id),
  respond: async ({ context, texts }, { loaded }) => {
    const composed = await tryToCompose(context, requireLetter(loaded))
    const body = 'reason' in composed ? refusalText(texts.letter, composed.reason) : composed.html
    return { body, type: 'text/html; charset=utf-8' }
  },
})

/** Sends the link that confirms the address of a letter again. */
const sendLinkAgain = defineAction({
  path: `${LETTER_PATTERN}ask/`,
  requires,
  handle: async (editor, { id }) => {
    const to = (await editor.context.db.read(selectLetterById(id)))?.to_email
    const reply = await submitOrThrow(editor, { method: 'PATCH', path: `/letters/${id}`, body: { to } })
    const refusalResponse = isDone(reply)
      ? undefined
      : { notice: { text: reasonsOf(editor, reply), isWarning: true as const } }
    return linkResponse(editor, reply) ?? { to: letterPath(id), ...refusalResponse }
  },
})

export const lettersArea: Area = {
  routes: [
    ...senderPages(managedLetters, {
      form: LETTER_FORM,
      nameField: 'name',
      nameOf: ({ name }) => name,
      about: ({ to_email }) => to_email,
      missing: ({ context, texts }) => (context.mailer ? undefined : texts.mail.notSetUp),
      initial: ({ settings }) => ({ days: DIGEST_DAYS, language: settings.website.language }),
      suggested: { weekday: 'thursday', hour: 7 },
      saved: linkResponse,
      selectDeliveries: selectLetterDeliveries,
      badge: letterBadge,
      sections: letterSections,
      item: deliveryItem,
      sentText: ({ texts }, reply, action) => {
        const words = texts.letter
        const reason = refusalText(words, String(replyValue(reply, 'reason') ?? ''))
        return replyValue(reply, 'state') === 'sent' ? words[action] : filled(words.failedNow, { reason })
      },
    }),
    preview,
    sendLinkAgain,
  ],
  frames: [{ path: `${LETTERS_PATH}:id/preview`, policy: PREVIEW_POLICY }],
  menu: [
    {
      path: LETTERS_PATH,
      label: texts => texts.letter.title,
      requires,
      group: 'more',
    },
  ],
}
