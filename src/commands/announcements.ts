import { readFileSync } from 'node:fs'
import { fold } from '../kit/lib/text.ts'
import { toWall } from '../kit/lib/time.ts'
import { settingsOf, VAR_NAMES } from '../kit/settings.ts'
import { askModel, modelOf } from '../kit/work/language-model.ts'
import { MAX_TEXT_LENGTH, seenText } from '../readers/announcement.ts'
import { believed } from '../readers/announcements/belief.ts'
import type { AnnouncedEvent } from '../readers/announcements/drafts.ts'
import { questionAbout, readAnswer } from '../readers/announcements/question.ts'
import { command, runCommand, UsageError } from './arguments.ts'

const HELP = `Usage: npm run announcements -- file.json

Reads labelled texts with the language model that AI_URL, AI_MODEL and AI_KEY of the environment name, and prints the scores.
The file is described in .github/mechanisms/announcements.md.`

type Expected = Readonly<Record<string, string | readonly (string | null)[] | boolean | null | undefined>>
type Case = {
  id: string
  now: string
  timezone: string
  text: string
  known: { venues: readonly string[]; organizers: readonly string[] }
  expect: { events: readonly Expected[] }
}

/** The fields that are scored, each with the value of a draft. */
const FIELDS: Readonly<Record<string, (draft: AnnouncedEvent) => string>> = {
  title: ({ title = '' }) => title,
  start: ({ start_date = '' }) => start_date.slice(0, 16),
  end: ({ end_date = '' }) => end_date.slice(0, 16),
  venue: ({ venue }) => venue?.venue ?? '',
  organizer: ({ organizer }) => organizer?.organizer ?? '',
  cost: ({ cost = '' }) => (cost.match(/\d+(?:\.\d+)?/g) ?? []).map(Number).join(' - '),
  url: ({ website = '' }) => website.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, ''),
}

const plain = (text: string): string => fold(text).replace(/^https?:\/\/(?:www\.)?|[^a-z0-9.: -]|\/$/g, '')

/** How a value is marked against what is accepted. */
function markOf(value: string, accepted: Expected[string]): 'right' | 'wrong' | 'missed' | 'empty' {
  const values = [accepted ?? null].flat().map(one => (one === null ? null : plain(String(one))))
  if (value === '') return values.includes(null) ? 'empty' : 'missed'
  const isRight = values.some(
    one => one !== null && (plain(value) === one || (one.length > 9 && plain(value).startsWith(one))),
  )
  return isRight ? 'right' : 'wrong'
}

/** The marks of one text: each expected event is compared with the draft of its day. */
function score(
  expected: readonly Expected[],
  drafts: readonly AnnouncedEvent[],
): [field: string, mark: string][] {
  const left = [...drafts]
  const marks = expected.flatMap((event): [string, string][] => {
    const day = String([event.start].flat()[0]).slice(0, 10)
    const at = left.findIndex(({ start_date = '' }) => start_date.startsWith(day))
    const [draft] = left.splice(at === -1 ? 0 : at, 1)
    return Object.entries(FIELDS).map(([field, read]) => [
      field,
      markOf(draft ? read(draft) : '', event[field]),
    ])
  })
  return [...marks, ...left.map((): [string, string] => ['drafts', 'wrong'])]
}

const run = command(
  HELP,
  {},
  async (_, [file, ...others]) => {
    if (file === undefined || others.length > 0) throw new UsageError(HELP)
    const settings = settingsOf(Object.fromEntries(VAR_NAMES.map(name => [name, process.env[name] ?? ''])))
    const model = modelOf(undefined, settings)
    if (!model) throw new UsageError('AI_URL and AI_MODEL: set both to the model to measure.')
    // A file of the person who runs this.
    const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[]
    const counts = new Map<string, number>()
    let clean = 0
    for (const { id, now, timezone, text: sent, known, expect } of cases) {
      const named = (names: readonly string[]) => names.map((name, i) => ({ id: i + 1, name }))
      const written = now.length > 16 ? now : `${now}:00`
      const context = {
        venues: named(known.venues),
        organizers: named(known.organizers),
        writtenAt: now.endsWith('Z') ? toWall(now, timezone) : written,
        timezone,
        currency: '',
      }
      const text = seenText(sent).slice(0, MAX_TEXT_LENGTH)
      const answer = await askModel(model, questionAbout(text, context), readAnswer).catch(error => {
        console.log(`${id}: ${error.message}`)
      })
      if (!answer) continue
      const marks = score(expect.events, believed(answer, text, context).drafts)
      for (const [field, mark] of marks)
        counts.set(`${field} ${mark}`, (counts.get(`${field} ${mark}`) ?? 0) + 1)
      const wrong = marks.filter(([, mark]) => mark === 'wrong').map(([field]) => field)
      if (wrong.length === 0) clean++
      console.log(`${id}: ${wrong.length === 0 ? 'clean' : `wrong ${wrong.join(', ')}`}`)
    }
    for (const [mark, count] of [...counts].sort()) console.log(`${mark}: ${count}`)
    console.log(`${clean} of ${cases.length} texts without a wrong field`)
  },
  { takesOperands: true },
)

await runCommand(run)
