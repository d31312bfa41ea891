import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  DATES_WRITTEN,
  DUPLICATE_WORK,
  FEED_SIZE,
  FREE_PLAN,
  INVOCATION,
  SERIES_SIZE,
  SERIES_WORK,
  SUBMISSION_LIMITS,
} from '../../src/kit/lib/budgets.ts'

const written = (n: number) => n.toLocaleString('en')

const { statements, requests, cpuMs } = FREE_PLAN
const { contributor, author, editor } = DATES_WRITTEN

/** Sentences of the documentation that name budgets. */
const SENTENCES: [file: string, ...sentences: string[]][] = [
  [
    'OPERATING.md',
    `gives an invocation ${cpuMs} ms of CPU and ${statements} statements`,
    `${written(FREE_PLAN.rowsWrittenADay)} rows written per day`,
    `every ${contributor.write} dates of a series count as one write for a contributor, ${author.write} for an author and ${editor.write} for an editor`,
    `one request may write ${[contributor, author].map(({ request }) => written(request)).join(', ')} or ${written(editor.request)} dates`,
    `within the ${statements} statements and ${requests} requests that the free plan allows`,
  ],
  [
    'SECURITY.md',
    `at most ${SUBMISSION_LIMITS.dates} dates`,
    `${SUBMISSION_LIMITS.hour} submissions an hour and ${SUBMISSION_LIMITS.day} a day are accepted, with ${SUBMISSION_LIMITS.senderDates} dates; in total ${SUBMISSION_LIMITS.all} a day, ${SUBMISSION_LIMITS.images} of them with an image, with ${written(SUBMISSION_LIMITS.allDates)} dates`,
  ],
  ['SCALE.md', `${cpuMs} ms are just enough for lists of a hundred`],
  [
    'RECIPES.md',
    `${written(SERIES_SIZE.rows)} occurrences`,
    `at most the ${written(FEED_SIZE.events)} events`,
  ],
  ['mechanisms/cron.md', `${statements} statements, ${requests} requests and ${cpuMs} ms of CPU`],
  ['mechanisms/writes.md', `The free plan allows ${statements} statements per invocation`],
]

it.each(SENTENCES)('%s names the budgets that there are', (file, ...sentences) => {
  const text = readFileSync(join('.github', file), 'utf8').replaceAll(/\s+/g, ' ')
  for (const sentence of sentences) expect(text).toContain(sentence)
})

describe('budgets', () => {
  it('leave room for each task in a run of its own', () => {
    for (const step of [
      DUPLICATE_WORK.together,
      DUPLICATE_WORK.alone,
      { ...SERIES_WORK.ofSeries, statements: 1 + SERIES_WORK.ofSeries.statements },
    ]) {
      expect(step.statements).toBeLessThan(INVOCATION.statements)
      expect(step.cpuMs).toBeLessThan(INVOCATION.cpuMs)
    }
    expect(DUPLICATE_WORK.events * DUPLICATE_WORK.cpuOfEvent).toBeLessThanOrEqual(cpuMs)
  })
})
