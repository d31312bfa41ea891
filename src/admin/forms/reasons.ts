import { filled } from '../../lib/words.ts'
import type { FormWords } from '../words/forms.ts'

/** Reasons of the API, which are English and for those who write programs, with the words that forms have for them. */
const REASONS: readonly (readonly [reason: RegExp, word: keyof FormWords])[] = [
  [/^must not be empty|^Missing/, 'missing'],
  [/^must be a date/, 'noDate'],
  [/must not be before the start/, 'endsEarly'],
  [/^must be an e-mail address/, 'noEmail'],
  [/^must be an http or https address/, 'noUrl'],
  [/must be at most (?<n>\d+) characters/, 'tooLong'],
  [/^must be a time zone/, 'noZone'],
  [/^must be a number from (?<from>\S+) to (?<to>\S+)/, 'noNumber'],
  [/^must be an image|^this (?:is|has)|Images are/, 'noImage'],
  [/ has this | is not free|is taken/, 'taken'],
  [/^there is no /, 'unknown'],
  [/^COUNT: /, 'ruleCount'],
  [/^UNTIL: /, 'ruleUntil'],
  [/^INTERVAL: /, 'ruleInterval'],
  [/never gives a date/, 'ruleNever'],
  [/gives more than (?<n>\d+) dates/, 'ruleMany'],
  [/leaves? out every date|must not leave out the event itself/, 'ruleNone'],
  [/takes too long to work out/, 'ruleCostly'],
  [/^needs dates in rdate/, 'ruleDates'],
  [/^the rule names its /, 'ruleFixed'],
]

/** Why a value was refused, in the language of the page where there are words for it. */
export function reasonIn(words: FormWords, reason: string): string {
  for (const [pattern, word] of REASONS) {
    const match = pattern.exec(reason)
    if (match) return filled(words[word], { ...match.groups })
  }
  // A reason reads on from the name of its parameter.
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}
