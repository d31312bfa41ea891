import type { Message, Reading } from './reading.ts'
import type { Slip } from './slips.ts'

/** What is wrong with how a file with a slip was read. */
type Finding = 'different and silent' | 'gone' | 'broken'

/** The lines that a message about a slip may name, and the texts of the file that it may have. */
function placesOf(content: string, { from, to, text }: Slip): { lines: Set<number>; texts: string[] } {
  const rows = content.split('\n')
  const line = content.slice(0, from).split('\n').length
  const last = line + content.slice(from, to).split('\n').length + text.split('\n').length - 2
  const lines = new Set<number>()
  for (let one = line - 1; one <= last + 1; one += 1) lines.add(one)
  // An event is named by the line on which it begins, or that of its row.
  let first = line
  while (first > 1 && /^ |^und /.test(rows[first - 1] ?? '')) first -= 1
  lines.add(first)
  let begin = line
  while (begin > 1 && !/^(?:BEGIN:V(?!ALARM)|\{)/.test(rows[begin - 1] ?? '')) begin -= 1
  if (begin > 1) lines.add(begin)
  // Of JSON that cannot be read, the line is known on which that is seen.
  const script = rows.findIndex((row, i) => i >= line - 1 && row.includes('</script>'))
  for (let one = line; one <= script + 1; one += 1) lines.add(one)
  const changed = content.slice(0, from) + text + content.slice(to)
  const near = [rows, changed.split('\n')].flatMap(all => [all[first - 1], all[line - 1], all[line]])
  const words = near.flatMap(row => (row ?? '').split(/[\s:;,="{}]+/)).filter(word => word.length > 2)
  const end = rows.findIndex((row, i) => i >= line - 1 && /^(?:END:V|\})/.test(row))
  const owner = rows
    .slice(Math.max(begin - 1, 0), end === -1 ? line : end)
    .flatMap(row => /^(?:UID|SUMMARY|TZID):(.*\S)|^"name": "(.*)"/.exec(row)?.slice(1) ?? [])
    .filter(one => one !== undefined)
  // Without the end of one zone, the file may lack all of them.
  const zones = /^BEGIN:VTIMEZONE/.test(rows[begin - 1] ?? '') ? rows.filter(row => /^TZID:/.test(row)) : []
  owner.push(...zones.map(row => row.slice(5).trim()))
  return { lines, texts: [...words, ...(begin > 1 ? owner : [])] }
}

/** True if some message names the place of a slip. */
const isNamed = (content: string, slip: Slip, messages: readonly Message[]): boolean => {
  const { lines, texts } = placesOf(content, slip)
  return messages.some(({ text, line }) => {
    const named = line ?? Number(/\blines? (\d+)/.exec(text)?.[1])
    return (
      lines.has(named) ||
      texts.some(one => text.includes(one) || text.includes(JSON.stringify(one).slice(1, -1)))
    )
  })
}

/** What is wrong with a reading, held against that of the file without a slip. */
export function findingOf(content: string, slip: Slip, good: Reading, bad: Reading): Finding | undefined {
  if (bad.broken !== undefined) return 'broken'
  const known = new Set(good.messages.map(({ text }) => text))
  const messages = bad.messages.filter(({ text }) => !known.has(text))
  const isGone = (id: string) => !uids.has(uidOf(id)) && !bad.unread.some(what => what.includes(uidOf(id)))
  const uids = new Set([...bad.ids].map(uidOf))
  if (bad.isComplete && [...good.ids].some(isGone)) return 'gone'
  const isSame = JSON.stringify(good.events) === JSON.stringify(bad.events)
  // A file that is refused as a whole is not silent.
  return isSame || bad.isRefused || isNamed(content, slip, messages) ? undefined : 'different and silent'
}

/** The UID that an event's id begins with: dates of a series are gone if that is. */
const uidOf = (id: string): string => id.replace(/#.*/, '')
