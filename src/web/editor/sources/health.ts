import { type SourceRow, saidIn } from '../../../resources/sources/queries.ts'
import { type Catalogue, filled } from '../../../words/words.ts'
import type { Html } from '../../html/html.ts'
import { plain } from '../../html/text.ts'
import { type Admin, shortMomentOf } from '../admin.ts'
import { stateLabel } from '../services.ts'
import type { ListedRun, ListedSource } from './queries.ts'

/** Patterns of messages of intake, with the keys of texts that people read instead. */
type Reasons = readonly (readonly [reason: RegExp, word: keyof Catalogue['source']])[]

const wordsFor = (reasons: Reasons, words: Catalogue['source'], text: string): string | undefined => {
  const [, word] = reasons.find(([pattern]) => pattern.test(text)) ?? []
  return word && words[word]
}

/** The reasons why a source could not be read, by the messages of `src/intake`. */
const FAILURES: Reasons = [
  [/owner may not/, 'whyOwner'],
  [/went wrong here|no room for it/, 'whyHere'],
  [/is this calendar itself/, 'whyItself'],
  [/private network|internal/, 'whyPrivate'],
  [/robots\.txt|HTTP (?:401|402|403|407|451)\b/, 'whyRefused'],
  [/HTTP (?:404|410)\b/, 'whyGone'],
  [/HTTP (?:408|429|5\d\d)\b/, 'whyTrouble'],
  [/longer than|more events than can be kept/, 'whyLarge'],
  [/redirect|neither http|have the port/, 'whyRedirects'],
  [/no end after|time-?out|timed out|aborted/i, 'whySlow'],
  [
    /no calendar|an iCalendar|is neither|leads to|no response of|no list|says nothing|HTTP \d+|without|not asked/i,
    'whyNoCalendar',
  ],
]

/** The reasons why an event was skipped. */
const SKIPPED: Reasons = [
  [/^the database refused/, 'whyHere'],
  [/rest is not read|nests deeper|robots\.txt/, 'whyNotAll'],
  [/^its JSON-LD is|: HTTP \d+|longer than|aborted|which is not read/, 'whyPage'],
  [/more than \d+/, 'whyTooMuch'],
  [/its series (?:is|was)/, 'whySeries'],
  [/edited here/, 'whyEdited'],
  [/breaks off/, 'whyBroken'],
  [/deleted here/, 'whyDeleted'],
  [/dates are left out|does not occur|matches no date/, 'whyNoDates'],
  [/no date or time|no date of ISO|end cannot be read/, 'whyNoSuchDate'],
  [/end.*before/, 'whyEnds'],
  [/no DTSTART|no start/, 'whyNoStart'],
  [/no name|no title/, 'whyNoName'],
  [/zone/, 'whyZone'],
  [/rule|occurs|RRULE|RECURRENCE|RDATE/i, 'whyRule'],
]

/** The reason why a source could not be read, in words for laypeople. */
export const failureIn = (words: Catalogue['source'], message: string): string =>
  wordsFor(FAILURES, words, message) ?? words.whyNoAnswer

/** The reason why an event was skipped; the message itself if there are no words for it. */
export const skippedIn = (words: Catalogue['source'], why: string): string =>
  wordsFor(SKIPPED, words, why) ?? why

export const sourceName = ({ name }: Pick<SourceRow, 'name'>): string => plain(name)

/** The key of the word for a source's state. */
function stateOf({ source: { state, every, next_run_utc }, run }: ListedSource): keyof Catalogue['source'] {
  if (state !== 'new' && state !== 'ok') return state
  if (run?.state === 'running') return 'running'
  return state === 'new' && every === '' && next_run_utc === null ? 'byHand' : state
}

/** The state of a source as a label. */
export function stateBadge({ texts }: Admin, listed: ListedSource): Html {
  const { state } = listed.source
  const isBad = state === 'failing' || state === 'asking'
  return stateLabel(texts.source[stateOf(listed)], isBad)
}

const COUNTS = ['created', 'updated', 'trashed', 'joined', 'asked', 'unchanged'] as const

/** The results of a run, in words. */
export function doneIn(
  { texts, site: { dates } }: Admin,
  run: Pick<ListedRun, (typeof COUNTS)[number] | 'skippedCount'>,
): string {
  const words = texts.source
  const counts = [...COUNTS.map(name => [name, run[name]] as const), ['skipped', run.skippedCount] as const]
  const said = counts.filter(([, n]) => n > 0).map(([name, n]) => filled(words[name], { n: dates.number(n) }))
  return said.join(', ') || words.nothing
}

/** The outcome of a run. */
export function runText(admin: Admin, run: ListedRun): string {
  const words = admin.texts.source
  if (run.state === 'failed') return failureIn(words, run.message)
  const { asks, isIncomplete } = saidIn(run.message)
  if (asks) return words.halfGone
  return isIncomplete ? `${doneIn(admin, run)}. ${words.notWhole}` : doneIn(admin, run)
}

/** The time of the next run. */
export function nextTimeOf(admin: Admin, { state, next_run_utc }: SourceRow): string {
  const words = admin.texts.source
  if (state === 'paused') return words.paused
  if (state === 'asking') return words.whileAsking
  if (next_run_utc === null) return words.onlyByHand
  return next_run_utc <= admin.context.now ? words.soon : shortMomentOf(admin, next_run_utc)
}

const EVERY: Readonly<Record<SourceRow['every'], keyof Catalogue['source']>> = {
  hour: 'everyHour',
  '6 hours': 'every6Hours',
  day: 'everyDay',
  week: 'everyWeek',
  '': 'onDemand',
}

/** The interval between runs, in words. */
export const everyOf = (words: Catalogue['source'], { every }: SourceRow): string => words[EVERY[every]]
