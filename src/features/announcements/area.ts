import { selectNames } from '../../calendar/content/related/queries.ts'
import { findNamesakes } from '../../calendar/events/namesakes.ts'
import type { EditorContext } from '../../editor/context.ts'
import { filledEventForm } from '../../editor/events/form-page.ts'
import type { EditorPage } from '../../editor/layout.ts'
import { type Area, defineEditorPage } from '../../editor/pages-and-actions.ts'
import { combineQueries, resolvedQuery } from '../../kit/db/query.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { type DateTime, startOfDay } from '../../kit/lib/time.ts'
import { parseJson } from '../../kit/lib/values.ts'
import { escapeXml } from '../../kit/lib/xml.ts'
import {
  countsOfUserText,
  MAX_TEXT_LENGTH,
  type ReadAnnouncement,
  readInCalendar,
} from '../../readers/announcement.ts'
import {
  type AnnouncedEvent,
  isOnlyDoubted,
  isTimed,
  type UnbelievedValue,
} from '../../readers/announcements/drafts.ts'
import { searchedText, spanOf } from '../../readers/announcements/quotes.ts'
import { type Body, optionName, wordsOfField } from '../../site/forms/control.ts'
import {
  type Entries,
  entriesOf as entriesOfForm,
  entry,
  newInput,
  withEntries,
} from '../../site/forms/entries.ts'
import { form, formText, labelledField } from '../../site/forms/field-html.ts'
import { EVENT_FORM } from '../../site/forms/forms.ts'
import { selectChoices } from '../../site/forms/load.ts'
import { controlsOf, entriesOfRepetition } from '../../site/forms/repetition/rule.ts'
import { backLink, type Html, html } from '../../site/html/html.ts'
import { shortMoment } from '../../site/html/when.ts'
import { storedCostWords } from '../../words/cost.ts'
import { filled } from '../../words/words.ts'

const PASTE = '/admin/events/paste/'

/** The id of the element that has the form of a draft, and the notes about it. */
const DRAFT_ID = 'draft'

/** What happens to a text: which model gets it, or what is read without one. */
const readerNote = ({ context, texts: { announcement: words } }: EditorContext): string =>
  context.model ? filled(words.sentTo, { model: context.model.name }) : words.datesOnly

/** The field with the text, and what is said while the model reads it. */
const textForm = (editor: EditorContext, text: string): Html => {
  const words = editor.texts.announcement
  return form(editor, {
    action: PASTE,
    body: html`${labelledField(
      { id: 'paste-text', label: words.text, help: readerNote(editor) },
      html`<textarea id="paste-text" name="text" rows="14" maxlength="${MAX_TEXT_LENGTH}" aria-describedby="paste-text-help" required>${text}</textarea>`,
    )}
${editor.context.model && html`<p class="notice" role="status" data-while-sent hidden>${words.reading}</p>`}
<div class="actions"><button class="button" type="submit">${words.read}</button></div>`,
  })
}

/** The page on which a text is pasted. @param read one in which no event was found */
function askPage(editor: EditorContext, text = '', read?: ReadAnnouncement): EditorPage {
  const words = editor.texts.announcement
  return {
    title: words.title,
    isNarrow: true,
    main: html`${backLink('/admin/events/', editor.site.words.events)}
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${read && html`<p class="notice" role="alert">${words.none}</p>${ignoredNotes(editor, read.ignored)}`}
${textForm(editor, text)}`,
  }
}

/** The reader gives days and times in this format. */
const withTime = (date: string): DateTime => (isTimed(date) ? date : startOfDay(date))

/** The values of a draft as the form shows them. */
const bodyOf = (draft: AnnouncedEvent, { language, context }: EditorContext): Body => ({
  title: draft.title ?? '',
  room: draft.room ?? '',
  cost: draft.cost === '0' ? storedCostWords(language, '0', context.settings.currency) : (draft.cost ?? ''),
  website: draft.website ?? '',
  description: escapeXml(draft.description ?? ''),
  all_day: draft.all_day,
  ...(draft.start_date && {
    start_date: withTime(draft.start_date),
    end_date: withTime(draft.end_date ?? draft.start_date),
  }),
  ...(draft.event_status && { event_status: draft.event_status }),
  ...(draft.venue?.id !== undefined && { venue: draft.venue }),
  ...(draft.organizer?.id !== undefined && { organizer: [draft.organizer] }),
})

/** The inputs of a repetition by a rule or by dates. */
const entriesOfFurther = ({ start_date = '', dates = [], recurrence }: Partial<AnnouncedEvent>) => {
  const first = withTime(start_date)
  const { rrule = '', exdate = [] } = recurrence ?? {}
  const known = { rrule, rdate: dates.map(withTime), exdate, first, date: first, shown: first }
  const controls = controlsOf(known)
  return entriesOfRepetition({ controls, ...(controls.repeat === 'kept' && { known }) })
}

/** The inputs that differ from what the body shows: new places and people, repetitions, times nobody said. */
function entriesOf(draft: AnnouncedEvent): Map<string, readonly string[]> {
  const { venue, organizer, address = '', city = '', start_date = '', end_date = '', all_day } = draft
  const entries = new Map<string, readonly string[]>(
    draft.dates || draft.recurrence ? entriesOfFurther(draft) : [],
  )
  if (venue?.id === undefined && `${venue?.venue ?? ''}${address}${city}` !== '')
    for (const [field, text] of Object.entries({ venue: venue?.venue ?? '', address, city }))
      entries.set(newInput('venue', field), [text])
  if (organizer && organizer.id === undefined)
    entries.set(newInput('organizer', 'organizer'), [organizer.organizer])
  if (!isTimed(start_date) && !all_day) entries.set('start_date_time', [''])
  if (!isTimed(end_date)) entries.set('end_date_time', [''])
  return entries
}

/** The inputs that take a value which was not believed; undefined if no button offers it. */
function entriesOfValue({ field, value }: UnbelievedValue, start_date: string) {
  const [day = '', time = ''] = value.split(' ')
  if (field === 'start_date' || field === 'end_date')
    return [[field, [day]] as const, [`${field}_time`, [time.slice(0, 5)]] as const]
  if (field === 'venue' || field === 'organizer') return [[newInput(field, field), [value]] as const]
  if (field === 'address' || field === 'city') return [[newInput('venue', field), [value]] as const]
  if (field === 'recurrence')
    return entriesOfFurther({ start_date, recurrence: { rrule: value, exdate: [] } })
  if (field === 'dates') return entriesOfFurther({ start_date, dates: value.split(', ') })
  return field === 'description' ? undefined : [[field, [value]] as const]
}

/** The field of the form that has a value: a new venue has an address and a town. */
const formFieldOf = (field: UnbelievedValue['field']): string =>
  field === 'address' || field === 'city' ? 'venue' : field === 'dates' ? 'recurrence' : field

/** What was not believed, and what needs a look. */
function ignoredNotes(editor: EditorContext, ignored: readonly UnbelievedValue[]): Html {
  const words = editor.texts.announcement
  const item = ({ field, value, reason }: UnbelievedValue): Html => {
    const { label } = wordsOfField(
      editor.language,
      field === 'address' || field === 'city' ? 'venue' : 'event',
      field === 'dates' ? 'recurrence' : field,
    )
    return html`<li>${label}${editor.site.words.colon}<span dir="auto">${value}</span> (${words[`reason_${reason}`]})</li>`
  }
  const note = (heading: string, values: readonly UnbelievedValue[]) =>
    values.length > 0 &&
    html`<div class="notice" role="alert"><p>${heading}</p><ul>${values.map(item)}</ul></div>`
  const doubted = ignored.filter(({ reason }) => isOnlyDoubted(reason))
  const dropped = ignored.filter(({ reason }) => !isOnlyDoubted(reason))
  return html`${note(words.doubted, doubted)}${note(words.ignored, dropped)}`
}

/** For each field the buttons that fill it with what was not believed. They send what was typed as well. */
function offersOf(editor: EditorContext, ignored: readonly UnbelievedValue[]): Map<string, Html> {
  const offers = new Map<string, Html>()
  for (const [i, one] of ignored.entries()) {
    if (isOnlyDoubted(one.reason) || entriesOfValue(one, '2000-01-01') === undefined) continue
    const field = formFieldOf(one.field)
    const text = filled(editor.texts.announcement.take, { value: one.value })
    offers.set(
      field,
      html`${offers.get(field)}<p><button class="button button-quiet" type="submit" formaction="${PASTE}#${DRAFT_ID}" formtarget="_self" formnovalidate name="take" value="${i}">${text}</button></p>`,
    )
  }
  return offers
}

/** A text in which passages that say a value have the names of its fields: styles show those of the focus. */
function markedText(text: string, { quotes }: AnnouncedEvent): Html {
  const source = searchedText(text)
  const spans = Object.entries(quotes).flatMap(([field, quote]) => {
    const span = spanOf(source, quote)
    return span ? [{ field, from: span[0], to: span[1] }] : []
  })
  const bounds = [...new Set([0, ...spans.flatMap(({ from, to }) => [from, to]), text.length])].sort(
    (a, b) => a - b,
  )
  return html`${bounds.slice(1).map((to, i) => {
    const from = bounds[i] ?? 0
    const fields = spans.filter(span => span.from <= from && to <= span.to).map(({ field }) => field)
    const part = text.slice(from, to)
    return fields.length > 0 ? html`<mark data-of="${fields.join(' ')}">${part}</mark>` : part
  })}`
}

type PastedText = { text: string; read: ReadAnnouncement; current: number }

/** The title of a draft, with its moment if another one has the same title, or the moment alone. */
function nameOfDraft(
  editor: EditorContext,
  draft: AnnouncedEvent,
  drafts: readonly AnnouncedEvent[],
): string {
  const { title, start_date = '' } = draft
  if (title === undefined)
    return capitalized(editor.site.dates.moment('day', withTime(start_date), !isTimed(start_date)))
  const isRepeated = drafts.some(other => other !== draft && other.title === title)
  return isRepeated && start_date !== ''
    ? `${title}, ${shortMoment(editor.site, withTime(start_date), !isTimed(start_date))}`
    : title
}

/** Hidden inputs with the text and the answer of the model, which is not asked again. */
const carriedInputs = ({ text, read: { answer } }: PastedText, formId = ''): Html => {
  const input = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}"${formId && html` form="${formId}"`}>`
  return html`${input('text', text)}${answer && input('answer', JSON.stringify(answer))}`
}

/** The drafts of a text, as buttons that show one after the other. */
function draftTabs(editor: EditorContext, pasted: PastedText): Html {
  const { read, current } = pasted
  const words = editor.texts.announcement
  const position = { at: current + 1, n: read.drafts.length }
  return form(editor, {
    // On a phone, the buttons and the text are longer than the screen.
    action: `${PASTE}#${DRAFT_ID}`,
    className: 'paste-drafts',
    body: html`${carriedInputs(pasted)}
<p role="status"><strong>${filled(words.position, position)}</strong> ${filled(words.several, position)}</p>
<div class="actions">${read.drafts.map(
      (draft, i) =>
        html`<button class="button${i !== current && ' button-quiet'}" type="submit" name="draft" value="${i}"${i === current && html` aria-current="true"`}>${nameOfDraft(editor, draft, read.drafts)}</button>`,
    )}</div>`,
  })
}

/** Why the model has not read a text, with a button that asks it again. */
function missingNote(editor: EditorContext, { text, read: { missing } }: PastedText): Html | '' {
  const words = editor.texts.announcement
  if (missing === undefined) return ''
  return html`<p class="notice" role="alert">${missing === 'texts_used_up' ? words.usedUp : words.failed}</p>${
    missing !== 'texts_used_up' &&
    form(editor, {
      action: PASTE,
      body: html`<input type="hidden" name="text" value="${text}"><p class="actions"><button class="button button-quiet" type="submit">${words.again}</button></p>`,
    })
  }`
}

/** A note that the text calls the event off, with the events of the calendar that it may be about. */
async function offNote(
  { context, language, texts }: EditorContext,
  draft: AnnouncedEvent,
): Promise<Html | ''> {
  const { event_status, title, start_date } = draft
  if (!event_status) return ''
  const namesakes = title && start_date ? await findNamesakes(context, { title, start_date }) : []
  const status = optionName(language, 'event', 'event_status', event_status)
  return html`<p class="notice">${filled(texts.announcement.isOff, { status })}${namesakes.map(({ id, title: name }) => html` <a href="/admin/events/${id}/" target="_blank">${name}</a>`)}</p>`
}

const pastePage = defineEditorPage({
  path: PASTE,
  requires: 'edit_content',
  load: () => resolvedQuery(undefined),
  respond: editor => askPage(editor),
  handle: async (editor, { form: data }) => {
    const { context, texts } = editor
    const sent: Entries = entriesOfForm(data)
    const text = entry(sent, 'text').slice(0, MAX_TEXT_LENGTH)
    const { names, choices } = await context.db.read(
      combineQueries({ names: selectNames(context), choices: selectChoices(context, EVENT_FORM, sent) }),
    )
    const read = await readInCalendar(context, names, {
      text,
      counts: countsOfUserText(context.settings, context.caller.id),
      answer: parseJson(entry(sent, 'answer')),
    })
    const current = Math.min(
      Math.max(Number(formText(data, 'draft')) || 0, 0),
      Math.max(read.drafts.length - 1, 0),
    )
    const draft = read.drafts[current]
    if (!draft) return askPage(editor, text, read)
    const words = texts.announcement
    const ignored = read.ignored.filter(one => (one.draft ?? current) === current)
    const taken = sent.has('take') ? ignored[Number(entry(sent, 'take'))] : undefined
    const typed = taken && withEntries(sent, entriesOfValue(taken, draft.start_date ?? '2000-01-01') ?? [])
    const left = ignored.filter(one => one !== taken)
    const pasted = { text, read, current }
    const offers = offersOf(editor, ignored)
    const page = filledEventForm(editor, {
      choices,
      body: bodyOf(draft, editor),
      entries: typed ?? entriesOf(draft),
      offers,
      opensTab: read.drafts.length > 1,
    })
    return {
      ...page,
      main: html`<div class="pasted"><section class="pasted-text" aria-labelledby="pasted"><h2 id="pasted">${words.pasted}</h2>
${read.drafts.length > 1 && draftTabs(editor, pasted)}
${read.hasMore && html`<p class="notice" role="alert">${filled(words.hasMore, { n: read.drafts.length })}</p>`}
${missingNote(editor, pasted)}
<p class="small">${words.check}</p>
<div class="card pasted-original" dir="auto">${markedText(read.text, draft)}</div></section>
<div class="pasted-form" id="${DRAFT_ID}">${await offNote(editor, draft)}
${ignoredNotes(editor, left)}
${offers.size > 0 && html`${carriedInputs(pasted, 'editor-form')}<input type="hidden" name="draft" value="${current}" form="editor-form">`}
${page.main}</div></div>`,
    }
  },
})

export const announcementArea: Area = {
  routes: [pastePage],
  otherNewPages: [{ path: PASTE, label: texts => texts.announcement.title, requires: 'edit_content' }],
}
