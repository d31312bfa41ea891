import { type SQL, sql } from 'drizzle-orm'
import type { BaseContext } from '../../../kit/context.ts'
import { unionAll } from '../../../kit/db/columns.ts'
import {
  combineQueries,
  eachOf,
  literal,
  many,
  type Query,
  readText,
  resolvedQuery,
} from '../../../kit/db/query.ts'
import { events, organizers, series, terms, venues } from '../../../kit/db/tables.ts'
import { editsBetween } from '../../../kit/lib/likeness.ts'
import { lazyPattern } from '../../../kit/lib/pattern.ts'
import { may } from '../../../kit/lib/roles.ts'
import { decodeEntities, fold } from '../../../kit/lib/text.ts'
import { startOfDay } from '../../../kit/lib/time.ts'
import { inNameOrAddressSql, MIN_INDEXED_LENGTH, quotedPhrase } from '../../content/search.ts'
import { overlappingRows, readableSql } from '../../content/visibility.ts'
import { termPublicSql } from '../../terms/queries.ts'
import { eventIdInKey, eventTextKey } from '../search.ts'

// Words with wrong letters. If a search has found nothing, words that occur nowhere are compared with the
// words of titles and names. A wrong letter leaves parts of a word intact, so the text indexes find texts
// with one of these parts; each part has a limit of its own, so that a frequent part doesn't crowd out a rare
// part.

/** The most words of a query that are replaced. A sentence is not a misspelled name. */
const MAX_WORDS = 4

/** The shortest word that is replaced: shorter words are one letter away from anything. */
const MIN_WORD_LENGTH = 4

/**
 * The longest word that is replaced. Comparing words takes time that grows with the square of their length.
 */
const MAX_WORD_LENGTH = 60

/**
 * The characters of a title or name whose words are compared: a title may have 2,000, and hundreds of titles
 * are read.
 */
const MAX_TEXT_LENGTH = 300

/** The most texts that are read, shared among the parts of words. */
const MAX_TEXTS = { events: 450, series: 80, places: 60, terms: 200, ongoing: 100 } as const

/** All that is neither a letter with its marks nor a digit. */
const BETWEEN_LETTERS = lazyPattern(String.raw`[^\p{L}\p{M}\p{N}]+`, 'gu')

/** The letters and digits of a text, folded: “Kultur-Haus” and “kulturhaus” become the same. */
const lettersOf = (text: string): string => fold(text).replace(BETWEEN_LETTERS(), '')

/** A word of a query as it was typed, folded as the indexes have it, and its letters. */
type Word = { text: string; folded: string; letters: string }

const queryWords = (query: string): Word[] =>
  query.split(/\s+/).flatMap(typed => {
    const folded = fold(typed)
    return folded === '' ? [] : [{ text: typed, folded, letters: lettersOf(typed) }]
  })

/**
 * Sets of parts of a word. Texts with the right spelling have all parts of at least one set. A wrong letter,
 * or two swapped letters, leave the beginning or the end of a word intact, because these don't touch. Of the
 * three thirds of a long word, they leave two intact, which few texts have. A text that has the word without
 * its last letter has either its beginning, or its end without that letter.
 */
function wordPieces(letters: string): string[][] {
  const characters = [...letters]
  const half = Math.max(MIN_INDEXED_LENGTH, Math.floor((characters.length - 1) / 2))
  const ends = [characters.slice(0, half), characters.slice(-half), characters.slice(-half - 1, -1)].map(
    end => [end.join('')],
  )
  if (characters.length < 3 * MIN_INDEXED_LENGTH) return ends
  const third = Math.floor(characters.length / 3)
  const thirds = [characters.slice(0, third), characters.slice(third, 2 * third), characters.slice(-third)]
  const parts = thirds.map(part => part.join(''))
  return [...ends, ...parts.map((_, left) => parts.toSpliced(left, 1))]
}

/** The edits after which a word of so many letters still counts as the same word. */
const maxEditsFor = (length: number): number =>
  length < MIN_WORD_LENGTH ? 0 : Math.min(3, Math.floor(length / 4))

/**
 * The findings about the words of a query that found nothing: words that occur somewhere, and texts with
 * words like the others.
 */
type Findings = { knownWords: ReadonlySet<string>; texts: readonly string[] }

/**
 * A query for another spelling of a query that found nothing; undefined if a search finds each word on its
 * own, or if there is no similar word. It only uses events and names that the caller may read.
 */
export function selectSimilarQuery(context: BaseContext, query: string): Query<string | undefined> {
  const words = queryWords(query)
  const longWords = words.filter(({ letters }) => letters.length >= MIN_WORD_LENGTH)
  const isTooLong =
    words.length > MAX_WORDS || longWords.some(({ letters }) => letters.length > MAX_WORD_LENGTH)
  if (longWords.length === 0 || isTooLong) return resolvedQuery(undefined)
  const parts = longWords.flatMap(({ letters }) => wordPieces(letters))
  return combineQueries(
    {
      known: many(
        sql`SELECT word.value AS word FROM ${eachOf(words.map(({ folded }) => folded))} AS word
        WHERE ${knownSql(context, sql`word.value`)}`,
        ({ word }) => readText(word),
      ),
      texts: many(
        sql`SELECT substr(text, 1, ${literal(MAX_TEXT_LENGTH)}) AS text FROM (${unionAll(similarTexts(context, parts))})`,
        row => readText(row.text),
      ),
    },
    ({ known, texts }) =>
      respelledQuery(words, { knownWords: new Set(known), texts: texts.map(decodeEntities) }),
  )
}

/**
 * A MATCH expression for a phrase in the texts of events that the caller may read; editors also read unlisted
 * ones.
 */
const inEvents = ({ caller }: BaseContext, phrase: SQL): SQL =>
  may(caller, 'edit_content') ? phrase : sql`'listed : (' || ${phrase} || ')'`

const phraseOf = (word: SQL): SQL => sql`'"' || replace(${word}, '"', '""') || '"'`

/** The FROM clause of the latest terms. Names of terms have no index. */
const LATEST_TERMS = sql`(SELECT * FROM ${terms} ORDER BY id DESC LIMIT ${literal(MAX_TEXTS.terms)}) AS terms`

/**
 * A condition for a folded word that a text or a name has, whenever the event is. Words of a letter or two
 * have no index.
 */
function knownSql(context: BaseContext, word: SQL): SQL {
  const phrase = phraseOf(word)
  const anywhere = [
    sql`SELECT 1 FROM events_search CROSS JOIN ${events} ON ${events.id} = ${eventIdInKey}
      WHERE events_search MATCH ${inEvents(context, phrase)} AND ${readableSql(events, context)} LIMIT 1`,
    sql`SELECT 1 FROM series_search CROSS JOIN ${events} INDEXED BY events_occurrence ON ${events.series_id} = series_search.rowid
      WHERE series_search MATCH ${phrase} AND ${readableSql(events, context)} LIMIT 1`,
    sql`SELECT 1 FROM venues_search CROSS JOIN ${venues} ON ${venues.id} = venues_search.rowid
      WHERE venues_search MATCH ${phrase} AND ${inNameOrAddressSql(sql`search_text`, word)} AND ${readableSql(venues, context)} LIMIT 1`,
    sql`SELECT 1 FROM organizers_search CROSS JOIN ${organizers} ON ${organizers.id} = organizers_search.rowid
      WHERE organizers_search MATCH ${phrase} AND ${inNameOrAddressSql(sql`search_text`, word)}
        AND ${readableSql(organizers, context)} LIMIT 1`,
    sql`SELECT 1 FROM ${LATEST_TERMS} WHERE instr(${terms.sort_name}, ${word}) > 0 AND ${termPublicSql} LIMIT 1`,
  ].map(select => sql`EXISTS (SELECT 1 FROM (${select}))`)
  return sql`(length(${word}) < ${literal(MIN_INDEXED_LENGTH)} OR ${sql.join(anywhere, sql` OR `)})`
}

/**
 * SELECTs of titles and names that have one of some parts of words, as `text`: the next events first, the
 * newest names first.
 */
function similarTexts(context: BaseContext, parts: readonly (readonly string[])[]): SQL[] {
  const phrases = eachOf(parts.map(words => words.map(quotedPhrase).join(' AND ')))
  const part = sql`part.value`
  /** The texts that a SELECT finds for each part, with the same limit for each. */
  const textsForEachPart = (select: SQL, limit: number): SQL =>
    sql`SELECT found.value AS text FROM ${phrases} AS part CROSS JOIN json_each((
      SELECT json_group_array(text) FROM (${select} LIMIT ${literal(Math.ceil(limit / parts.length))}))) AS found`
  const today = startOfDay(context.clock.untrackedTime)
  const isEditor = may(context.caller, 'edit_content')
  // Editors also look for past events.
  const bounds = isEditor
    ? sql`AND ${readableSql(events, context)} ORDER BY events_search.rowid DESC`
    : sql`AND events_search.rowid >= ${eventTextKey(sql`${today}`, sql`0`)} ORDER BY events_search.rowid`
  const nameTexts = (table: typeof venues | typeof organizers, index: SQL, text: SQL) =>
    textsForEachPart(
      sql`SELECT ${text} AS text FROM ${index} CROSS JOIN ${table} ON ${table.id} = ${index}.rowid
        WHERE ${index} MATCH ${part} AND ${readableSql(table, context)} ORDER BY ${index}.rowid DESC`,
      MAX_TEXTS.places,
    )
  return [
    textsForEachPart(
      sql`SELECT ${events.title} AS text FROM events_search CROSS JOIN ${events} ON ${events.id} = ${eventIdInKey}
        WHERE events_search MATCH ${inEvents(context, part)} ${bounds}`,
      MAX_TEXTS.events,
    ),
    textsForEachPart(
      sql`SELECT ${series.title} AS text FROM series_search CROSS JOIN ${series} ON ${series.id} = series_search.rowid
        WHERE series_search MATCH ${part} AND EXISTS (SELECT 1 FROM ${events} INDEXED BY events_occurrence
          WHERE ${events.series_id} = ${series.id} AND ${readableSql(events, context)})
        ORDER BY series_search.rowid DESC`,
      MAX_TEXTS.series,
    ),
    nameTexts(venues, sql.raw('venues_search'), sql`${venues.name} || ' ' || ${venues.city}`),
    nameTexts(organizers, sql.raw('organizers_search'), sql`${organizers.name}`),
    sql`SELECT name AS text FROM ${LATEST_TERMS}
      WHERE ${termPublicSql} AND EXISTS (SELECT 1
      FROM ${eachOf(parts.flatMap(([word, ...more]) => (more.length === 0 ? [word] : [])))} AS part WHERE instr(terms.sort_name, part.value) > 0)`,
    // Events that are on may have begun before today.
    sql`SELECT ${events.title} AS text
      FROM (SELECT event_id FROM ${overlappingRows({ startBefore: today, endFrom: today })}
      LIMIT ${literal(MAX_TEXTS.ongoing)}) AS begun
      CROSS JOIN ${events} ON ${events.id} = begun.event_id`,
  ]
}

/** A word, or two in a row, of a title or name, and how many words of the query its text has. */
type Candidate = { text: string; letters: string; times: number; wordCount: number }

/**
 * The query with other words in place of words that occur nowhere; undefined if there are none, or no similar
 * word.
 */
function respelledQuery(words: readonly Word[], { knownWords, texts }: Findings): string | undefined {
  const isUnknown = ({ folded }: Word): boolean => !knownWords.has(folded)
  if (!words.some(isUnknown)) return undefined
  const candidates = candidatesIn(texts, words)
  const replaced = words.map(word =>
    isUnknown(word) ? withCaseOf(word, nearestWord(word.letters, candidates)) : word.text,
  )
  return replaced.includes(undefined) ? undefined : replaced.join(' ')
}

/** Another spelling of a word: without capitals if the word was typed without any. */
const withCaseOf = ({ text }: Word, spelling: string | undefined): string | undefined =>
  text === text.toLowerCase() ? spelling?.toLowerCase() : spelling

function candidatesIn(texts: readonly string[], words: readonly Word[]): Candidate[] {
  const candidates = new Map<string, Candidate>()
  for (const text of texts) {
    const wholeLetters = lettersOf(text)
    const wordCount = words.filter(({ letters }) => wholeLetters.includes(letters)).length
    const add = (word: string): void => {
      const letters = lettersOf(word)
      if (letters.length < MIN_WORD_LENGTH - 1) return
      const { times = 0, wordCount: before = 0, ...known } = candidates.get(letters) ?? {}
      candidates.set(letters, {
        text: word,
        letters,
        ...known,
        times: times + 1,
        wordCount: Math.max(before, wordCount),
      })
    }
    const tokens = text.split(/\s+/).map(trimmedWord).filter(Boolean)
    for (const [i, token] of tokens.entries()) {
      const inner = token.split(BETWEEN_LETTERS())
      for (const word of inner.length > 1 ? [token, ...inner] : inner) add(word)
      const next = tokens[i + 1]
      if (next) add(`${token} ${next}`)
    }
  }
  return [...candidates.values()]
}

const SIGNS_AROUND = lazyPattern(
  String.raw`^[^\p{L}\p{N}]+|(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$`,
  'gu',
)

const trimmedWord = (text: string): string => text.replace(SIGNS_AROUND(), '')

/**
 * The candidate that is written most like a word: with the fewest edits, then from a text with more words of
 * the query, then the more frequent one.
 */
function nearestWord(word: string, candidates: readonly Candidate[]): string | undefined {
  let best: { candidate: Candidate; text: string; edits: number } | undefined
  for (const candidate of candidates) {
    const match = compareWord(word, candidate)
    if (!match) continue
    const isBetter =
      !best ||
      match.edits < best.edits ||
      (match.edits === best.edits &&
        (candidate.wordCount > best.candidate.wordCount ||
          (candidate.wordCount === best.candidate.wordCount && candidate.times > best.candidate.times)))
    if (isBetter) best = { candidate, ...match }
  }
  return best && withoutEnding(best.text, candidates)
}

/** The most letters of an ending, such as the ending of a plural. */
const MAX_ENDING_LENGTH = 2

/**
 * The same word without its ending, if the calendar has the shorter word, too. A search finds texts that
 * contain a word anywhere, so “fiddle” finds both “Weekend of Fiddles” and “Fiddle from Scratch”, while
 * “fiddles” finds only the first.
 */
function withoutEnding(word: string, candidates: readonly Candidate[]): string {
  const letters = lettersOf(word)
  const shortest = Math.max(MIN_WORD_LENGTH, letters.length - MAX_ENDING_LENGTH)
  const stems = candidates.filter(
    other =>
      other.letters.length >= shortest &&
      other.letters.length < letters.length &&
      letters.startsWith(other.letters),
  )
  return stems.reduce((least, { text: stem }) => (stem.length < least.length ? stem : least), word)
}

/**
 * The shortest word that is compared with the beginning of a longer word: “Weinacht” of “Weihnachtsmarkt”.
 */
const MIN_BEGINNING_LENGTH = 6

/**
 * The edits that are added for the beginning of a compound, and for two words with other letters: a whole
 * word is likelier.
 */
const EXTRA_EDITS = 0.5

/** The edits between a word and a candidate, and the intended spelling; undefined if they are not alike. */
function compareWord(
  word: string,
  { text, letters }: Candidate,
): { text: string; edits: number } | undefined {
  const maxEdits = maxEditsFor(word.length)
  const isAlike = (other: string): boolean => word.length >= MIN_BEGINNING_LENGTH || other[0] === word[0]
  if (!isAlike(letters)) return undefined
  const edits = editsBetween(word, letters, maxEdits)
  if (edits !== undefined)
    return { text, edits: edits > 0 && text.includes(' ') ? edits + EXTRA_EDITS : edits }
  if (word.length < MIN_BEGINNING_LENGTH || letters.length < word.length + 2) return undefined
  let best: { text: string; edits: number } | undefined
  for (let length = word.length - 1; length <= word.length + 1; length++) {
    const beginning = letters.slice(0, length)
    const editsOfStart = editsBetween(word, beginning, maxEdits)
    if (editsOfStart === undefined) continue
    // Of “worksh”, “worksho” and “workshop”, “workshp” most likely means the one with the same last letter.
    const likely = editsOfStart + EXTRA_EDITS + (beginning.at(-1) === word.at(-1) ? 0 : EXTRA_EDITS / 2)
    if (!best || likely < best.edits) best = { text: beginningOf(text, length), edits: likely }
  }
  return best
}

/** The beginning of a text with so many letters after folding. */
function beginningOf(text: string, length: number): string {
  const characters = [...text]
  const count = characters.findIndex(
    (_, i) => lettersOf(characters.slice(0, i + 1).join('')).length >= length,
  )
  return characters.slice(0, count < 0 ? characters.length : count + 1).join('')
}
