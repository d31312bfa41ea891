import { selectNames } from '../../calendar/content/related/queries.ts'
import type { EditorContext } from '../../editor/context.ts'
import { filledEventForm } from '../../editor/events/form-page.ts'
import type { EditorPage } from '../../editor/layout.ts'
import { type Area, defineEditorPage } from '../../editor/pages-and-actions.ts'
import { combineQueries, resolvedQuery } from '../../kit/db/query.ts'
import { selectCreatedByForms } from '../../kit/http/idempotency.ts'
import { beginsFree } from '../../kit/lib/cost.ts'
import { capitalized, fold } from '../../kit/lib/text.ts'
import { type DateTime, startOfDay } from '../../kit/lib/time.ts'
import { typedKeys } from '../../kit/lib/values.ts'
import { readInCalendar, rowsWithoutDay } from '../../readers/announcement.ts'
import { remainingText, withoutReadRows } from '../../readers/remaining-text.ts'
import type { AnnouncedEvent, DraftField, IgnoredPassage } from '../../readers/texts/draft/event.ts'
import { MAX_EVENTS } from '../../readers/texts/drafts.ts'
import type { Span } from '../../readers/texts/words/plain.ts'
import { type Body, optionName, wordsOfField } from '../../site/forms/control.ts'
import { entriesOf as entriesOfForm, entry, newInput } from '../../site/forms/entries.ts'
import { form, formText, labelledField } from '../../site/forms/field-html.ts'
import { EVENT_FORM } from '../../site/forms/forms.ts'
import { selectChoices } from '../../site/forms/load.ts'
import { INPUT_NAMES } from '../../site/forms/repetition/rule.ts'
import { backLink, type Html, html } from '../../site/html/html.ts'
import { shortMoment } from '../../site/html/when.ts'
import { storedCostWords } from '../../words/cost.ts'
import { filled } from '../../words/words.ts'
import { type MadeEvent, readNamesakes, savedDrafts, selectMade } from './saved-drafts.ts'
import { MAX_TEXT_LENGTH } from './schema.ts'

/** The fields that are marked in a text, in the order of their numbers, each with the name of its hue. */
const HUES = {
  title: 'amber',
  start_date: 'sky',
  end_date: 'blue',
  venue: 'green',
  address: 'teal',
  city: 'cyan',
  room: 'olive',
  organizer: 'violet',
  cost: 'orange',
  website: 'pink',
} as const satisfies Record<DraftField, string>

const MARKED_FIELDS = typedKeys(HUES)

/** The fields of a draft that occur in its text, in the order of their numbers. */
const markedFields = ({ evidence }: AnnouncedEvent): DraftField[] =>
  MARKED_FIELDS.filter(field => evidence[field])

/** The field of the form that shows what was found: a new venue has an address and a town. */
const formFieldOf = (field: DraftField): string => (['address', 'city'].includes(field) ? 'venue' : field)

/** True if the weekday in the text is not that of the day of a draft. */
const isContradicted = ({ evidence }: AnnouncedEvent, contradictions: readonly IgnoredPassage[]): boolean =>
  contradictions.some(({ reason, evidence: [from, to] }) => {
    const [startFrom, startTo] = evidence.start_date ?? [0, 0]
    return reason === 'weekday' && from < startTo && startFrom < to
  })

/** The numbers shown next to the fields of the form. @param doubt a warning about its start */
function marksOf(draft: AnnouncedEvent, doubt: string | undefined): Map<string, Html> {
  const marks = new Map<string, Html>()
  for (const [i, field] of markedFields(draft).entries()) {
    const before = marks.get(formFieldOf(field))
    const mark = html`<span class="${markClass(field)}">${i + 1}</span>`
    marks.set(formFieldOf(field), before ? html`${before} ${mark}` : mark)
  }
  if (doubt !== undefined)
    marks.set(
      'start_date',
      html`${marks.get('start_date')} <span aria-hidden="true">⚠</span><span class="hidden">${doubt}</span>`,
    )
  return marks
}

const markClass = (field: DraftField): string => `marked-value hue-${HUES[field]}`

/**
 * A text in which the values of a draft are marked by the numbers of their fields. Of two values that
 * overlap, only the first one is marked.
 */
function markedText(text: string, draft: AnnouncedEvent): Html {
  const spans = markedFields(draft)
    .flatMap((field, i) => {
      const span = draft.evidence[field]
      return span ? [{ field, span, number: i + 1 }] : []
    })
    .sort((a, b) => a.span[0] - b.span[0] || b.span[1] - a.span[1])
  const parts: Html[] = []
  let position = 0
  for (const { field, span, number } of spans) {
    const [from, to] = clippedSpan(span, text.length)
    if (from < position || to <= from) continue
    parts.push(
      html`${text.slice(position, from)}<mark class="${markClass(field)}">${text.slice(from, to)}<sup>${number}</sup></mark>`,
    )
    position = to
  }
  return html`${parts}${text.slice(position)}`
}

const clippedSpan = ([from, to]: Span, length: number): Span => [Math.min(from, length), Math.min(to, length)]

const PASTE = '/admin/events/paste/'

/** The id of the element that has the form of a draft, and the notes about it. */
const DRAFT_ID = 'draft'

/** The page on which a text is pasted. @param text one in which no event was found */
function askPage(editor: EditorContext, text = ''): EditorPage {
  const words = editor.texts.announcement
  return {
    title: words.title,
    isNarrow: true,
    main: html`${backLink('/admin/events/', editor.site.words.events)}
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${text !== '' && html`<p class="notice" role="alert">${words.none}</p>`}
${form(editor, {
  action: PASTE,
  body: html`${labelledField(
    { id: 'paste-text', label: words.text },
    html`<textarea id="paste-text" name="text" rows="14" maxlength="${MAX_TEXT_LENGTH}" required>${text}</textarea>`,
  )}
<div class="actions"><button class="button" type="submit">${words.read}</button></div>`,
})}`,
  }
}

/** The values of a draft as the form shows them. A day without a time leaves the time empty. */
const bodyOf = ({
  venue,
  organizer,
  room,
  start_date,
  end_date,
  title,
  cost,
  website,
  all_day,
  event_status,
}: AnnouncedEvent): Body => ({
  title: title ?? '',
  start_date: withTime(start_date),
  end_date: withTime(end_date ?? start_date),
  all_day,
  cost: cost ?? '',
  website: website ?? '',
  room: room ?? '',
  ...(event_status && { event_status }),
  ...(venue?.id !== undefined && { venue }),
  ...(organizer && { organizer: [organizer] }),
})

const isTimed = (date: string): boolean => date.length > 10
/** The reader makes days and times in this format. */
const withTime = (date: string): DateTime => (isTimed(date) ? date : startOfDay(date))

/**
 * The inputs that differ from what the values show: a new venue, further dates, and times that nobody said.
 */
function entriesOf({
  venue,
  address = '',
  city = '',
  dates = [],
  start_date,
  end_date = '',
  all_day,
}: AnnouncedEvent) {
  const entries = new Map<string, readonly string[]>()
  if (venue && venue.id === undefined) {
    entries.set(newInput('venue', 'venue'), [venue.venue])
    entries.set(newInput('venue', 'address'), [address])
    entries.set(newInput('venue', 'city'), [city])
  }
  if (!isTimed(start_date) && !all_day) entries.set('start_date_time', [''])
  if (!isTimed(end_date)) entries.set('end_date_time', [''])
  if (dates.length > 0) {
    entries.set(INPUT_NAMES.repeat, ['dates'])
    entries.set(
      INPUT_NAMES.also,
      dates.map(date => withTime(date).replace(' ', 'T').slice(0, 16)),
    )
  }
  return entries
}

/** A day with its time, if it has one, in words. */
const momentText = ({ site: { dates } }: EditorContext, date: string): string =>
  capitalized(dates.moment('day', withTime(date), !isTimed(date)))

/** The word for free admission as the text has it, if costs can begin with it; otherwise the usual one. */
function freeWord({ language, context }: EditorContext, text: string, { evidence }: AnnouncedEvent): string {
  const word = text.slice(...(evidence.cost ?? [0, 0]))
  return beginsFree(word) ? word : storedCostWords(language, '0', context.settings.currency)
}

/** What was found, with its numbers in the text. */
function foundList(editor: EditorContext, text: string, draft: AnnouncedEvent): Html {
  const { language, texts } = editor
  const { start_date, end_date, venue, organizer } = draft
  const shownFields: Record<DraftField, string | undefined> = {
    title: draft.title,
    address: draft.address,
    city: draft.city,
    room: draft.room,
    cost: draft.cost === '0' ? freeWord(editor, text, draft) : draft.cost,
    website: draft.website,
    start_date: momentText(editor, start_date),
    end_date: end_date && momentText(editor, end_date),
    venue: venue?.venue,
    organizer: organizer?.organizer,
  }
  const label = (kind: 'event' | 'venue', field: string): string => wordsOfField(language, kind, field).label
  const labels: Partial<Record<DraftField, string>> = {
    start_date: texts.announcement.start,
    end_date: texts.announcement.end,
    address: label('venue', 'address'),
    city: label('venue', 'city'),
  }
  return html`<dl class="found-list">${markedFields(draft).map(
    (field, i) =>
      html`<div><dt><span class="${markClass(field)}">${i + 1}</span> ${labels[field] ?? label('event', field)}</dt><dd dir="auto">${shownFields[field]}</dd></div>\n`,
  )}</dl>`
}

type PastedText = {
  text: string
  drafts: readonly AnnouncedEvent[]
  saved: readonly (MadeEvent | undefined)[]
  current: number
  /** The beginning of the keys of the forms. The keys show what was made with each form. */
  sitting: string
}

/** The title of a draft, with its moment if another one has the same title, or the moment alone. */
function nameOfDraft(editor: EditorContext, draft: AnnouncedEvent, drafts: PastedText['drafts']): string {
  const { title, start_date } = draft
  if (title === undefined) return momentText(editor, start_date)
  const isRepeated = drafts.some(other => other !== draft && other.title === title)
  return isRepeated
    ? `${title}, ${shortMoment(editor.site, withTime(start_date), !isTimed(start_date))}`
    : title
}

/** The drafts of a text, as buttons that show one after the other. */
const draftTabs = (
  editor: EditorContext,
  { text, drafts, saved, current, sitting }: PastedText,
): Html | '' =>
  drafts.length < 2
    ? ''
    : form(editor, {
        // On a phone, the buttons and the text are longer than the screen.
        action: `${PASTE}#${DRAFT_ID}`,
        className: 'paste-drafts',
        body: html`<input type="hidden" name="text" value="${text}"><input type="hidden" name="sitting" value="${sitting}">
<p role="status"><strong>${filled(editor.texts.announcement.position, { at: current + 1, n: drafts.length })}</strong> ${filled(editor.texts.announcement.several, { n: drafts.length })}</p>
<div class="actions">${drafts.map(
          (draft, i) =>
            html`<button class="button${i !== current && ' button-quiet'}" type="submit" name="draft" value="${i}"${i === current && html` aria-current="true"`}>${saved[i] && html`<span aria-hidden="true">✓ </span><span class="hidden">${editor.texts.announcement.isSaved} </span>`}${nameOfDraft(editor, draft, drafts)}</button>`,
        )}</div>
${drafts.map((draft, i) => savedAsNote(editor, { name: nameOfDraft(editor, draft, drafts), draft, made: saved[i] }))}`,
      })

/**
 * A note with the event that counts as made from a draft though it has another title: somebody may see that
 * it is a different event.
 */
const savedAsNote = (
  editor: EditorContext,
  { name, draft, made }: { name: string; draft: AnnouncedEvent; made: MadeEvent | undefined },
): Html | '' =>
  made && fold(made.name) !== fold(draft.title ?? '')
    ? html`<p class="small">${filled(editor.texts.announcement.isSavedAs, { name })} <a href="/admin/events/${made.id}/" target="_blank">${made.name}</a></p>`
    : ''

/** The number of the draft that is asked for; by default of the first that was not saved. */
function chosenDraft(askedNumber: string, saved: PastedText['saved']): number {
  const last = Math.max(saved.length - 1, 0)
  if (askedNumber !== '') return Math.min(Math.max(Number(askedNumber) || 0, 0), last)
  return Math.max(saved.indexOf(undefined), 0)
}

const savedNote = (editor: EditorContext, made: MadeEvent | undefined): Html | '' =>
  made
    ? html`<p class="notice notice-done">${editor.texts.announcement.isSaved} <a href="/admin/events/${made.id}/">${made.name}</a></p>`
    : ''

/** A note that a text has more events than become drafts, with the way to events in other rows of a table. */
function moreNote(editor: EditorContext, text: string, drafts: PastedText['drafts']): Html {
  const words = editor.texts.announcement
  const rest = withoutReadRows(text, drafts)
  const note = filled(rest === undefined ? words.hasMore : words.hasMoreRows, { n: drafts.length })
  return html`<p class="notice" role="alert">${note}</p>${
    rest !== undefined &&
    form(editor, {
      action: PASTE,
      body: html`<input type="hidden" name="text" value="${rest}"><p class="actions"><button class="button button-quiet" type="submit">${words.otherRows}</button></p>`,
    })
  }`
}

const pastePage = defineEditorPage({
  path: PASTE,
  requires: 'edit_content',
  load: () => resolvedQuery(undefined),
  respond: editor => askPage(editor),
  handle: async (editor, { form: data }) => {
    const { context, language } = editor
    const text = entry(entriesOfForm(data), 'text').slice(0, MAX_TEXT_LENGTH)
    const [sitting] = /^[\w-]{1,50}$/.exec(formText(data, 'sitting')) ?? [crypto.randomUUID()]
    const keys = Array.from({ length: MAX_EVENTS }, (_, i) => `${sitting}-${i}`)
    const { names, choices, made, created } = await context.db.read(
      combineQueries({
        names: selectNames(context),
        choices: selectChoices(context, EVENT_FORM),
        made: selectMade(context),
        created: selectCreatedByForms(context, { keys, kind: 'event' }),
      }),
    )
    const { drafts, ignored, hasMore } = readInCalendar(context, names, { text })
    const createdIds = keys.map(key => created.find(one => one.key === key)?.id)
    const saved = savedDrafts(drafts, { made, createdIds, text })
    const current = chosenDraft(formText(data, 'draft'), saved)
    const draft = drafts[current]
    if (!draft) return askPage(editor, text)
    const words = editor.texts.announcement
    const skippedRows = rowsWithoutDay(text, ignored)
    const namesakes = draft.event_status && !saved[current] ? await readNamesakes(context, draft, text) : []
    const doubt = isContradicted(draft, ignored) ? words.otherWeekday : undefined
    const assumptions = draft.assumed?.map(assumed => words[`assumed_${assumed}`]).join(' ')
    const page = filledEventForm(editor, {
      choices,
      body: { ...bodyOf(draft), description: remainingText(text, drafts, current) },
      entries: new Map([
        ...entriesOf(draft),
        ...(draft.cost === '0' ? [['cost', [freeWord(editor, text, draft)]] as const] : []),
      ]),
      marks: marksOf(draft, doubt ?? assumptions),
      // What was trashed since can be made again.
      key: createdIds[current] === undefined || saved[current] ? keys[current] : undefined,
      opensTab: drafts.length > 1,
    })
    return {
      ...page,
      main: html`<div class="pasted"><section class="pasted-text" aria-labelledby="pasted"><h2 id="pasted">${words.pasted}</h2>
${draftTabs(editor, { text, drafts, saved, current, sitting })}
${hasMore && moreNote(editor, text, drafts)}
${skippedRows !== '' && html`<p class="notice" role="alert">${filled(words.noDay, { rows: skippedRows })}</p>`}
<p class="small">${words.check}</p>
${foundList(editor, text, draft)}
<div class="card pasted-original" dir="auto">${markedText(text, draft)}</div></section>
<div class="pasted-form" id="${DRAFT_ID}">${savedNote(editor, saved[current])}
${draft.event_status && html`<p class="notice">${filled(words.isOff, { status: optionName(language, 'event', 'event_status', draft.event_status) })}${namesakes.map(({ id, name }) => html` <a href="/admin/events/${id}/" target="_blank">${name}</a>`)}</p>`}
${doubt !== undefined && html`<p class="notice" role="alert">${doubt} <label><input type="checkbox" required form="editor-form"> ${words.isChecked}</label></p>`}
${assumptions !== undefined && html`<p class="notice">${assumptions}</p>`}
${page.main}</div></div>`,
    }
  },
})

export const announcementArea: Area = {
  routes: [pastePage],
  otherNewPages: [{ path: PASTE, label: texts => texts.announcement.link, requires: 'edit_content' }],
}
