import { describe, expect, it } from 'vitest'
import { CALENDARS } from '../programs/calendars.ts'
import { PAGES } from '../programs/pages.ts'
import { eventsIn } from '../programs/read.ts'
import { TABLES } from '../programs/tables.ts'

// Files in the forms of other programs: what comes out is what their authors meant, and nothing is guessed
// without a word.

describe.each([
  ['csv', TABLES],
  ['page', PAGES],
  ['ics', CALENDARS],
] as const)('a %s of', (kind, files) => {
  it.each(files)('$program', async file => {
    const { events, said = [] } = file
    expect(await eventsIn(kind, file)).toEqual({ events: events.toSorted(), failures: [], said })
  })
})
