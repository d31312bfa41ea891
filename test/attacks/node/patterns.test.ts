import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { describe, expect, it } from 'vitest'
import { isNode, literalOf, nodesIn } from '../../node/syntax.ts'

// No text from outside may keep the Worker busy for longer than its length explains: each regular expression
// of the sources is checked by recheck for a cost that grows faster than the text.

type Found = { file: string; source: string; flags: string }

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => /\.(?:[cm]?[jt]s)$/.test(name))
  .sort()

/** The text of a template of `String.raw` without values; undefined for anything else. */
function rawTextOf(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'TaggedTemplateExpression' || !isNode(node.quasi)) return undefined
  const [text, ...more] = node.quasi.quasis as { value: { raw: string } }[]
  return more.length === 0 ? text?.value.raw : undefined
}

/** Regular expressions written as literals, and those that `lazyPattern` builds from a text. */
const literals: Found[] = []
/** The file of each call that makes a pattern of a text. */
const made: string[] = []

for (const file of files) {
  const text = readFileSync(join('src', file), 'utf8')
  for (const node of nodesIn(file, text)) {
    const { type, callee, arguments: given } = node
    const literal = literalOf(node)
    if (literal) literals.push({ file, ...literal })
    if (type === 'CallExpression' && isNode(callee) && callee.name === 'lazyPattern') {
      const [source, flags] = given as Record<string, unknown>[]
      const text = rawTextOf(source)
      if (text === undefined) made.push(file)
      else literals.push({ file, source: text, flags: String(flags?.value) })
    }
    if ((type === 'NewExpression' || type === 'CallExpression') && isNode(callee) && callee.name === 'RegExp')
      made.push(file)
  }
}

const CELL = 'cells of days and times are read up to 200 characters (textOf)'
const OWN = 'reads files of the project only'
const RUN = 'recheck does not end; the text is'

/**
 * Literals that recheck calls too expensive, or with which it does not end: the limit of what they read, and
 * why it holds.
 */
const LISTED: readonly (readonly [file: string, begins: string, why: string])[] = [
  ['commands/wrangler-config.ts', '^\\s*binding', OWN],
  ['commands/wrangler-config.ts', '^(\\s*database_id', OWN],
  [
    'features/sources/editor/page.ts',
    ':(\\d+)(?: ',
    'names of skipped records are stored up to 500 characters (features/sources/schedule/outcome.ts)',
  ],
  ['readers/csv/clock.ts', '^(\\d{1,2})(?:[:.](\\d{2}))?(?:[:.](\\d{2}))?\\s*:?', CELL],
  ['readers/csv/clock.ts', '\\s*(?:→|', CELL],
  ['readers/csv/days.ts', '^(\\d{4})[-/.]', CELL],
  ['readers/csv/days.ts', '^(?:(\\p{L}+)\\.?,?\\s+)?(?:(?:den', CELL],
  ['readers/csv/days.ts', '^(?:(\\p{L}+)\\.?,?\\s+)?(\\p{L}{3,})', CELL],
  ['readers/csv/days.ts', '^(?:(\\p{L}+)\\.?,?\\s+)?(\\d{1,2})([/.])', CELL],
  ['readers/csv/days.ts', '\\s*(?:→|', CELL],
  ['features/registrations/schema.ts', '[a-z][a-z', 'names and answers have at most 500 characters'],
  ['readers/jsonld/nodes.ts', '(?:-->|', `${RUN} read by parts of at most 99 blanks`],
  ['readers/jsonld/nodes.ts', '\\.\\.\\."([', 'a message of the runtime quotes some twenty characters'],
  ['readers/sitemap.ts', '^\\uFEFF?\\s*(?:<\\?', `${RUN} the first 2,000 characters of a sitemap`],
  ['kit/lib/periods.ts', '^(?:from |between )?(.+?)', 'periodOf reads at most 100 characters'],
  ['kit/lib/zones.ts', '<([^>]+)>|([A-Za-z=]+)', OWN],
  [
    'site/forms/assets/writing.browser.ts',
    ' ?(<\\/?(?:p|br',
    'runs in the browser of the person who writes the text',
  ],
]

const COMMAND = 'reads what the machine itself has'

/**
 * Files that make patterns of texts: a call after which all of them have been made, or why they are not
 * checked. Files are loaded anew, so that what they make at once is made again.
 */
const MAKERS: Record<string, ((file: Record<string, (...args: unknown[]) => unknown>) => unknown) | string> =
  {
    'commands/dev.ts': COMMAND,
    'commands/words.ts': COMMAND,
    'commands/wrangler-hook.ts': COMMAND,
    'kit/http/error-replies.ts':
      'parts of paths end at a slash, and the last may have all the rest of the path',
    'kit/lib/cost.ts': ({ formatCost, isFree }) => [
      formatCost?.('5 zł', { symbol: 'zł', code: 'PLN' }),
      isFree?.('free'),
    ],
    'kit/lib/csv.ts': ({ csvRow }) => csvRow?.(['=1'], ','),
    'kit/lib/images/sizes.ts': () => undefined,
    'kit/lib/invisible.ts': ({ dropInvisible }) => dropInvisible?.('a\u200bb'),
    'kit/lib/pattern.ts': 'what it makes is checked where it is written',
    'kit/lib/text.ts': ({ cleanText }) => cleanText?.('a&#8203;b'),
    'editor/events/area.ts': 'the four digits of a year, with a digit neither before nor after them',
    'readers/ics/content-lines.ts': ({ contentLines }) =>
      contentLines?.(new TextEncoder().encode('BEGIN:VEVENT\nDESCRIPTION:Choir\nSUMMARY: Choir\n')),
    'site/forms/controls/text.ts': () => undefined,
  }

/** Patterns that a file builds from texts while `run` is under way. */
async function madeBy(file: string, run: (module: never) => unknown): Promise<Found[]> {
  const original = globalThis.RegExp
  const patterns: RegExp[] = []
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, self) {
      const pattern = Reflect.construct(target, args, self)
      // The file that makes the pattern is the first that is named.
      if (
        new Error().stack
          ?.split('\n')
          .find(line => line.includes('/src/'))
          ?.includes(`/src/${file}?`)
      )
        patterns.push(pattern)
      return pattern
    },
  })
  try {
    await run((await import(new URL(`../../../src/${file}?anew`, import.meta.url).href)) as never)
  } finally {
    globalThis.RegExp = original
  }
  return patterns.map(({ source, flags }) => ({ file, source, flags }))
}

/**
 * What recheck says of a pattern if it is not safe. Only `timeout` depends on the time that is taken, which
 * is far longer than needed.
 */
async function verdictOf({ file, source, flags }: Found): Promise<string[]> {
  const unlimited = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null }
  const found = await check(source, flags, { ...unlimited, timeout: 120_000, recallTimeout: -1 })
  if (found.status === 'safe') return []
  const why =
    found.status === 'unknown' ? found.error.kind : `${found.complexity.summary}: ${found.attack.pattern}`
  return [`${file} /${source}/${flags}: ${why}`]
}

const nameOf = ({ source, flags }: Found) => `/${source}/${flags}`

/** The verdicts on patterns, one at a time: recheck would begin with all of them at once. */
async function verdictsOn(patterns: readonly Found[]): Promise<string[]> {
  const verdicts: string[] = []
  for (const pattern of new Map(patterns.map(one => [nameOf(one), one])).values())
    verdicts.push(...(await verdictOf(pattern)))
  return verdicts
}

const isListed = ({ file, source }: Found) =>
  LISTED.some(([name, begins]) => name === file && source.startsWith(begins))

describe('regular expressions take a time that grows with the text, not with its square', () => {
  it('as they are written', async () => {
    expect(literals.length).toBeGreaterThan(500)
    expect(await verdictsOn(literals.filter(one => !isListed(one)))).toEqual([])
  }, 600_000)

  it('as made of texts', async () => {
    expect([...new Set(made)].sort()).toEqual(Object.keys(MAKERS).sort())
    const found: Found[] = []
    for (const [file, run] of Object.entries(MAKERS)) {
      if (typeof run === 'string') continue
      const own = await madeBy(file, run)
      expect(own.length, file).toEqual(made.filter(name => name === file).length)
      found.push(...own)
    }
    expect(await verdictsOn(found)).toEqual([])
  }, 600_000)

  it('or are listed with the limit of their text, as long as they exist', () => {
    const gone = LISTED.filter(
      ([file, begins]) =>
        literals.filter(one => one.file === file && one.source.startsWith(begins)).length !== 1,
    )
    expect(gone).toEqual([])
  })

  it('where recheck is at work', async () => {
    const found = { file: 'here', source: '\\s*px$', flags: 'i' }
    expect(await verdictsOn([found])).toEqual([expect.stringContaining('2nd degree polynomial')])
  })
})
