import { eq } from 'drizzle-orm'
import { readDivisionGuardStatements } from '../../calendar/content/dependents.ts'
import type { PreparedContent } from '../../calendar/content/routes.ts'
import type { PreparedEvent } from '../../calendar/events/prepare.ts'
import {
  type DateEffects,
  type DateStart,
  effectsOnDates,
  type StoredOccurrence,
} from '../../calendar/events/recurrence/occurrences.ts'
import {
  assertMayEditAll,
  type EventOfSeries,
  type StoredEvent,
  selectStored,
  seriesPart,
} from '../../calendar/events/recurrence/queries.ts'
import { SCOPES, type Scope } from '../../calendar/events/recurrence-fields.ts'
import { eventRoutes } from '../../calendar/events/routes.ts'
import { type FieldName, isFieldName } from '../../calendar/events/schema.ts'
import { isDetachedIn } from '../../calendar/events/shared-fields.ts'
import { events } from '../../kit/db/tables.ts'
import { requestReader } from '../../kit/http/dispatch.ts'
import type { PlannedWrite } from '../../kit/http/shared-writes.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import type { Occurrence } from '../../kit/lib/recurrence/pattern.ts'
import { mayEdit } from '../../kit/lib/roles.ts'
import { type DateTime, startOfDay } from '../../kit/lib/time.ts'
import { compareTexts } from '../../kit/lib/values.ts'
import { wordsOfField } from '../../site/forms/control.ts'
import type { Entries } from '../../site/forms/entries.ts'
import { form } from '../../site/forms/field-html.ts'
import { hiddenInputs } from '../../site/forms/render.ts'
import { errorsOf, ifVersion } from '../../site/forms/requests.ts'
import { type Html, html } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import { plain } from '../../site/html/text.ts'
import { filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { notePage } from '../respond.ts'

type Effects = Readonly<Omit<DateEffects, 'remaining'>> & {
  /** The number of dates that get the change, including new ones. */
  changedCount: number
  /** Dates that keep values of their own in changed fields, with the names of these fields. */
  own: readonly { start: DateStart; fields: readonly string[] }[]
  /** True if the earlier dates become a separate series. */
  isSplit: boolean
}

const NO_EFFECTS: Effects = {
  changedCount: 0,
  made: [],
  back: [],
  moved: [],
  dropped: [],
  own: [],
  isSplit: false,
}

const isLive = ({ status }: StoredOccurrence): boolean => status !== 'trash'

const byStart = (a: DateStart, b: DateStart): number => compareTexts(a.start_date, b.start_date)

const isOccurrence = (stored: StoredEvent | undefined): stored is EventOfSeries => Boolean(stored?.series)

/** The effects of a prepared write of an occurrence. All occurrences of its series must be loaded. */
function effectsOf(event: PreparedEvent, scope: Scope): Effects {
  const { stored, series = [] } = event
  // A change of the series may set every field that was requested.
  const isUnchanged = event.type === 'event' ? event.isUnchanged : series.length === 0
  if (isUnchanged || !isOccurrence(stored)) return NO_EFFECTS
  if (scope === 'this') return { ...NO_EFFECTS, changedCount: 1 }
  const update = series.flatMap(({ dates }) => dates?.update ?? [])
  const insert = series.flatMap(({ dates }) => dates?.insert ?? [])
  const own = series.flatMap(({ dates }) => dates?.own ?? [])
  // If the series is divided, the row of its later part comes last, and its audit names the rule as well.
  const changedSeries = series.at(-1)
  const names = (changedSeries?.follows ?? changedSeries?.fields ?? []).filter(isFieldName)
  const isAllDay = (changedSeries?.columns.all_day ?? stored.series.all_day) === true
  const { remaining, ...effects } = effectsOnDates(
    stored.series.occurrences,
    { update, insert, own },
    isAllDay,
  )
  return {
    made: effects.made,
    back: effects.back.sort(byStart),
    moved: effects.moved.sort((a, b) => byStart(a.from, b.from)),
    dropped: effects.dropped.sort(byStart),
    // An occurrence that becomes a single event is a row of its own.
    changedCount: remaining.length + insert.length + (event.type === 'event' ? 1 : 0),
    // The date that the request names gets every requested value.
    own: remaining.toSorted(byStart).flatMap(start => {
      const fields = start.id === stored.id ? [] : detachedAmong(names, start.detached)
      return fields.length > 0 ? [{ start, fields }] : []
    }),
    isSplit:
      event.type === 'event'
        ? seriesPart(stored, scope === 'all').head !== undefined
        : series.some(({ isDivided }) => isDivided),
  }
}

function effectsOfDeletion(storedEvent: EventOfSeries, scope: Scope): Effects {
  const part = seriesPart(storedEvent, scope === 'all')
  const goingDates =
    scope === 'this' ? part.occurrences.filter(({ id }) => id === storedEvent.id) : part.occurrences
  return {
    ...NO_EFFECTS,
    dropped: goingDates.filter(isLive).sort(byStart),
    isSplit: part.head !== undefined,
  }
}

/** The changed fields that an occurrence has of its own. A rule changes the start of all. */
const detachedAmong = (names: readonly FieldName[], detached: readonly string[]): FieldName[] =>
  [...new Set(names.map(name => (name === 'recurrence' ? 'start_date' : name)))].filter(name =>
    isDetachedIn(detached, name),
  )

export type PlannedChange = {
  id: number
  version: string
  /** The changed values for a request of the API. The end of a rule depends on the scope. */
  bodyOf: (scope: Scope) => Readonly<Record<string, unknown>>
}

type ScopedChange = PlannedChange & {
  /** The path of the form's action, and all hidden inputs. */
  action: string
  carried: Entries
}

/** A possible scope with its effects, or the reason why it is not possible. */
type ScopeChoice = { scope: Scope } & ({ effects: Effects } | { reason: string })

type OccurrenceName = DateStart & { title: string; series_id: number | null }

/**
 * The question which dates of a series a change applies to, with its effects on them. They come from the
 * plans that would be written. Nothing is written.
 *
 * @returns undefined if there is nothing to ask: the event has no series, nothing changes, somebody else has
 *   saved in the meantime, or the change is invalid for every scope, as the write will report
 */
export async function scopeQuestion(
  editor: EditorContext,
  change: ScopedChange,
): Promise<EditorPage | undefined> {
  const body = change.bodyOf('all')
  if (Object.keys(body).length === 0) return undefined
  // The user has changed the rule, not only moved a date, so this concerns several dates.
  const isRuleChanged = 'recurrence' in change.bodyOf('this')
  const plannedWrites = await Promise.all(
    SCOPES.filter(scope => scope !== 'this' || !isRuleChanged).map(async scope => ({
      scope,
      write: await plannedUpdate(editor, change, scope),
    })),
  )
  const writes = plannedWrites.flatMap(({ write }) => (write instanceof Error ? [] : [write]))
  const [first] = writes
  if (!first) return undefined
  const inputs = writes.map(({ input }) => input)
  const loaded = await editor.context.db.read(first.shared.load(first.context, inputs))
  const outcomes = plannedWrites.map(({ scope, write }) => ({
    scope,
    outcome: write instanceof Error ? write : prepareEventOf(write, loaded),
  }))
  if (outcomes.some(({ outcome }) => isFinalError(outcome))) return undefined
  const choices = outcomes.map(
    ({ scope, outcome }): ScopeChoice =>
      outcome instanceof Error
        ? { scope, reason: errorReason(editor, outcome) }
        : { scope, effects: effectsOf(outcome, scope) },
  )
  const occurrence = outcomes.flatMap(({ outcome }) =>
    outcome instanceof Error ? [] : (occurrenceName(outcome) ?? []),
  )[0]
  if (!occurrence) return undefined
  const words = editor.texts.scope
  return questionPage(editor, {
    action: change.action,
    carried: change.carried,
    occurrence,
    choices: [
      ...(isRuleChanged ? [{ scope: 'this', reason: words.ruleIsForAll } as const] : []),
      ...(await withoutDivision(editor, withoutRepeats(choices), occurrence.series_id)),
    ],
    operation: body.recurrence === '' ? 'ends' : 'changes',
    buttons: html`<button class="button" type="submit" name="do" value="save">${editor.words.save}</button>
<button class="button button-quiet" type="submit" name="do" value="edit">${words.edit}</button>`,
  })
}

const readRequest = requestReader(() => eventRoutes)

const plannedUpdate = ({ context }: EditorContext, { id, version, bodyOf }: PlannedChange, scope: Scope) =>
  readRequest(context, {
    method: 'PATCH',
    path: `/events/${id}`,
    body: { ...bodyOf(scope), scope },
    headers: ifVersion(version),
  })

/** The prepared write. @throws errors other than ApiError, as `plannedUpdate` does */
function prepareEventOf(write: PlannedWrite, loaded: unknown): PreparedEvent | ApiError {
  try {
    // Requests to the route of events prepare content of this type.
    return (write.prepare(loaded) as PreparedContent<PreparedEvent>).prepared
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** True if an error does not concern the fields: the event has changed, is gone, or is not the caller's. */
const isFinalError = (outcome: PreparedEvent | ApiError): boolean =>
  outcome instanceof ApiError && !['rest_invalid_param', 'rest_forbidden'].includes(outcome.code)

function errorReason({ texts }: EditorContext, error: ApiError): string {
  if (error.code === 'rest_forbidden') return texts.scope.notYours
  const { code, message, data } = error
  return [...errorsOf(texts, { code, message, data }).values()].join(' ')
}

/** The start and end of a date, in UTC. */
export type OccupiedTime = readonly [start: DateTime, end: DateTime]

/**
 * The dates of a series after a change of several of them: the new times of those that the change writes, and
 * the ids of those that keep their times; undefined if the write does not change the series, or is not
 * possible.
 */
export async function readDatesAfter(
  editor: EditorContext,
  change: PlannedChange,
  scope: Scope,
): Promise<{ intervals: OccupiedTime[]; unmovedIds: number[] } | undefined> {
  const write = await plannedUpdate(editor, change, scope)
  if (write instanceof Error) return undefined
  const event = prepareEventOf(
    write,
    await editor.context.db.read(write.shared.load(write.context, [write.input])),
  )
  if (event instanceof Error || event.type !== 'series' || !isOccurrence(event.stored)) return undefined
  const statuses = new Map(event.stored.series.occurrences.map(({ id, status }) => [id, status]))
  const intervalOf = ({ utc_start_date: start, utc_end_date: end }: Occurrence) => [start, end] as const
  const plan = event.series.flatMap(({ dates }) => dates ?? [])
  const written = plan.flatMap(({ own = [] }) =>
    own.flatMap(({ id, utc_start_date, utc_end_date }) =>
      typeof utc_start_date === 'string' && typeof utc_end_date === 'string'
        ? [[id, [utc_start_date, utc_end_date] as const] as const]
        : [],
    ),
  )
  const ownIntervals = new Map<number, OccupiedTime>(written)
  const liveDates = plan
    .flatMap(({ update = [] }) => update)
    .filter(({ id, status = statuses.get(id) }) => status !== 'trash')
    .map(({ id, times }) => ({ id, interval: times ? intervalOf(times) : ownIntervals.get(id) }))
  return {
    intervals: [
      ...plan.flatMap(({ insert = [] }) => insert.map(intervalOf)),
      ...liveDates.flatMap(({ interval }) => (interval ? [interval] : [])),
    ],
    unmovedIds: liveDates.flatMap(({ id, interval }) => (interval ? [] : [id])),
  }
}

/** The occurrence of a prepared write; undefined for an event without a series. */
const occurrenceName = ({ stored }: PreparedEvent): OccurrenceName | undefined =>
  stored?.series ? stored : undefined

/**
 * The choices. If people are registered for the dates of the series together, those that would divide it are
 * ruled out: the write would refuse them.
 */
async function withoutDivision(
  { context, texts }: EditorContext,
  choices: readonly ScopeChoice[],
  series: number | null,
): Promise<readonly ScopeChoice[]> {
  const isDivided = (choice: ScopeChoice): boolean => 'effects' in choice && choice.effects.isSplit
  if (series === null || !choices.some(isDivided)) return choices
  try {
    await readDivisionGuardStatements(context, [series])
    return choices
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rest_event_protected') throw error
    return choices.map(choice =>
      isDivided(choice) ? { scope: choice.scope, reason: texts.scope.dividesPeople } : choice,
    )
  }
}

/** The choices, without “this and following” where that would be the same as all dates. */
function withoutRepeats(choices: readonly ScopeChoice[]): readonly ScopeChoice[] {
  return choices.filter(
    choice => choice.scope !== 'following' || !('effects' in choice) || choice.effects.isSplit,
  )
}

/** What the question is about: a change, the end of a repetition, or a deletion. */
type Operation = 'changes' | 'ends' | 'deletes'

type ScopeQuestion = Pick<ScopedChange, 'action' | 'carried'> & {
  occurrence: OccurrenceName
  choices: readonly ScopeChoice[]
  operation: Operation
  buttons: Html
}

/** The page with the question. The possible choice for the fewest dates is preselected. */
function questionPage(
  editor: EditorContext,
  { action, carried, occurrence, choices, operation, buttons }: ScopeQuestion,
): EditorPage | undefined {
  const preselected = choices.find(choice => 'effects' in choice)
  if (!preselected) return undefined
  const words = editor.texts.scope
  const date = dateOf(editor, occurrence)
  const lead = operation === 'deletes' ? words.deletes : words.lead
  return notePage({
    title: words.question,
    text: filled(lead, { title: plain(occurrence.title), date }),
    body: form(editor, {
      action,
      className: 'stack scope-form',
      body: html`${hiddenInputs(carried)}
<fieldset class="scopes"><legend class="hidden">${words.question}</legend>
${choices.map(choice => scopeCard(editor, choice, { date, operation, isChosen: choice === preselected }))}
</fieldset>
<div class="actions">${buttons}</div>`,
    }),
  })
}

/**
 * The question which dates of a series go to the trash.
 *
 * @returns undefined for an event without a series, and for one that the caller may not change, as the API
 *   will report
 */
export async function deletionQuestion(
  editor: EditorContext,
  { id, action, back }: { id: number; action: string; back: string },
): Promise<EditorPage | undefined> {
  const { context, texts } = editor
  const [storedEvent] = await context.db.read(selectStored(context, eq(events.id, id), [{ scope: 'all' }]))
  if (!isOccurrence(storedEvent) || !mayEdit(context.caller, storedEvent) || storedEvent.status === 'trash')
    return undefined
  const choices = SCOPES.map((scope): ScopeChoice => {
    try {
      if (scope !== 'this')
        assertMayEditAll(context, storedEvent.series, seriesPart(storedEvent, scope === 'all').occurrences)
      return { scope, effects: effectsOfDeletion(storedEvent, scope) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { scope, reason: errorReason(editor, error) }
    }
  })
  return questionPage(editor, {
    action,
    carried: new Map(),
    occurrence: storedEvent,
    choices: await withoutDivision(editor, withoutRepeats(choices), storedEvent.series_id),
    operation: 'deletes',
    buttons: html`<button class="button" type="submit">${editor.words.toTrash}</button>
<a class="button button-quiet" href="${back}">${texts.scope.edit}</a>`,
  })
}

type ChoiceView = { date: string; operation: Operation; isChosen: boolean }

function scopeCard(editor: EditorContext, choice: ScopeChoice, { isChosen, ...shown }: ChoiceView): Html {
  const words = editor.texts.scope
  const { scope } = choice
  const isPossible = 'effects' in choice
  return html`<div class="card scope"><div class="form-radio"><input id="scope-${scope}" type="radio" name="scope" value="${scope}"
 aria-describedby="scope-${scope}-does"${isChosen && html` checked`}${!isPossible && html` disabled`}>
<label for="scope-${scope}">${words[scope]}</label></div>
<div id="scope-${scope}-does" class="scope-does">${
    isPossible
      ? effectsText(editor, choice.effects, { scope, ...shown })
      : html`<p>${filled(words.notPossible, { reason: choice.reason })}</p>`
  }</div></div>\n`
}

/** The first sentence about a choice. */
function firstSentence(
  { texts, site }: EditorContext,
  { changedCount, isSplit }: Effects,
  { scope, date, operation }: Omit<ChoiceView, 'isChosen'> & { scope: Scope },
): Html | '' {
  const words = texts.scope
  if (operation === 'deletes') return ''
  if (scope === 'this') return html`<p>${filled(words.thisText, { date })}</p>`
  const count = changedCount === 0 ? words.nothing : countedText({ site }, words, 'count', changedCount)
  return html`<p>${operation === 'ends' ? filled(words.ends, { date }) : count}${isSplit && ` ${words.followingText}`}</p>`
}

const MAX_LISTED_DATES = 6

function effectsText(
  editor: EditorContext,
  effects: Effects,
  shown: Omit<ChoiceView, 'isChosen'> & { scope: Scope },
): Html {
  const words = editor.texts.scope
  const { made, back, moved, dropped, own } = effects
  const day = (start: DateStart) => dateOf(editor, start)
  return html`${firstSentence(editor, effects, shown)}
${dateList(editor, words.made, made.map(day))}
${dateList(editor, words.back, back.map(day))}
${dateList(
  editor,
  words.moved,
  moved.map(({ from, to }) => {
    const isOnSameDay = !to.all_day && startOfDay(from.start_date) === startOfDay(to.start_date)
    const end = isOnSameDay ? editor.site.dates.clock(to.start_date) : day(to)
    return filled(words.fromTo, { from: day(from), to: end })
  }),
)}
${dateList(editor, words.dropped, dropped.map(day))}
${dateList(
  editor,
  words.own,
  own.map(
    ({ start, fields }) =>
      `${day(start)} (${fields.map(name => wordsOfField(editor.language, 'event', name).label).join(', ')})`,
  ),
)}`
}

/** A list of dates with a heading, the first ones listed and the number of all; '' if there are none. */
function dateList(editor: EditorContext, heading: string, items: readonly string[]): Html | '' {
  if (items.length === 0) return ''
  const shownItems = items.length > MAX_LISTED_DATES + 1 ? items.slice(0, MAX_LISTED_DATES) : items
  const n = items.length - shownItems.length
  const { number } = editor.site.dates
  const moreItem = n > 0 && html`<li>${filled(editor.texts.scope.more, { n: number(n) })}</li>`
  return html`<p class="scope-what">${heading} (${number(items.length)})</p>
<ul>${shownItems.map(item => html`<li>${item}</li>`)}${moreItem}</ul>`
}

const dateOf = ({ site }: EditorContext, { start_date, all_day }: DateStart): string =>
  site.dates.moment('day', start_date, all_day)
