// Writes src/kit/lib/zone-letters.json from compiled zone files (TZif, RFC 9636) that list their transitions
// up to 2037, as those of Debian's package tzdata do. Its version is named in src/kit/lib/zones.ts:
//   node test/generators/zone-letters.ts /usr/share/zoneinfo > src/kit/lib/zone-letters.json
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalZone } from '../../src/kit/lib/zones.ts'

const [folder = '/usr/share/zoneinfo'] = process.argv.slice(2)
const FIRST = Date.UTC(1990, 0, 1) / 1000
const LAST = Date.UTC(2038, 0, 1) / 1000

/** Links of the database since 2024b, for which Debian still compiles rules of their own. */
const LINKS: Readonly<Record<string, string>> = { MET: 'Europe/Brussels', WET: 'Europe/Lisbon' }

/** From an instant (Unix seconds) on, a zone has this offset (seconds east of UTC) and these letters. */
type Period = { since: number; offset: number; letters: string }

/**
 * The periods of a compiled zone file, the first of which has no beginning; undefined if it is no such file.
 */
function periodsOf(file: Buffer): Period[] | undefined {
  if (file.toString('latin1', 0, 4) !== 'TZif') return undefined
  const counts = (at: number) => [0, 1, 2, 3, 4, 5].map(i => file.readUInt32BE(at + 20 + 4 * i))
  const [isUt = 0, isStd = 0, leaps = 0, times = 0, types = 0, chars = 0] = counts(0)
  // The first block has 32-bit times; the second, with 64-bit times, begins with a header of its own.
  const second = 44 + times * 5 + types * 6 + chars + leaps * 8 + isStd + isUt
  const [, , , count = 0, typeCount = 0, charCount = 0] = counts(second)
  const timesAt = second + 44
  const typesAt = timesAt + count * 9
  const charsAt = typesAt + typeCount * 6
  const names = file.toString('latin1', charsAt, charsAt + charCount)
  const period = (since: number, type: number): Period => {
    const at = typesAt + type * 6
    const start = file.readUInt8(at + 5)
    return { since, offset: file.readInt32BE(at), letters: names.slice(start, names.indexOf('\0', start)) }
  }
  const transitions = Array.from({ length: count }, (_, i) =>
    period(Number(file.readBigInt64BE(timesAt + 8 * i)), file.readUInt8(timesAt + 8 * count + i)),
  )
  return [period(Number.NEGATIVE_INFINITY, 0), ...transitions]
}

/** `2016-09-06T21:00`, or the day alone at midnight. */
const instant = (since: number) => new Date(since * 1000).toISOString().slice(0, 16).replace('T00:00', '')

/** The notation that src/kit/lib/zones.ts describes; empty for a zone that never had letters. */
function patternOf(periods: readonly Period[]): string {
  const known = new Map<number, string>()
  let pattern = ''
  let begun = Number.NEGATIVE_INFINITY
  const atFirst = periods.findLast(({ since }) => since <= FIRST)
  const later = periods.filter(({ since }) => since > FIRST && since < LAST)
  for (const { since, offset, letters } of atFirst ? [atFirst, ...later] : later) {
    const written = /^[A-Za-z]+$/.test(letters) ? letters : '='
    const before = known.get(offset)
    known.set(offset, written)
    if (before === written || (before === undefined && written === '=')) continue
    if (before !== undefined && since !== begun) {
      pattern += `<${instant(since)}>`
      begun = since
    }
    pattern += `${written}${offset / 3600}`
  }
  return pattern
}

/** Names of zones that share an area: `Asia/Gaza,Hebron`; those without an area come first. */
function grouped(names: readonly string[]): string[] {
  const areas = new Map<string, string[]>()
  for (const name of names.toSorted()) {
    const area = name.slice(0, name.lastIndexOf('/') + 1)
    areas.set(area, [...(areas.get(area) ?? []), name.slice(area.length)])
  }
  const inOrder = [...areas].sort(([a], [b]) => (a < b ? -1 : 1))
  return inOrder.map(([area, cities]) => area + cities.join(','))
}

/** Names by pattern: those that this service knows, in their proper capitals. */
function zonesByPattern(): Map<string, string[]> {
  const zones = new Map<string, string[]>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.replace(/\/$/, '').length + 1)
    if (entry.isDirectory() || canonicalZone(name) !== name) continue
    const pattern = patternOf(periodsOf(readFileSync(join(folder, LINKS[name] ?? name))) ?? [])
    if (pattern !== '') zones.set(pattern, [...(zones.get(pattern) ?? []), name])
  }
  return zones
}

const lines = [...zonesByPattern()].sort(
  ([a, ones], [b, others]) => others.length - ones.length || (a < b ? -1 : 1),
)
const byPattern = lines.map(([pattern, names]) => [pattern, grouped(names).join(' ')])
process.stdout.write(`${JSON.stringify(Object.fromEntries(byPattern), null, 2)}\n`)
