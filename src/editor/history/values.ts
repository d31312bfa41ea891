import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { isDigest } from '../../calendar/content/changed-values.ts'
import { ownedByCallerSql, publishedSql } from '../../calendar/content/visibility.ts'
import { termReadableSql } from '../../calendar/terms/queries.ts'
import { displayName } from '../../calendar/users/records.ts'
import type { BaseContext } from '../../kit/context.ts'
import { type ChangedFields, sourceOfRequest } from '../../kit/db/audit.ts'
import { combineQueries, inList, many, type Query, readText } from '../../kit/db/query.ts'
import {
  type AuditedKind,
  events,
  type FeatureKind,
  images,
  organizers,
  series,
  sourceIdIn,
  sources,
  terms,
  users,
  venues,
} from '../../kit/db/tables.ts'
import { codeNamer } from '../../kit/lib/languages.ts'
import { readRule } from '../../kit/lib/recurrence/rule.ts'
import { type Capability, may } from '../../kit/lib/roles.ts'
import { htmlToText } from '../../kit/lib/text.ts'
import { type DateTime, endOfDay, isDateTime } from '../../kit/lib/time.ts'
import { isObject } from '../../kit/lib/values.ts'
import { wordsOfField } from '../../site/forms/control.ts'
import { FREQUENCY, INTERVAL_UNITS } from '../../site/forms/repetition/shapes.ts'
import { type Html, html } from '../../site/html/html.ts'
import type { PageContext } from '../../site/html/page-context.ts'
import { plain } from '../../site/html/text.ts'
import { repeatWords } from '../../site/html/when.ts'
import { filled, textsIn } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { featureKind, featureKinds, type HistoryEntry } from './queries.ts'

/** The resources that entries refer to by id. */
const CORE_KINDS = ['event', 'series', 'venue', 'organizer', 'term', 'user', 'image', 'source'] as const
type NamedOfCore = (typeof CORE_KINDS)[number]
type NamedResource = NamedOfCore | FeatureKind

const isOfCore = (kind: string): kind is NamedOfCore => CORE_KINDS.some(name => name === kind)

/** The names of resources by kind and id; undefined for those that the caller may not read. */
export type NameLookup = (kind: string, id: unknown) => string | undefined

const ID_FIELDS: Readonly<Record<string, NamedResource>> = {
  venue: 'venue',
  organizer: 'organizer',
  categories: 'term',
  tags: 'term',
  parent: 'term',
  author: 'user',
  image: 'image',
  header_image: 'image',
  post_parent: 'event',
  duplicate_of: 'event',
}

const namedKind = (kind: string): NamedResource | undefined =>
  kind === 'category' || kind === 'tag'
    ? 'term'
    : isOfCore(kind)
      ? kind
      : featureKinds().find(([name, shown]) => name === kind && shown.name)?.[0]

/** The ids in a field's value. In an entry of a venue or organizer, `venue` and `organizer` hold names. */
const positiveIds = (value: unknown): number[] =>
  [value].flat().filter((id): id is number => typeof id === 'number' && id > 0)

/** The id of the source that made a change. */
export const changingSourceId = (requestId: string | null): number | undefined =>
  sourceIdIn(sourceOfRequest(requestId ?? '') ?? '')

/** The parts of an entry that refer to resources. */
type ReferringEntry = Pick<HistoryEntry, 'kind' | 'object_id' | 'changed' | 'request_id'>

function referredIds(entries: readonly ReferringEntry[]): Map<NamedResource, Set<number>> {
  const ids = new Map<NamedResource, Set<number>>()
  const add = (kind: NamedResource | undefined, newIds: readonly number[]) => {
    if (kind) ids.set(kind, new Set([...(ids.get(kind) ?? []), ...newIds]))
  }
  for (const { kind, object_id, changed, request_id } of entries) {
    add(namedKind(kind), [object_id])
    const sourceId = changingSourceId(request_id)
    if (sourceId !== undefined) add('source', [sourceId])
    for (const [field, values] of Object.entries(changed))
      add(field === 'into' ? namedKind(kind) : ID_FIELDS[field], values.flatMap(positiveIds))
  }
  return ids
}

/** A SELECT of the ids and names of resources that the caller may read. */
function nameableRows(context: BaseContext, kind: NamedResource): SQL {
  const { caller, clock } = context
  const nameableSql = (table: typeof events | typeof venues | typeof organizers | typeof series) =>
    sql`(${publishedSql(table, clock.now())} OR ${ownedByCallerSql(table, context)})`
  const capabilitySql = (capability: Capability, otherwise = sql`0`) =>
    may(caller, capability) ? sql`1` : otherwise
  const kinds = {
    event: [events, sql`title`, nameableSql(events)],
    series: [series, sql`title`, nameableSql(series)],
    venue: [venues, sql`name`, nameableSql(venues)],
    organizer: [organizers, sql`name`, nameableSql(organizers)],
    term: [terms, sql`name`, termReadableSql(context)],
    source: [sources, sql`name`, capabilitySql('manage_sources')],
    user: [users, displayName, capabilitySql('edit_others_content', sql`id = ${caller.id}`)],
    image: [
      images,
      sql`coalesce(nullif(title, ''), nullif(slug, ''), url)`,
      capabilitySql('edit_others_content', sql`author_id = ${caller.id}`),
    ],
  } as const satisfies Record<NamedOfCore, readonly [SQLiteTable, name: SQL, condition: SQL]>
  const rowNames = ([table, name, condition]: readonly [SQLiteTable, SQL, SQL]) =>
    sql`SELECT id, ${name} AS name FROM ${table} WHERE ${condition}`
  if (isOfCore(kind)) return rowNames(kinds[kind])
  const { table, name = sql`''`, requires } = featureKind(kind)
  return rowNames([table, name, capabilitySql(requires)])
}

export function selectNameLookup(
  context: BaseContext,
  entries: readonly ReferringEntry[],
): Query<NameLookup> {
  const wantedIds = [...referredIds(entries)].filter(([, ids]) => ids.size > 0)
  return combineQueries(
    wantedIds.map(([kind, ids]) =>
      many(
        sql`${nameableRows(context, kind)} AND id IN ${inList([...ids])}`,
        row => [`${kind} ${row.id}`, plain(readText(row.name))] as const,
      ),
    ),
    nameRows => {
      const names = new Map<string, string>(nameRows.flat())
      return (kind, id) => names.get(`${namedKind(kind) ?? kind} ${id}`)
    },
  )
}

/** The length from which texts are folded. */
const MAX_UNFOLDED_LENGTH = 240
const FOLDED_LENGTH = 120

const TIME_FIELDS = ['start_date', 'end_date', 'date']

const formKind = (kind: AuditedKind) => (kind === 'series' ? 'event' : kind === 'sender' ? 'user' : kind)

/** Fields without a label, each with the field whose label and options it has. */
const LABEL_FIELDS: Readonly<Record<string, string>> = {
  date_utc: 'date',
  cost_details: 'cost',
  is_virtual: 'virtual_event_type',
}

export function labelOf({ language, texts }: EditorContext, kind: AuditedKind, name: string): string {
  const field = LABEL_FIELDS[name] ?? name
  if (
    field === 'merged' ||
    field === 'dates' ||
    field === 'into' ||
    field === 'review_note' ||
    field === 'duplicate_of'
  )
    return texts.history[field]
  return wordsOfField(language, formKind(kind), field).label
}

type AuditedField = {
  kind: AuditedKind
  field: string
  names: NameLookup
  /** True if the event lasts whole days, with its times as midnights. */
  isWholeDay: boolean
}

/** True for settings whose values are codes, which have names in every language. */
const isCoded = (field: string): field is 'language' | 'currency' =>
  field === 'language' || field === 'currency'

/** A value as text; markup in it is not interpreted. */
function valueText(editor: EditorContext, audited: AuditedField, value: unknown): string {
  const { kind, field, names, isWholeDay } = audited
  const words = editor.texts.history
  if (isDigest(value))
    return `${plain(htmlToText(value.beginning))} … (${filled(words.long, { n: editor.site.dates.number(value.length) })})`
  if (field === 'is_virtual')
    return valueText(editor, { ...audited, field: LABEL_FIELDS[field] ?? '' }, value ? 'virtual' : '')
  if (typeof value === 'boolean') return value ? words.yes : words.no
  const referredKind = field === 'into' ? kind : field === kind ? undefined : ID_FIELDS[field]
  if (referredKind) {
    return positiveIds(value)
      .map(id => names(referredKind, id) ?? `#${id}`)
      .join(', ')
  }
  if (field === 'recurrence') return recurrenceText(editor, value)
  if (field === 'dates' && isObject(value)) return datesText(editor, value)
  if (isObject(value))
    return Object.values(value)
      .map(part => (isObject(part) ? `${part.label}: ${part.value}` : String(part)))
      .join('\n')
  if (typeof value === 'string' && value !== '' && kind === 'settings' && isCoded(field))
    return codeNamer(editor.language, field)(value)
  const text = String(value ?? '')
  if (TIME_FIELDS.includes(field) && isDateTime(text))
    return editor.site.dates.moment('date', text, isWholeDay)
  const option = wordsOfField(editor.language, formKind(kind), field).options?.[text]
  if (option !== undefined) return option
  return plain(field === 'description' || field === 'excerpt' ? htmlToText(text) : text)
}

/** Any start will do: rules that take their day from it are described without the day. */
const SOME_START: DateTime = '2027-01-04 00:00:00'

/** The keys of texts for rules without days and intervals. */
const EVERY = { day: 'daily', week: 'everyWeek', month: 'everyMonth', year: 'everyYear' } as const

/** A rule in words, with its end. A rule that can't be put into words is shown as it is stored. */
function ruleText(site: PageContext, rrule: string): string {
  const rule = readRule(rrule)
  if (!rule) return rrule
  const { count, until, freq, interval, weekStart: _, ...days } = rule
  const words = textsIn(site.language).repetition
  const unit = INTERVAL_UNITS.find(name => FREQUENCY[name] === freq)
  const text =
    Object.keys(days).length > 0
      ? repeatWords(site, rrule, SOME_START)
      : unit && (interval === 1 ? words[EVERY[unit]] : `${words.every} ${interval} ${words[unit]}`)
  if (!text) return rrule
  return [
    text,
    // The date on the day of UNTIL may already be out, so the day alone would promise too much.
    ...(until
      ? [
          `${words.ends}${site.words.colon}${words.until} ${site.dates.moment('date', until, until === endOfDay(until))}`,
        ]
      : []),
    ...(count ? [`${words.ends}${site.words.colon}${words.after} ${count} ${words.countUnit}`] : []),
  ].join('; ')
}

function recurrenceText({ site, texts }: EditorContext, value: unknown): string {
  if (!isObject(value)) return String(value ?? '')
  const { rrule = '', rdate, exdate } = value
  const count = (text: string, dates: unknown) =>
    Array.isArray(dates) && dates.length > 0 ? [filled(text, { n: site.dates.number(dates.length) })] : []
  const words = texts.history
  return [ruleText(site, String(rrule)), ...count(words.alsoDates, rdate), ...count(words.notDates, exdate)]
    .filter(Boolean)
    .join('\n')
}

function datesText({ site, texts }: EditorContext, value: Readonly<Record<string, unknown>>): string {
  return (['made', 'moved', 'dropped', 'back'] as const)
    .flatMap(name => {
      const n = Number(value[name] ?? 0)
      return n > 0 ? [filled(texts.history[name], { n: site.dates.number(n) })] : []
    })
    .join(', ')
}

function shownValue(editor: EditorContext, audited: AuditedField, value: unknown): Html {
  const text = valueText(editor, audited, value)
  if (text.trim() === '') return html`<span class="nothing">${editor.texts.history.empty}</span>`
  return foldedValue(text)
}

export const foldedValue = (text: string): Html =>
  text.length <= MAX_UNFOLDED_LENGTH
    ? html`<span class="value">${text}</span>`
    : html`<details class="value"><summary>${text.slice(0, FOLDED_LENGTH).toWellFormed()}…</summary>${text}</details>`

/** True if the times of an event are those of whole days, before a change and after it. */
function wholeDays({ all_day, start_date, end_date }: ChangedFields): readonly [boolean, boolean] {
  if (all_day) return [all_day[0] === true, all_day[1] === true]
  const areAll = (times: ChangedFields[string] | undefined, clock: string) =>
    times?.every(time => String(time).endsWith(clock)) ?? true
  const isWhole = areAll(start_date, ' 00:00:00') && areAll(end_date, ' 23:59:59')
  return [isWhole, isWhole]
}

export function changesHtml(
  editor: EditorContext,
  { kind, changed }: HistoryEntry,
  names: NameLookup,
): Html | '' {
  const words = editor.texts.history
  const pairs = Object.entries(changed).filter(
    ([field, [before, after]]) =>
      JSON.stringify(before) !== JSON.stringify(after) && changed[LABEL_FIELDS[field] ?? ''] === undefined,
  )
  if (pairs.length === 0) return ''
  return html`<dl class="changes">${pairs.map(([field, [before, after]]) => {
    const audited = (side: 0 | 1): AuditedField => ({
      kind,
      field,
      names,
      isWholeDay: field !== 'date' && wholeDays(changed)[side],
    })
    // The former author is not shown to everybody.
    const hasNoFormerValue =
      ['dates', 'merged', 'into'].includes(field) || (field === 'author' && before === null)
    const formerHtml = html`<span class="hidden">${words.before}${editor.site.words.colon}</span><del>${shownValue(editor, audited(0), before)}</del>
<span aria-hidden="true">→</span> <span class="hidden">${words.after}${editor.site.words.colon}</span>`
    return html`<div><dt>${labelOf(editor, kind, field)}</dt>
<dd>${!hasNoFormerValue && formerHtml}<ins>${shownValue(editor, audited(1), after)}</ins></dd></div>\n`
  })}</dl>`
}
