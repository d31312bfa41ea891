import { leadOf, withArticle } from '../what/sentences.ts'
import type { TextPart } from '../when/parts.ts'
import { type NameMention, WHOLE_SHARE } from '../where/names.ts'
import { BEFORE_OWNER } from '../where/place-words.ts'
import { wordsBefore } from '../words/clauses.ts'
import { significantWords } from '../words/phrases.ts'
import { areInLine, hasAny, isOneOf } from '../words/tokens.ts'
import { anyOf, isKind, setOf, WORDS, type WordSet } from '../words/words.ts'
import type { AnnotatedText } from './annotated-text.ts'

// Who holds an event: a name of the calendar, unless its clause says that it supports the event, plays at it,
// or is the place.

/** The least share of an organizer's name that a text must have: “la Ligue Nature”. */
const MIN_SHARE = 0.5

/**
 * The least share if the text has a single word of the name: “der Musikkapelle” may be that of another
 * village.
 */
const MIN_SHARE_OF_ONE_WORD = 0.6

/**
 * Words before those who support an event, get its proceeds, serve the guests, are guests, or sell tickets.
 */
const NOT_HOLDING = anyOf(WORDS.beforeHelpers, setOf('v vs versus'))

/** The most words before a name that are looked at, as in “música de la”. */
const MAX_TO_PLAYERS = 3

const UNIVERSITY = /^(?:universi|hochschul|fakult|facult)/
/** The organizers that a part names, the surest first. @param title of its event */
export function organizersIn(text: AnnotatedText, [from, to]: TextPart, title = ''): NameMention[] {
  const { tokens, organizers } = text
  // “Organisé par les Amis de l’Orgue”: others play, or help.
  const isHolderNamed = hasAny(tokens.slice(from, to), WORDS.holding)
  return organizers
    .filter(
      one =>
        one.from >= from &&
        one.to <= to &&
        one.share >= (one.to - one.from > 1 ? MIN_SHARE : MIN_SHARE_OF_ONE_WORD) &&
        !one.isTail &&
        (isSaidToHold(text, one) || (!isHolderNamed && !isPlace(text, one))) &&
        !playsOrHelps(text, one, significantWords(title)) &&
        !isOfSpeaker(text, one) &&
        !isOfVenue(text, one),
    )
    .sort((a, b) => b.share - a.share || a.from - b.from)
}

/** The organizer above or below a list whose items name no other one. */
export function sharedOrganizer(text: AnnotatedText): NameMention | undefined {
  const [shared] = text.around.flatMap(part => organizersIn(text, part))
  const others = text.parts.flatMap(part => organizersIn(text, part).slice(0, 1))
  const isOfAll = others.every(
    ({ knownName, share }) => knownName.id === shared?.knownName.id || share < WHOLE_SHARE,
  )
  return isOfAll ? shared : undefined
}

/** True if a word of a set comes before a name in its clause. @param limit the most words to look at */
const hasWordBefore = (text: AnnotatedText, { from }: NameMention, words: WordSet, limit?: number): boolean =>
  wordsBefore(text, from)
    .slice(0, limit)
    .some(word => words.has(word))

/**
 * True if the text says that somebody holds the event: “The run is organised by Saltmere Harriers”, “Le
 * comité des fêtes organise un loto”, “Veranstalter:” in the line above, but not “…, organised by” after a
 * name.
 */
function isSaidToHold(text: AnnotatedText, mention: NameMention): boolean {
  const { tokens } = text
  const { from, to } = mention
  const label = tokens[from - 1]?.folded === ':' ? from - 2 : from - 1
  const isSubject =
    areInLine(tokens, to, from) &&
    isOneOf(tokens[to], WORDS.holding) &&
    !isOneOf(tokens[to + 1], WORDS.byHolders)
  return isSubject || isOneOf(tokens[label], WORDS.holding) || hasWordBefore(text, mention, WORDS.holding)
}

/**
 * True if somebody plays or helps, and the title doesn't have their name, as it has in “Garden Club Plant
 * Sale … Proceeds benefit the Maple Falls Garden Club”.
 */
const playsOrHelps = (text: AnnotatedText, mention: NameMention, titleWords: readonly string[]): boolean =>
  (hasWordBefore(text, mention, NOT_HOLDING) ||
    (hasWordBefore(text, mention, WORDS.playingAtEvents, MAX_TO_PLAYERS) &&
      !hasWordBefore(text, mention, WORDS.holding))) &&
  significantWords(mention.knownName.name).filter(word => titleWords.includes(word)).length < 2

/** True for a place: “in the Scout Den, Canal Walk, Kilkenny”, and not the Canal Walk Neighbours. */
const isPlace = ({ tokens }: AnnotatedText, { from, to, share }: NameMention): boolean =>
  share < WHOLE_SHARE &&
  (WORDS.inOrAt.has(leadOf(tokens, from)) || (tokens[from - 1]?.folded === ',' && tokens[to]?.folded === ','))

/** True if a name is part of the name of a venue, and the text has at least as large a share of that. */
function isOfVenue({ venues }: AnnotatedText, { from, to, share }: NameMention): boolean {
  const venue = venues.find(one => one.from <= from && to <= one.to)
  return venue !== undefined && share <= venue.share
}

/**
 * True if a university is only where a speaker teaches: “Professor Ada Ridge of Ridding University”, but not
 * “concert de l’université”.
 */
function isOfSpeaker({ tokens }: AnnotatedText, { from, to, knownName }: NameMention): boolean {
  const isUniversity = tokens.slice(from, to).some(({ folded }) => UNIVERSITY.test(folded))
  if (!isUniversity || /popul/i.test(knownName.name)) return false
  const lead = leadOf(tokens, from)
  const at = withArticle(tokens, from) - 1
  const isAt = WORDS.inOrAt.has(lead) || lead === 'a' || lead === 'an'
  return (
    isAt ||
    (BEFORE_OWNER.has(lead) && !tokens.slice(Math.max(0, at - 2), at).some(({ folded }) => isKind(folded)))
  )
}
