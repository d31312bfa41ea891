import { writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { CALENDARS } from '../slips/calendars.ts'
import { kindsOf } from '../slips/kinds.ts'
import { type Reading, readLikeCommand } from '../slips/reading.ts'
import { REMAINING } from '../slips/remaining.ts'
import { bytesWith, type Slip, slipsOf } from '../slips/slips.ts'
import { PAGES, TABLES } from '../slips/tables.ts'
import { findingOf } from '../slips/verdict.ts'

const FILES: Readonly<Record<string, string>> = { ...CALENDARS, ...TABLES, ...PAGES }

// More slips, other places, and a file for all findings, those of remaining kinds too:
// SLIPS=2000 SLIPS_SEED=7 SLIPS_FOUND=found.txt npx vitest run test/readers/node/slips.test.ts
const { SLIPS = '400', SLIPS_SEED = '20261126', SLIPS_FOUND } = process.env

/** The line of a slip, with what is written instead in `«»`. */
function placeOf({ file, from, to, text }: Slip): string {
  const content = FILES[file] ?? ''
  const before = content.slice(0, from).split('\n')
  const after = content.slice(to, to + 40).split('\n')[0]
  return `${file}:${before.length} ${JSON.stringify(`${before.at(-1)?.slice(-60)}«${text}»${after}`)}`
}

describe('a file of another calendar', () => {
  const sound = new Map<string, Reading>()
  beforeAll(async () => {
    for (const [file, content] of Object.entries(FILES))
      sound.set(file, await readLikeCommand(file, Buffer.from(content)))
  })

  it.each(Object.keys(FILES))('is read without a word if nothing is wrong with it: %s', file => {
    expect(sound.get(file)?.messages).toEqual([])
    expect(sound.get(file)?.events).not.toEqual([])
  })

  it(`is read the same with a slip, or the report names it: ${SLIPS} slips by seed ${SLIPS_SEED}`, async () => {
    const found: { kind: string; line: string }[] = []
    for (const slip of slipsOf(FILES, kindsOf, Number(SLIPS), Number(SLIPS_SEED))) {
      const content = FILES[slip.file] ?? ''
      const good = sound.get(slip.file)
      const bad = await readLikeCommand(slip.file, bytesWith(content, slip))
      const finding = good && findingOf(content, slip, good, bad)
      const said = bad.broken ?? JSON.stringify(bad.messages)
      if (finding)
        found.push({ kind: slip.kind, line: `${finding} | ${slip.kind} | ${placeOf(slip)} ${said}` })
    }
    if (SLIPS_FOUND) writeFileSync(SLIPS_FOUND, found.map(({ line }) => `${line}\n`).join(''))
    expect(found.filter(({ kind }) => !(kind in REMAINING)).map(({ line }) => line)).toEqual([])
  })
})
