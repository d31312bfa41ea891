import { STARTS_LOWERCASE } from './phrases.ts'
import { isOneOf, type MarkedText, type Token } from './tokens.ts'
import { anyOf, isKind, isPlaceWord, MONTHS, SITES, setOf, WORDS } from './words.ts'

// Websites list events in blocks without empty lines between them: a line that is only a day and its time,
// the title below or above it, and lines with the place and the price.

/** Words that may stand beside a day and a time in their line. */
const BESIDE_MOMENTS = anyOf(WORDS.small, WORDS.labelsOfMoments, setOf('h'))

/** Words at the beginning of a line below the title. */
const DETAIL_WORDS = anyOf(WORDS.admission, WORDS.free, WORDS.collected, WORDS.detailsOfListings)

const AMOUNT = /[€£$]|\d/

/** The lines of a part: the indexes of their first tokens, and the index after the last token. */
type Lines = MarkedText & { starts: readonly number[]; end: number }

/**
 * Where the blocks of a listing begin; none if a text has fewer than two.
 *
 * @param days the days, all of which are to be in a block
 */
export function blocksOfListing(
  { tokens, isTaken, starts, end }: Lines,
  days: readonly { from: number }[],
): number[] {
  const lines = starts.map((from, i) => tokens.slice(from, starts[i + 1] ?? end))
  const isMoment = lines.map((line, i) => {
    const from = starts[i] ?? 0
    return (
      line.some((_, n) => isTaken(from + n)) &&
      line.every(({ kind, folded }, n) => kind === 'sign' || isTaken(from + n) || BESIDE_MOMENTS.has(folded))
    )
  })
  const isInRun = ({ from }: { from: number }, [first, after]: Run): boolean =>
    from >= (starts[first] ?? 0) && from < (starts[after] ?? end)
  const runs = runsOf(isMoment).filter(run => days.some(day => isInRun(day, run)))
  if (runs.length < 2 || !days.every(day => runs.some(run => isInRun(day, run)))) return []
  const linesBelow = runs.map(([, after], i) => (runs[i + 1]?.[0] ?? lines.length) - after)
  if (isTour(lines, runs, linesBelow)) return []
  const isAbove = isTitleAbove(lines, runs, linesBelow)
  const titles = runs.map(([first, after]) => (isAbove ? first - 1 : after))
  // The points of a programme and the lines of a letter are no listing.
  if (titles.some(at => isTaken(starts[at] ?? 0) || !beginsTitle(lines[at]))) return []
  if (!isAbove && !areApart(lines, runs, linesBelow)) return []
  return runs.map(([first]) => starts[isAbove ? first - 1 : first] ?? 0)
}

/** The lines of a moment: the index of the first one, and the index after the last one. */
type Run = readonly [first: number, after: number]

/** The runs of lines that say one moment. A day may take some lines: “13”, “Feb”, “20:00”. */
function runsOf(isMoment: readonly boolean[]): Run[] {
  const runs: Run[] = []
  for (let i = 0; i < isMoment.length; i++) {
    if (!isMoment[i]) continue
    const first = i
    while (isMoment[i + 1]) i++
    runs.push([first, i + 1])
  }
  return runs
}

const beginsTitle = (line: readonly Token[] = []): boolean =>
  line.length > 0 && !STARTS_LOWERCASE().test(line[0]?.text ?? '') && line.at(-1)?.folded !== ','

/**
 * True if blocks with the day above are events of their own, rather than dates of the one event that a line
 * above them names, each with a note: “Premiere”.
 */
function areApart(lines: readonly Token[][], runs: readonly Run[], below: readonly number[]): boolean {
  const [[top] = [0]] = runs
  return top === 0 || hasHeading(lines, top) || below.every(count => count > 1)
}

/** True if a list has a heading: “Programme”, “Concerts in March”. */
const hasHeading = (lines: readonly Token[][], top: number): boolean =>
  lines
    .slice(0, top)
    .some(line => line.some(({ folded }) => WORDS.headingsOfListings.has(folded) || MONTHS.has(folded)))

/** True if a line says the place or the price. */
function isDetail(line: readonly Token[] = []): boolean {
  const last = line.findLast(({ kind }) => kind === 'word')?.folded ?? ''
  return (
    isOneOf(line[0], DETAIL_WORDS) ||
    (SITES.has(last) && !isKind(last)) ||
    line.some(({ text, folded }) => AMOUNT.test(text) || isPlaceWord(folded))
  )
}

/** True if one line stands below each day, which is its place: the title of the tour stands above. */
const isTour = (lines: readonly Token[][], runs: readonly Run[], below: readonly number[]): boolean =>
  below.every(count => count === 1) && runs.every(([, after]) => isDetail(lines[after]))

/**
 * True if titles stand above their days. Otherwise what stands above a day belongs to the block before it.
 *
 * @param below the number of lines below each day
 */
function isTitleAbove(lines: readonly Token[][], runs: readonly Run[], below: readonly number[]): boolean {
  const [[top] = [0]] = runs
  if (top === 0) return false
  const [others, last] = [below.slice(0, -1), below.at(-1) ?? 0]
  if (last > 0 && others.some(count => count < 2)) return false
  const detailsBelow = runs.filter(([, after]) => isDetail(lines[after])).length
  const detailsAbove = runs.slice(1).filter(([first]) => isDetail(lines[first - 1])).length
  if (last > 0 && detailsBelow !== detailsAbove) return detailsBelow > detailsAbove
  return !hasHeading(lines, top) || others.every(count => count === last + 1)
}
