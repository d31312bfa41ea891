import type { SourceWords } from '../../../words/words.ts'
import { type Reasons, wordsFor } from '../../forms/reasons.ts'

/** Why a calendar could not be read, as `src/intake` says it. */
const FAILURES: Reasons<SourceWords> = [
  [/owner may not/, 'whyOwner'],
  [/went wrong here/, 'whyHere'],
  [/is this calendar itself/, 'whyItself'],
  [/private network|internal/, 'whyPrivate'],
  [/robots\.txt|HTTP (?:401|402|403|407|451)\b/, 'whyRefused'],
  [/HTTP (?:404|410)\b/, 'whyGone'],
  [/HTTP (?:408|429|5\d\d)\b/, 'whyTrouble'],
  [/longer than/, 'whyLarge'],
  [/redirect|neither http/, 'whyRedirects'],
  [/no end after|time-?out|timed out|aborted/i, 'whySlow'],
  [
    /no calendar|an iCalendar|is neither|leads to|no response of|no list|says nothing|HTTP \d+|without|not asked/i,
    'whyNoCalendar',
  ],
]

/** Why an event was left alone. */
const SKIPPED: Reasons<SourceWords> = [
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

/** Why a calendar could not be read, for those who have never heard of any of it. */
export const failureIn = (words: SourceWords, message: string): string =>
  wordsFor(FAILURES, words, message) ?? words.whyNoAnswer

/** Why an event was left alone; what there are no words for is told as it is. */
export const skippedIn = (words: SourceWords, why: string): string => wordsFor(SKIPPED, words, why) ?? why
