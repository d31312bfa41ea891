import type { Remark, Sender } from '../../calendar/intake/queries.ts'
import { wordsOfField } from '../../site/forms/control.ts'
import { form, textField } from '../../site/forms/field-html.ts'
import { type Html, html } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import { plain } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import { type EditorContext, momentOf, type Notice } from '../context.ts'
import { editPath } from '../events/rows.ts'
import type { EditorPage } from '../layout.ts'
import { addressWith, cursorText, pageLinks, tabLinks } from '../lists.ts'
import { publishPath } from '../publish/area.ts'
import { byline, publishedContent } from '../publish/content.ts'
import { publishedText, shownVersionsText, titlesOf, versionsIn } from '../publish/publish.ts'
import { mainRow } from '../publish/queries.ts'
import { hasOtherDates, MAX_NOTE, type ReviewForm, type ReviewOutcome } from './decide.ts'
import type { ReviewNote } from './notes.ts'
import type { ReviewView, WaitingCursor, WaitingEvent } from './queries.ts'

export const REVIEW_PATH = '/admin/review/'

/** The id of the bulk form, which the checkboxes of all events belong to. */
const BULK_FORM_ID = 'several'

/** A form that failed, or failed in part, with its input. */
type TriedReview = { decided: ReviewForm; outcome: ReviewOutcome }

export type ReviewPosition = { view: ReviewView; after?: WaitingCursor | undefined }

/**
 * A page of waiting events. Its forms are sent to its own address, so that changed events are shown again.
 */
type WaitingPage = {
  position: ReviewPosition
  spam: number
  waiting: readonly WaitingEvent[]
  hasMore: boolean
  remarks: readonly Remark[]
  tried?: TriedReview
}

export const reviewAddress = ({ view, after }: ReviewPosition): string =>
  addressWith(REVIEW_PATH, {
    ...(view === 'spam' && { view }),
    after: after && cursorText({ at: after.start, name: after.id }),
  })

function reviewTabs(editor: EditorContext, current: ReviewView, spam: number): Html {
  const words = editor.texts.review
  const tab = (view: ReviewView, text: string, count?: string) => ({
    href: reviewAddress({ view }),
    text,
    isCurrent: view === current,
    count,
  })
  const spamCount = spam > 0 ? editor.site.dates.number(spam) : undefined
  return tabLinks(words.review, [tab('waiting', words.waiting), tab('spam', words.probablySpam, spamCount)])
}

export function reviewPage(
  editor: EditorContext,
  { position, spam, waiting, hasMore, remarks, tried }: WaitingPage,
): EditorPage {
  const words = editor.texts.review
  const { view } = position
  const address = reviewAddress(position)
  const first = reviewAddress({ view })
  const last = waiting.at(-1)?.row
  return {
    title: words.review,
    status: tried ? 422 : 200,
    notice: tried && noticeOf(editor, tried),
    main: html`<h1>${words.review}</h1>
${(editor.context.settings.submissions.isOn || spam > 0 || view === 'spam') && reviewTabs(editor, view, spam)}
${
  waiting.length > 0
    ? html`<p class="lead">${view === 'spam' ? words.spamText : words.lead}</p>`
    : view === 'spam'
      ? html`<p class="lead">${words.noSpam}</p>`
      : html`<p class="lead">${words.nothing}</p><p>${words.nothingText}</p>`
}
${tried && failureAlert(editor, tried)}
${view === 'waiting' && remarksSection(editor, remarks)}
${waiting.length > 1 && severalForm(editor, { position, waiting, ...(tried && { tried }) })}
<ol class="review">${waiting.map(item => waitingCard(editor, item, address, tried, waiting.length === 1))}</ol>
${pageLinks(editor, { first: address !== first && first, next: hasMore && last && reviewAddress({ view, after: { start: last.utc_start_date, id: last.id } }) })}`,
  }
}

const DONE_TEXTS = {
  return: 'returned',
  trash: 'trashed',
  spam: 'calledSpam',
  refuse: 'trashed',
  'refuse-all': 'trashed',
} as const

/** The text that says what was done to events. */
export const doneText = (
  editor: EditorContext,
  { decision }: ReviewForm,
  done: ReviewOutcome['done'],
): string =>
  decision === 'publish'
    ? publishedText(editor, done)
    : filled(editor.texts.review[DONE_TEXTS[decision]], { titles: titlesOf(editor, done) })

const noticeOf = (editor: EditorContext, { decided, outcome: { done } }: TriedReview): Notice | undefined =>
  done.length > 0 ? { text: doneText(editor, decided, done) } : undefined

function failureAlert({ texts }: EditorContext, { outcome: { error, failed, done } }: TriedReview): Html {
  const reason = error ?? texts.review[done.length > 0 ? 'failedSome' : 'failedOne']
  return html`<div class="form-error" role="alert" tabindex="-1" autofocus><p>${reason}</p>
${failed.size > 0 && html`<ul>${[...failed.values()].map(reason => html`<li>${reason}</li>`)}</ul>`}</div>`
}

function severalForm(
  editor: EditorContext,
  { position, waiting, tried }: Pick<WaitingPage, 'position' | 'waiting' | 'tried'>,
): Html {
  const words = editor.texts.review
  const hasSenders = waiting.some(({ sender }) => sender)
  const isReturnTried = tried?.decided.decision === 'return' && tried.decided.chosen.size !== 1
  return form(editor, {
    action: reviewAddress(position),
    id: BULK_FORM_ID,
    className: 'review-several',
    body: html`<p id="several-title">${words.several}</p>
<div class="actions" role="group" aria-labelledby="several-title">
<button class="button button-quiet" name="decision" value="publish">${words.publishChosen}</button>
<button class="button button-quiet" name="decision" value="trash">${words.trashChosen}</button>
${position.view === 'spam' && html`<button class="button button-quiet" name="decision" value="spam">${words.spam}</button>`}
${sendBack(editor, { id: BULK_FORM_ID, title: words.sendBackChosen, note: isReturnTried ? tried.decided.note : undefined, error: isReturnTried ? tried.outcome.error : undefined, sender: hasSenders ? { email: '' } : undefined })}</div>`,
  })
}

type NoteField = {
  id: string
  label: string
  help: string
  note?: string | undefined
  error?: string | undefined
}

const noteField = ({ id, note, ...texts }: NoteField): Html =>
  textField(
    { ...texts, id: `note-${id}`, name: 'note', value: note ?? '', rows: 3 },
    html` maxlength="${MAX_NOTE}"`,
  )

type SendBackForm = {
  id: string
  title: string
  note: string | undefined
  error: string | undefined
  /**
   * The sender of an event, or of any of several, who gets no e-mail; undefined for somebody with an account.
   */
  sender: Pick<Sender, 'email'> | undefined
}

function sendBack({ texts }: EditorContext, { id, title, note, error, sender }: SendBackForm): Html {
  const words = texts.review
  return html`<details class="send-back"${note !== undefined && html` open`}><summary class="button button-quiet">${title}</summary>
${noteField({ id, label: words.note, help: words.noteHelp, note, error })}
${sender && html`<p>${words.noteUnsent}${sender.email && html` <a href="mailto:${sender.email}">${sender.email}</a>`}</p>`}
<div class="actions"><button class="button" name="decision" value="return">${words.sendBackNow}</button></div></details>`
}

/** The buttons that refuse a visitor's event, or everything from the same sender. */
function refusalButtons({ site, texts }: EditorContext, id: number, { others }: Sender): Html {
  const words = texts.review
  const n = site.dates.number(others + 1)
  return html`<details class="send-back"><summary class="button button-quiet is-danger">${words.refuse}</summary>
${noteField({ id: `refuse-${id}`, label: words.refuseNote, help: words.refuseNoteHelp })}
<div class="actions"><button class="button button-danger" name="decision" value="refuse" aria-describedby="title-${id}">${words.refuseThis}</button></div>
${
  others > 0 &&
  html`<div class="refuse-all"><p>${countedText({ site }, words, 'sameSender', others)}</p>
<button class="button button-danger" name="decision" value="refuse-all">${filled(words.refuseAll, { n })}</button></div>`
}</details>`
}

function waitingCard(
  editor: EditorContext,
  item: WaitingEvent,
  address: string,
  tried: TriedReview | undefined,
  isOnly: boolean,
): Html {
  const words = editor.texts.review
  const { row, note, isComplete, sender } = item
  const title = plain(mainRow(item).title)
  const shownEvent = tried?.decided.chosen.get(row.id)
  // If there is no form for several events, what was typed in it is shown in the form of the only event.
  const isReturned =
    shownEvent !== undefined &&
    tried?.decided.decision === 'return' &&
    (isOnly || tried.decided.chosen.size === 1)
  const failure = tried?.outcome.failed.get(row.id)
  const mayTrash = !hasOtherDates(item)
  const cardForm = (body: Html): Html =>
    form(editor, {
      action: address,
      className: 'review-one',
      body: html`<input type="hidden" name="event" value="${shownVersionsText(item)}">${body}`,
    })
  const from = sender
    ? sender.via === 'email'
      ? mailedBy(editor, sender)
      : sentBy(editor, sender)
    : byline(editor, item)
  const describedBy = html`aria-describedby="title-${row.id}"`
  const decisionButton = (decision: string, text: string, isQuiet: boolean): Html =>
    html`<button class="button${isQuiet && ' button-quiet'}" name="decision" value="${decision}" ${describedBy}>${text}</button>`
  const seeAll = publishPath({ events: [row.id], scope: item.scope, backPath: REVIEW_PATH })
  return html`<li class="card" id="event-${row.id}"><article aria-labelledby="title-${row.id}">
<div class="review-head"><input id="choose-${row.id}" type="checkbox" name="event" value="${shownVersionsText(item)}" form="${BULK_FORM_ID}"
 aria-label="${filled(words.choose, { title })}"${shownEvent && html` checked`}>
<h2 id="title-${row.id}">${title}</h2></div>
${failure && html`<p class="field-error">${failure}</p>`}
${publishedContent(editor, item, shownEvent && versionsIn(shownEvent))}
${item.duplicates.length > 0 && duplicatesHtml(editor, item)}
<p class="review-by">${from}</p>
${sender && mailRemarks(sender)}
${sender && sender.mailText !== '' && mailText(editor, sender, mainRow(item).description === '')}
${note && earlierNote(editor, note)}
${!isComplete && html`<p>${editor.texts.publish.tooMuch}</p>`}
<div class="actions review-decision">${cardForm(html`${
    isComplete
      ? decisionButton('publish', editor.words.publish, false)
      : html`<a class="button" href="${seeAll}" ${describedBy}>${editor.texts.publish.lookAtAll}</a>`
  }
<a class="button button-quiet" href="${editPath(row.id)}" ${describedBy}>${words.edit}</a>
${sendBack(editor, {
  id: String(row.id),
  title: words.sendBack,
  note: isReturned ? tried.decided.note : undefined,
  error: isReturned ? tried.outcome.error : undefined,
  sender,
})}
${mayTrash && !sender && decisionButton('trash', editor.words.toTrash, true)}
${mayTrash && sender && decisionButton('spam', words.spam, true)}`)}
${mayTrash && sender && cardForm(refusalButtons(editor, row.id, sender))}</div>
</article></li>\n`
}

/** The action for a remark that an editor has dealt with. */
export const REMARK_PATH = `${REVIEW_PATH}remark/`

function remarksSection(editor: EditorContext, remarks: readonly Remark[]): Html | '' {
  if (remarks.length === 0) return ''
  const words = editor.texts.review
  const subjectHtml = ({ title, event }: Remark): Html | string =>
    title === null
      ? words.remarkOnDeleted
      : html`<a href="${editPath(event)}">${plain(title) || `#${event}`}</a>`
  const spam = html` <span class="badge badge-alert">${words.probablySpam}</span>`
  return html`<section aria-labelledby="remarks"><h2 id="remarks">${words.remarks}</h2><ul class="review">${remarks.map(
    remark => html`<li class="card" id="remark-${remark.id}"><h3>${subjectHtml(remark)}${remark.isLikelySpam === 1 && spam}</h3>
<blockquote>${plain(remark.text)}</blockquote>
<p class="review-by">${sentBy(editor, remark)}</p>
${form(editor, {
  action: REMARK_PATH,
  body: html`<input type="hidden" name="id" value="${remark.id}"><button class="button button-quiet" type="submit">${words.remarkDone}</button>`,
})}</li>\n`,
  )}</ul></section>`
}

/** The name and address of a visitor who submitted an event. */
function sentBy(
  editor: EditorContext,
  { name, email, sentUtc }: Pick<Sender, 'name' | 'email' | 'sentUtc'>,
): Html {
  const words = editor.texts.review
  const sentAt = momentOf(editor, sentUtc)
  const senderName = name || email || words.visitor
  return html`${filled(words.sentIn, { name: senderName, when: sentAt })}${email && html` <a href="mailto:${email}">${email}</a>`}`
}

/** The sender of an e-mail with an event. Only the person that it names can tell whether they sent it. */
function mailedBy(editor: EditorContext, { name, email, sentUtc, isConfirmed }: Sender): Html {
  const words = editor.texts.review
  const senderName = name || email || words.visitor
  return html`${filled(words.mailedIn, { name: senderName, when: momentOf(editor, sentUtc) })}${email && html` <a href="mailto:${email}">${email}</a>`}${
    !isConfirmed &&
    html` <span class="review-unconfirmed"><span class="badge badge-alert">${words.unconfirmed}</span> ${words.unconfirmedText}</span>`
  }`
}

/** The subject of an e-mail and what is to be known before its event is published, a line each. */
const mailHead = ({ mailText: text }: Sender): string[] => text.split('\n\n', 1)[0]?.split('\n') ?? []

function mailRemarks(sender: Sender): Html | '' {
  const [, ...remarks] = mailHead(sender)
  return remarks.length === 0
    ? ''
    : html`<div class="notice notice-alert">${remarks.map(remark => html`<p>${remark}</p>`)}</div>`
}

/** All of an e-mail. @param isOpen false if the description has what its sender wrote */
function mailText({ texts: { review: words } }: EditorContext, sender: Sender, isOpen: boolean): Html {
  const head = mailHead(sender)
  const [subject = ''] = head
  const receivedText = sender.mailText.slice(head.join('\n').length).replace(/^\n+/, '')
  return html`<details class="review-mail"${isOpen && html` open`}><summary>${words.mailText}</summary><div class="mail-whole">${
    subject !== '' && html`<p class="mail-subject" dir="auto">${filled(words.mailSubject, { subject })}</p>`
  }<div class="mail-text" dir="auto">${receivedText}</div></div></details>`
}

function duplicatesHtml({ texts }: EditorContext, { duplicates }: WaitingEvent): Html {
  return html`<p class="review-duplicates">${texts.review.duplicates} ${duplicates.map(({ title, url }, i) => html`${i > 0 && ', '}<a href="${url}">${title}</a>`)}</p>`
}

/** The note of an earlier review, and the fields changed since. */
function earlierNote(editor: EditorContext, note: ReviewNote): Html {
  const { language, texts } = editor
  const words = texts.review
  const fields = note.changed.map(name => wordsOfField(language, 'event', name).label)
  return html`<div class="review-note"><p>${filled(words.sentBack, { login: note.who, when: momentOf(editor, note.at_utc) })}</p>
<blockquote>${note.note}</blockquote>
<p>${fields.length > 0 ? filled(words.changedSince, { fields: [...new Set(fields)].join(', ') }) : words.unchangedSince}</p></div>`
}
