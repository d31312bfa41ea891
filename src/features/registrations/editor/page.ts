import { sql } from 'drizzle-orm'
import type { EditorContext } from '../../../editor/context.ts'
import { type EditorPage, section } from '../../../editor/layout.ts'
import { combineQueries, type RowOfQuery } from '../../../kit/db/query.ts'
import type { EventTimes } from '../../../kit/lib/time.ts'
import {
  buttonForm,
  choicePart,
  errorOf,
  form,
  inputField,
  optionsField,
  problem,
} from '../../../site/forms/field-html.ts'
import type { FormErrors } from '../../../site/forms/requests.ts'
import { backLink, type Html, html } from '../../../site/html/html.ts'
import { nameOf, plain } from '../../../site/html/text.ts'
import { momentThere } from '../../../words/events.ts'
import { filled, plural } from '../../../words/words.ts'
import { isRegistrationOn, selectDayUsedUp } from '../limits.ts'
import type { RegistrantRow } from '../links.ts'
import {
  type Occasion,
  type OccasionWithRegistration,
  registrationOf,
  requireEditableOccasion,
  selectCourseDateCounts,
  selectOccasionByEvent,
  withRegistration,
} from '../occasion.ts'
import { selectAllPeople, selectUnconfirmedCount } from '../people.ts'
import { questionOf, registrationState, registrationTimes } from '../rules.ts'
import { MAX_PER_PERSON, MAX_PLACES } from '../schema.ts'
import { selectQuestions, serializeQuestion } from '../source-questions.ts'

export const REGISTRATIONS_PATH = '/admin/registrations/'
export const registrationPath = (id: number | string): string => `${REGISTRATIONS_PATH}${id}/`
export const personPath = (event: number, person: number | string): string =>
  `${registrationPath(event)}people/${person}/`

export const selectOrganizersPage = (context: EditorContext['context'], event: number) => {
  const id = registrationOf(sql`${event}`)
  return combineQueries({
    occasion: selectOccasionByEvent(event),
    people: selectAllPeople(id),
    unconfirmed: selectUnconfirmedCount(id),
    questions: selectQuestions(id),
    isUsedUp: selectDayUsedUp(context, id),
    dates: selectCourseDateCounts(event),
  })
}

type PageRows = RowOfQuery<typeof selectOrganizersPage>

/**
 * The choice that gives each date of a series these settings. It is not a value of `scope`: it makes many
 * rows.
 */
export const EACH_DATE = 'each'

/** What a form shows: the stored values, or those that were sent. */
export type ShownEntries = Readonly<Record<string, string>>
/** A form that was refused, as it was sent. */
export type RefusedForm = { entries: ShownEntries; errors: FormErrors }

const localInputValue = (time: string | null): string =>
  time === null ? '' : time.slice(0, 16).replace(' ', 'T')

const NEW_ENTRIES = {
  places: '',
  per_person: '1',
  opens: '',
  closes: '',
  waiting_list: '1',
  question: '',
  closed: '',
  scope: 'event',
}

export function registrationEntries({ registration, ...occasion }: Occasion): ShownEntries {
  if (!registration) return NEW_ENTRIES
  const { opens, closes } = registrationTimes({ ...occasion, registration })
  return {
    places: registration.places === null ? '' : String(registration.places),
    per_person: String(registration.per_person),
    opens: localInputValue(opens),
    closes: localInputValue(closes),
    waiting_list: registration.waiting_list ? '1' : '',
    question: plain(registration.question),
    closed: registration.closed ? '1' : '',
    scope: registration.series_id === null ? 'event' : 'series',
  }
}

export const SETTING_NAMES = [
  'places',
  'per_person',
  'opens',
  'closes',
  'waiting_list',
  'question',
  'closed',
  'scope',
] as const
export type SettingName = (typeof SETTING_NAMES)[number]

/** The input with the former value of a setting, so that unchanged settings are not sent. */
export const formerInputName = (name: SettingName): string => `was.${name}`

function settingsForm(
  editor: EditorContext,
  occasion: Occasion,
  dates: PageRows['dates'],
  entries: ShownEntries,
  errors: FormErrors,
): Html {
  const words = editor.texts.registration
  const { number } = editor.site.dates
  const { event, registration } = occasion
  const field = (name: SettingName) => ({
    id: `f-${name}`,
    name,
    label: words[`field_${name}`],
    value: entries[name] ?? '',
    error: errors.get(name),
  })
  const help = (name: 'places' | 'opens' | 'closes' | 'question') => ({
    ...field(name),
    help: words[`help_${name}`],
  })
  const box = (name: 'waiting_list' | 'closed') =>
    html`<div class="form-field form-check">${choicePart({ ...field(name), value: '1', type: 'checkbox', isChosen: entries[name] === '1' })}</div>`
  const numberAttributes = (maximum: number) =>
    html` type="number" min="1" max="${maximum}" step="1" inputmode="numeric"`
  const scopes = [
    ['event', words.scopeEvent],
    [EACH_DATE, words.scopeEach],
    ['series', words.scopeSeries],
  ] as const
  const scopeField = optionsField(
    { id: 'f-scope', label: words.field_scope, error: errors.get('scope') },
    { name: 'scope', options: scopes, chosen: [entries.scope ?? 'event'] },
  )
  const formerValueField = (name: SettingName) =>
    html`<input type="hidden" name="${formerInputName(name)}" value="${entries[formerInputName(name)] ?? entries[name] ?? ''}">`
  return form(editor, {
    action: registrationPath(event.id),
    className: 'editor-form registration-form stack',
    body: html`${inputField(help('places'), numberAttributes(MAX_PLACES))}
${inputField(field('per_person'), numberAttributes(MAX_PER_PERSON))}
${inputField(help('opens'), html` type="datetime-local"`)}
${inputField(help('closes'), html` type="datetime-local"`)}
${box('waiting_list')}
${inputField(help('question'), html` maxlength="200"`)}
${event.series_id !== null && scopeField}${event.series_id !== null && dates && dates.own < dates.all && html`<p class="notice">${filled(words.partOfCourse, { n: number(dates.own), all: number(dates.all) })}</p>`}
${registration && box('closed')}${SETTING_NAMES.map(formerValueField)}
<div class="actions"><button class="button" type="submit">${registration ? words.saveSettings : words.begin}</button></div>`,
  })
}

function placesLine(
  { texts, site, language }: EditorContext,
  { registration }: OccasionWithRegistration,
  unconfirmedCount: number,
): string {
  const words = texts.registration
  const formatNumber = site.dates.number
  const { places, taken, waiting } = registration
  const takenText =
    places === null
      ? filled(plural(language, words, 'takenOfAny', taken), { n: formatNumber(taken) })
      : filled(plural(language, words, 'takenOf', taken), {
          n: formatNumber(taken),
          places: formatNumber(places),
        })
  const waitingText =
    waiting > 0 && filled(plural(language, words, 'waitingCount', waiting), { n: formatNumber(waiting) })
  const unconfirmed =
    unconfirmedCount > 0 &&
    filled(plural(language, words, 'unconfirmed', unconfirmedCount), {
      count: formatNumber(unconfirmedCount),
    })
  return [takenText, waitingText, unconfirmed].filter(Boolean).join(' · ')
}

function stateLine(
  editor: EditorContext,
  occasion: OccasionWithRegistration,
  unconfirmedCount: number,
): Html {
  const state = registrationState(occasion, editor.context.clock)
  return html`<p class="registration-state"><strong>${editor.texts.registration[`state_${state}`]}</strong> · ${placesLine(editor, occasion, unconfirmedCount)}</p>`
}

const placesAttributes = html` type="number" min="1" max="${MAX_PLACES}"`

function personRow(
  editor: EditorContext,
  { event, registration }: OccasionWithRegistration,
  person: RegistrantRow,
): Html {
  const words = editor.texts.registration
  const path = personPath(event.id, person.id)
  const label = (text: string) => `${text}${editor.site.words.colon}${person.name}`
  const button = (name: string, text: string, className: string) =>
    buttonForm(editor, {
      action: path,
      text,
      label: label(text),
      className,
      hidden: html`<input type="hidden" name="do" value="${name}">`,
    })
  const arrivalButton =
    person.state !== 'confirmed'
      ? button('let_in', words.letIn, 'button button-quiet')
      : person.came
        ? button('away', words.hasCome, 'button')
        : button('came', words.came, 'button button-quiet')
  const removeText = filled(editor.words.asks, { action: words.remove })
  const count = person.places > 1 && html` × ${editor.site.dates.number(person.places)}`
  const question = questionOf(person, registration)
  const answer =
    person.answer &&
    html`<span class="small registrant-answer">${question !== registration.question && html`<em>${plain(question)}</em> `}${person.answer}</span>`
  const placesField = {
    id: `places-${person.id}`,
    name: 'places',
    label: words.places,
    value: String(person.places),
    isRequired: true,
  }
  const placesForm = form(editor, {
    action: path,
    className: 'registrant-places',
    body: html`${inputField(placesField, placesAttributes)}<button class="button button-quiet" name="do" value="places">${words.change}</button>`,
  })
  return html`<li class="registrant${person.came && ' has-come'}" id="person-${person.id}">
<div class="registrant-text"><strong>${person.name}</strong>${count}<span class="small">${person.email || words.byHand}</span>${answer}</div>
<div class="registrant-acts">${arrivalButton}
<details class="menu-button" name="menu"><summary class="button button-quiet">${editor.words.more}</summary><div class="menu-items">${placesForm}<a class="is-danger" href="${path}remove/" aria-label="${label(removeText)}">${removeText}</a></div></details></div></li>`
}

/**
 * The person who waits for more places than there are, or else holds up the waiting list by waiting for more
 * than are free.
 */
function heldUpText(
  { texts, site }: EditorContext,
  { registration: { places, taken } }: OccasionWithRegistration,
  waiting: readonly RegistrantRow[],
): string {
  const { number } = site.dates
  if (places === null) return ''
  const passedOver = waiting.find(person => person.places > places)
  const person = passedOver ?? waiting[0]
  const free = places - taken
  if (!person || !(passedOver || (free > 0 && person.places > free))) return ''
  return filled<string>(texts.registration[passedOver ? 'passedOver' : 'heldUp'], {
    name: person.name,
    places: number(person.places),
    n: number(free),
  })
}

/** The time of an event in its own zone, named if it is not that of the calendar. */
const eventTime = (
  { site, context }: EditorContext,
  {
    start_date: wall,
    end_date: end,
    timezone,
    all_day: isWholeDay,
  }: Omit<EventTimes, 'utc_start_date' | 'utc_end_date'>,
): string => momentThere(site, { wall, end, timezone, isWholeDay }, context.settings.timezone)

/** What the source has done to the event, which is waiting for an answer. */
function questionsSection(
  editor: EditorContext,
  { event }: OccasionWithRegistration,
  questions: PageRows['questions'],
): Html | false {
  const words = editor.texts.registration
  const lines = questions.map(({ title, ...question }) => {
    const when = 'to' in question ? eventTime(editor, question.to) : ''
    return html`<li>${filled<string>(words[`asks_${question.what}`], { title: nameOf(title, ''), when })}</li>`
  })
  const button = (follow: string, text: string, className: string) =>
    buttonForm(editor, {
      action: `${registrationPath(event.id)}answer/`,
      text,
      className,
      hidden: html`<input type="hidden" name="follow" value="${follow}"><input type="hidden" name="asked" value="${JSON.stringify(questions.map(serializeQuestion))}">`,
    })
  return (
    questions.length > 0 &&
    html`<section class="card notice-card no-print" aria-labelledby="asks"><h2 id="asks">${words.asksTitle}</h2><ul>${lines}</ul><p>${words.asksText}</p>
<div class="actions">${button('1', words.follow, 'button')}${button('', words.leave, 'button button-quiet')}</div></section>`
  )
}

function peopleSection(
  editor: EditorContext,
  occasion: OccasionWithRegistration,
  people: readonly RegistrantRow[],
): Html {
  const words = editor.texts.registration
  const { event, registration } = occasion
  const byName = (a: RegistrantRow, b: RegistrantRow) => a.name.localeCompare(b.name, editor.language)
  const confirmed = people.filter(({ state }) => state === 'confirmed').sort(byName)
  const waiting = people
    .filter(({ state }) => state === 'waiting')
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0))
  const addresses = [...new Set(confirmed.flatMap(({ email }) => email || []))]
  const list = (rows: readonly RegistrantRow[]) =>
    html`<ul class="registrants">${rows.map(person => personRow(editor, occasion, person))}</ul>`
  // People who answered an earlier question have it next to their answer.
  const { question } = registration
  const isAnswered =
    question !== '' &&
    people.some(person => person.answer !== '' && questionOf(person, registration) === question)
  return html`${isAnswered && html`<p class="small">${words.field_question}${editor.site.words.colon}${plain(question)}</p>`}${people.length === 0 ? html`<p>${words.nobody}</p>` : confirmed.length > 0 && list(confirmed)}
${waiting.length > 0 && html`<h3>${words.waitingList}</h3><p class="small">${heldUpText(editor, occasion, waiting) || words.waitingOrder}</p>${list(waiting)}`}
<div class="actions no-print"><a class="button button-quiet" href="${registrationPath(event.id)}spreadsheet/">${words.spreadsheet}</a>
<button class="button button-quiet" type="button" data-print hidden>${words.print}</button>
${addresses.length > 0 && html`<button class="button button-quiet" type="button" data-copy="${addresses.join(', ')}" data-done="${words.copied}" hidden>${words.copyAddresses}</button>`}</div>`
}

function enterForm(
  editor: EditorContext,
  { event }: OccasionWithRegistration,
  { entries, errors }: RefusedForm = { entries: { places: '1' }, errors: new Map() },
): Html {
  const words = editor.texts.registration
  const field = (name: 'name' | 'places' | 'over') => ({
    id: `e-${name}`,
    name,
    label: words[name],
    value: entries[name] ?? '',
    error: errors.get(name),
  })
  const overError = errors.get('over')
  const over = choicePart({
    ...field('over'),
    value: '1',
    type: 'checkbox',
    isChosen: entries.over === '1',
    isFocused: overError !== undefined,
  })
  return form(editor, {
    action: `${registrationPath(event.id)}enter/`,
    className: 'editor-form registration-form stack',
    body: html`<input type="hidden" name="key" value="${crypto.randomUUID()}"><p>${words.enterText}</p>${problem('e-problem', errors.get(''))}${inputField(field('name'), html` required maxlength="100" autocomplete="off"`)}
${inputField(field('places'), placesAttributes)}
<div class="form-field${overError && ' has-error'}">${errorOf({ ...field('over'), error: overError })}<div class="form-check">${over}</div></div>
<div class="actions"><button class="button button-quiet">${words.enter}</button></div>`,
  })
}

export function organizersPage(
  editor: EditorContext,
  { occasion: loaded, people, unconfirmed, questions, isUsedUp, dates }: PageRows,
  refused: { settings?: RefusedForm; enter?: RefusedForm } = {},
): EditorPage {
  const words = editor.texts.registration
  const occasion = requireEditableOccasion(editor.context, loaded)
  const { event } = occasion
  const title = nameOf(event.title, event.slug)
  const managedOccasion = withRegistration(occasion)
  const settings = settingsForm(
    editor,
    occasion,
    dates,
    refused.settings?.entries ?? registrationEntries(occasion),
    refused.settings?.errors ?? new Map(),
  )
  const general = refused.settings?.errors.get('')
  const state =
    managedOccasion &&
    html`${questionsSection(editor, managedOccasion, questions)}${isUsedUp && html`<p class="notice no-print">${words.usedUp}</p>`}${stateLine(editor, managedOccasion, unconfirmed)}`
  const enter =
    managedOccasion && section('enter', words.enterTitle, enterForm(editor, managedOccasion, refused.enter))
  const end =
    managedOccasion &&
    section(
      'end',
      words.endTitle,
      html`<p><a class="button button-quiet is-danger" href="${registrationPath(event.id)}end/">${filled(editor.words.asks, { action: words.end })}</a></p>`,
    )
  return {
    title: `${words.title}${editor.site.words.colon}${title}`,
    status: refused.settings || refused.enter ? 422 : 200,
    main: html`${backLink(`/admin/events/${event.id}/`, title)}<h1>${words.title}</h1>
<p class="lead">${title}, ${eventTime(editor, event)}</p>
${!isRegistrationOn(editor.context) && html`<p class="notice">${words.off}</p>`}
${general && html`<p class="form-error" role="alert">${general}</p>`}
<div class="stack">${state}
${managedOccasion ? section('people', words.people, peopleSection(editor, managedOccasion, people)) : html`<p>${words.lead}</p>`}
${enter && html`<div class="no-print">${enter}</div>`}
<div class="no-print">${managedOccasion ? section('settings', words.settings, settings) : settings}</div>
${end && html`<div class="no-print">${end}</div>`}</div>`,
  }
}
