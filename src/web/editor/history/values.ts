import { isMoment } from '../../../db/columns.ts'
import { htmlToText } from '../../../lib/text.ts'
import { isObject } from '../../../lib/values.ts'
import { isDigest } from '../../../resources/content/writes.ts'
import { filled, historyWords } from '../../../words/words.ts'
import { wordsOfField } from '../../forms/words.ts'
import { type Html, html } from '../../html/html.ts'
import { repeatWords } from '../../html/repeats.ts'
import { plain } from '../../html/text.ts'
import type { Admin } from '../admin.ts'
import { ID_FIELDS, type Names } from './names.ts'
import type { AuditedKind, Entry } from './queries.ts'

/** A longer text is folded. */
const SHORT = 240
const BEGINNING = 120

const TIMES = ['start_date', 'end_date', 'date']

/** The kind whose forms have the fields of another. */
const formKind = (kind: AuditedKind) =>
  kind === 'series' ? 'event' : kind === 'user' || kind === 'webhook' ? undefined : kind

/** The label of a field, in the words of its form. */
export function labelOf({ language }: Pick<Admin, 'language'>, kind: AuditedKind, field: string): string {
  const words = historyWords(language)
  if (
    field === 'merged' ||
    field === 'dates' ||
    field === 'into' ||
    field === 'review_note' ||
    field === 'duplicate_of'
  )
    return words[field]
  const form = formKind(kind)
  return form ? wordsOfField(language, form, field).label : field
}

type Place = { kind: AuditedKind; field: string; names: Names }

/** A value in words. It is text: whatever markup it has is shown as such. */
function textOf(admin: Admin, { kind, field, names }: Place, value: unknown): string {
  const words = historyWords(admin.language)
  if (isDigest(value))
    return `${plain(htmlToText(value.beginning))} … (${filled(words.long, { n: admin.site.dates.number(value.length) })})`
  if (typeof value === 'boolean') return value ? words.yes : words.no
  const named = field === 'into' ? kind : field === kind ? undefined : ID_FIELDS[field]
  if (named) {
    const ids = [value].flat().filter(id => typeof id === 'number' && id > 0)
    return ids.map(id => names(named, id) ?? `#${id}`).join(', ')
  }
  if (field === 'recurrence') return recurrenceOf(admin, value)
  if (field === 'dates' && isObject(value)) return datesOf(admin, value)
  if (isObject(value))
    return Object.values(value)
      .map(part => (isObject(part) ? `${part.label}: ${part.value}` : String(part)))
      .join('\n')
  const text = String(value ?? '')
  if (TIMES.includes(field) && isMoment(text))
    return `${admin.site.dates.format('date', text)}, ${admin.site.dates.clock(text)}`
  const form = formKind(kind)
  const option = form && wordsOfField(admin.language, form, field).options?.[text]
  if (option !== undefined) return option
  return plain(field === 'description' || field === 'excerpt' ? htmlToText(text) : text)
}

function recurrenceOf({ site, language }: Admin, value: unknown): string {
  if (!isObject(value)) return String(value ?? '')
  const { rrule = '', rdate, exdate } = value
  const rule = String(rrule)
  const said = /BYDAY|BYMONTHDAY|FREQ=DAILY/.test(rule)
    ? repeatWords(site, rule, '2027-01-04 00:00:00')
    : undefined
  const count = (text: string, dates: unknown) =>
    Array.isArray(dates) && dates.length > 0 ? [filled(text, { n: site.dates.number(dates.length) })] : []
  const words = historyWords(language)
  return [
    said ? `${said} (${rule})` : rule,
    ...count(words.alsoDates, rdate),
    ...count(words.notDates, exdate),
  ]
    .filter(Boolean)
    .join('\n')
}

function datesOf({ site, language }: Admin, value: Readonly<Record<string, unknown>>): string {
  const words = historyWords(language)
  return (['made', 'moved', 'dropped', 'back'] as const)
    .flatMap(name => {
      const n = Number(value[name] ?? 0)
      return n > 0 ? [filled(words[name], { n: site.dates.number(n) })] : []
    })
    .join(', ')
}

function shown(admin: Admin, place: Place, value: unknown): Html {
  const text = textOf(admin, place, value)
  if (text.trim() === '') return html`<span class="nothing">${historyWords(admin.language).empty}</span>`
  if (text.length <= SHORT) return html`<span class="value">${text}</span>`
  return html`<details class="value"><summary>${text.slice(0, BEGINNING).toWellFormed()}…</summary>${text}</details>`
}

/** What an entry has changed: each field with what was before and what after. */
export function changesOf(admin: Admin, { kind, changed }: Entry, names: Names): Html | '' {
  const words = historyWords(admin.language)
  const pairs = Object.entries(changed).filter(
    ([, [before, after]]) => JSON.stringify(before) !== JSON.stringify(after),
  )
  if (pairs.length === 0) return ''
  return html`<dl class="changes">${pairs.map(([field, [before, after]]) => {
    const place = { kind, field, names }
    // Who had it before is not told to everybody.
    const isNews = ['dates', 'merged', 'into'].includes(field) || (field === 'author' && before === null)
    return html`<div><dt>${labelOf(admin, kind, field)}</dt>
<dd>${!isNews && html`<span class="hidden">${words.before}: </span><del>${shown(admin, place, before)}</del> <span aria-hidden="true">→</span> <span class="hidden">${words.after}: </span>`}<ins>${shown(admin, place, after)}</ins></dd></div>\n`
  })}</dl>`
}
