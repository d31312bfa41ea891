import { beforeAll, expect, it, vi } from 'vitest'
import { declareUser, makeVenue, SITE } from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'
import { TODAY } from '../../setup.ts'
import { eventMakerFor, page } from './page.ts'

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

beforeAll(async () => {
  const hall = (await makeVenue(admin, 'Hall')).id
  const organizer = [{ organizer: 'The Guild' }]
  await addEvent('Over', '2026-11-01 20:00', '2026-11-01 21:00', { venue: hall })
  await addEvent('Begun', '2026-11-20 08:00', '2026-11-20 23:00', { venue: hall })
  await addEvent('Next', '2026-12-05 20:00', '2026-12-05 21:00', { venue: hall, organizer })
  await addEvent('Later', '2026-12-09 20:00', '2026-12-09 21:00', { venue: hall })
  await addEvent('Draft', '2026-12-01 20:00', '2026-12-01 21:00', { venue: hall, status: 'draft' })
  await makeVenue(admin, 'Empty barn')
})

/** The entries of an overview as texts. */
const entries = async (path: string): Promise<string[]> =>
  [...(await page(path)).html.matchAll(/<ul class="directory">([\s\S]*?)<\/ul>/g)].flatMap(([, list = '']) =>
    list.split('<li>').flatMap(
      part =>
        part
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim() || [],
    ),
  )

it('overviews say how much is coming where, with an initial in place of an image', async () => {
  expect(await entries('/venues/')).toEqual(['E Empty barn Nothing at present', 'H Hall 3 events'])
  expect(await entries('/organizers/')).toEqual(['T The Guild 1 event'])
})

it('overviews count no more than fifty events of each', async () => {
  const barn = (await makeVenue(admin, 'Full barn')).id
  await addEvent('Class', '2027-01-01 10:00', '2027-01-01 11:00', {
    venue: barn,
    recurrence: { rrule: 'FREQ=DAILY;COUNT=90' },
  })
  expect(await entries('/venues/')).toContain('F Full barn 50+ events')
  // A row for each event that is counted, in the index.
  expect((await measure('GET', `${SITE}/venues/`)).rows).toBeLessThan(100)
})

it('overviews count what is on, and what has no end today, until it is over', async () => {
  const organizer = [{ organizer: 'Curators' }]
  const open = (await makeVenue(admin, 'Open gallery')).id
  const club = (await makeVenue(admin, 'Open club')).id
  await addEvent('Since summer', '2026-07-01 10:00', '2026-11-20 18:00', { venue: open, organizer })
  await addEvent('No end', '2026-11-20 09:00', '2026-11-20 09:00', { venue: club })
  await addEvent('Yesterday', '2026-11-19 09:00', '2026-11-19 09:00', { venue: club })
  const shown = async () => (await entries('/venues/')).filter(entry => entry.includes('Open'))
  expect(await shown()).toEqual(['O Open club 1 event', 'O Open gallery 1 event'])
  expect(await entries('/organizers/')).toContain('C Curators 1 event')
  vi.setSystemTime('2026-11-20T18:00:00Z')
  expect(await shown()).toEqual(['O Open club 1 event', 'O Open gallery Nothing at present'])
  vi.setSystemTime('2026-11-21T00:00:00Z')
  expect(await shown()).toEqual(['O Open club Nothing at present', 'O Open gallery Nothing at present'])
  vi.setSystemTime(TODAY)
})
