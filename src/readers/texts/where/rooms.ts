import { lazyPattern } from '../../../kit/lib/pattern.ts'
import type { Span } from '../words/plain.ts'
import { WORDS } from '../words/words.ts'

// In which room of a venue something takes place: only what stands right beside the name of the venue counts,
// and has the form of a room.

/** A room of the venue, as a text names it. */
type RoomMention = { room: string; span: Span }

/** What leads to a room. */
const ARTICLE = /^(?:im|in der|in den|in|in the|dans la|dans le|au|en la|en el|en|the)\s/i

/** A word for a room with a number or a letter, a kind of room, or a word that stands for one room alone. */
const ROOMS: readonly RegExp[] = [
  /^(?:room|raum|saal|zimmer|studio|stage|bühne|hall|halle|sala|salle|aula)\s(?:no\.?\s?|nr\.?\s?|n°\s?)?(?:\d{1,3}[a-z]?|[A-H]|I{1,3}|IV|V)$/i,
  /^(?:main|small|large|great|upper|lower|back|side|function|meeting|committee|blue|red|green|old|new)\s(?:room|hall|stage|studio)$/i,
  /^(?:sala|salle|salón)\s(?:grande|pequeña|mayor|menor|principal|petite|bleue|rouge|verte|azul|roja|verde)$/i,
  /^(?:grande|petite)\ssalle$/i,
  /^(?:foyer|auditorium|auditorio|mehrzweckraum|sitzungssaal|festsaal|vestíbulo)$/i,
]

/** An adjective and a word for a room in German: “Großer Sitzungssaal”. */
const GERMAN_ROOM = lazyPattern(
  String.raw`^(?:gro(?:ß|ss)|klein|ober|unter|blau|rot|grün|golden|weiß|alt|neu)e[rn]\s\p{L}{0,12}(?:saal|raum)$`,
  'iu',
)

const isRoom = (text: string): boolean =>
  ROOMS.some(pattern => pattern.test(text)) || GERMAN_ROOM().test(text)

const DECLINED_ADJECTIVE = lazyPattern(String.raw`^(\p{L}+e)n(?=\s\p{L}*(?:saal|raum)$)`, 'iu')

/** The name of a room in the nominative, as nothing leads to it: “im Kleinen Saal” is in the Kleiner Saal. */
const inNominative = (text: string): string => text.replace(DECLINED_ADJECTIVE(), '$1r')

/** The longest passage before or after a venue in which its room may stand. */
const MAX_TO_ROOM = 60

/**
 * The room of a venue: right before its name (“im Kleinen Saal des Theaters”), or between commas, brackets or
 * line breaks beside it. Words such as “hall” are names of venues as often as of rooms, so anything further
 * away is left out.
 */
export function roomIn(text: string, [from, to]: Span, venue: Span): RoomMention | undefined {
  const begin = Math.max(from, venue[0] - MAX_TO_ROOM)
  const before = text.slice(begin, venue[0])
  const roomBeforeName = roomBefore(before, begin)
  if (roomBeforeName) return roomBeforeName
  const [previous] = passagesBeside(before, begin).slice(-2, -1)
  const next = passagesBeside(text.slice(venue[1], Math.min(to, venue[1] + MAX_TO_ROOM)), venue[1]).slice(
    1,
    3,
  )
  return [...next, ...(previous ? [previous] : [])].find(({ room }) => isRoom(room))
}

/**
 * The room at the end of a text, before the words that lead from it to the venue. @param at the offset of the
 * text
 */
function roomBefore(text: string, at: number): RoomMention | undefined {
  const words = text.split(/(?<=\s)/)
  while (WORDS.betweenRoomAndVenue.has(words.at(-1)?.trim().toLowerCase() ?? '')) words.pop()
  if (words.join('').length === text.length) return undefined
  for (const n of [2, 1]) {
    const room = words.slice(-n).join('').trim()
    const end = words.join('').trimEnd().length
    if (isRoom(room)) return { room: inNominative(room), span: [at + end - room.length, at + end] }
  }
  return undefined
}

/** The passages of a text between marks, each without its article. @param at the offset of the text */
function passagesBeside(text: string, at: number): RoomMention[] {
  let start = 0
  return text.split(/([,;()•·|\n]|\s[-–—]\s)/).flatMap((piece, i) => {
    const from = start
    start += piece.length
    if (i % 2 === 1) return []
    const lead = piece.length - piece.trimStart().length
    const trimmed = piece.trim().replace(/[.:]$/, '')
    const bare = trimmed.replace(ARTICLE, '')
    const begin = at + from + lead + trimmed.length - bare.length
    return { room: inNominative(bare), span: [begin, begin + bare.length] }
  })
}
