import type * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { csvRow, csvSeparatorOf } from '../../kit/lib/csv.ts'
import { languageFor } from '../../kit/lib/languages.ts'
import { toWall } from '../../kit/lib/time.ts'
import { pick } from '../../kit/lib/values.ts'
import { plain } from '../../site/html/text.ts'
import { textsIn } from '../../words/words.ts'
import { type RegistrantRow, registerPath } from './links.ts'
import type { OccasionWithRegistration } from './occasion.ts'
import { placesLeft, questionOf, registrationState, registrationTimes } from './rules.ts'
import type { registrantSchema, registrationSchema } from './schema.ts'
import { type OpenQuestion, serializeQuestion } from './source-questions.ts'

/** The most free places that the public is told. */
export const MAX_PUBLIC_LEFT = 10

export type OrganizerDetails = { unconfirmed: number; questions: readonly OpenQuestion[] }

/** A registration as everybody sees it; with settings and numbers for those who may edit the event. */
export function serializeRegistration(
  { site, clock }: BaseContext,
  occasion: OccasionWithRegistration,
  details?: OrganizerDetails,
): z.output<typeof registrationSchema> {
  const { registration: r, event } = occasion
  const left = placesLeft(occasion)
  return {
    state: registrationState(occasion, clock),
    left: left === null || left > MAX_PUBLIC_LEFT ? null : left,
    ...registrationTimes(occasion),
    per_person: r.per_person,
    question: r.question,
    url: site + registerPath(event.id),
    ...(details && {
      places: r.places,
      waiting_list: r.waiting_list,
      closed: r.closed,
      scope: r.series_id === null ? ('event' as const) : ('series' as const),
      taken: r.taken,
      waiting: r.waiting,
      unconfirmed: details.unconfirmed,
      asked: details.questions.map(serializeQuestion),
    }),
  }
}

export const SHEET_FILE = 'registrations.csv'
export const SHEET_TYPE = 'text/csv; charset=utf-8'

/**
 * A spreadsheet of registrants for people, in their language and with times in the calendar's zone. Programs
 * read the list as JSON.
 */
export function serializeSheet(
  { settings }: BaseContext,
  { registration }: OccasionWithRegistration,
  rows: readonly RegistrantRow[],
  askedLanguage: string | undefined,
): string {
  const { form, registration: words } = textsIn(languageFor(askedLanguage, settings.website.language))
  const questionsOfPeople = rows.flatMap(row => (row.answer === '' ? [] : questionOf(row, registration)))
  // The current question comes first. Even without one, there may be answers to former questions.
  const isAsked = registration.question !== '' || questionsOfPeople.length === 0
  const questions = [...new Set([...(isAsked ? [registration.question] : []), ...questionsOfPeople])]
  const head = [
    words.name,
    words.email,
    words.places,
    words.sheet_state,
    ...questions.map(question => plain(question) || words.sheet_answer),
    words.came,
    words.sheet_created,
  ]
  const lines = rows.map(row => [
    row.name,
    row.email,
    String(row.places),
    row.state === 'confirmed' ? words.sheet_confirmed : words.waitingList,
    ...questions.map(question => (questionOf(row, registration) === question ? row.answer : '')),
    row.came ? form.yes : form.no,
    toWall(row.created_utc, settings.timezone),
  ])
  const separator = csvSeparatorOf(settings.website.language)
  // The byte order mark, without which Excel assumes a Windows encoding.
  return `\uFEFF${[head, ...lines].map(cells => csvRow(cells, separator)).join('')}`
}

export const serializePerson = (row: RegistrantRow): z.output<typeof registrantSchema> => ({
  ...pick(row, 'id', 'name', 'email', 'places', 'answer', 'question', 'state', 'came'),
  created: row.created_utc,
})
