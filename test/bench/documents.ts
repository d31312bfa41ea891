import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { organizerRows, type SeedEvent, termRows, venueRows } from './calendar.ts'

// The calendar as another site's responses show it, for the importer to read.

const SITE = 'https://calendar.example.org/calendar/events/v1'

type Term = ReturnType<typeof termRows>[number]

const term = ({ id, name, slug, parent, taxonomy }: Term) => ({ id, name, slug, parent, taxonomy })
const venue = ({ name, ...rest }: ReturnType<typeof venueRows>[number]) => ({ ...rest, venue: name })
const organizer = ({ name, ...rest }: ReturnType<typeof organizerRows>[number]) => ({
  ...rest,
  organizer: name,
})

const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map(row => [row.id, row]))

/** Writes a file for each resource. Ids are those of the rows, and an import into an empty calendar keeps them. */
export async function writeDocuments(folder: string, rows: readonly SeedEvent[]): Promise<void> {
  const terms = termRows().map(term)
  const venues = venueRows().map(venue)
  const organizers = organizerRows().map(organizer)
  const [term_, venue_, organizer_] = [byId(terms), byId(venues), byId(organizers)]
  const events = rows.map(row => ({
    ...row,
    categories: row.categories.map(id => term_.get(id)),
    tags: row.tags.map(id => term_.get(id)),
    venue: venue_.get(row.venue),
    organizer: [organizer_.get(row.organizer)],
  }))
  const resources = {
    categories: terms.filter(({ taxonomy }) => taxonomy === 'event_category'),
    tags: terms.filter(({ taxonomy }) => taxonomy === 'event_tag'),
    venues,
    organizers,
    events,
  }
  await mkdir(folder, { recursive: true })
  for (const [name, items] of Object.entries(resources))
    await writeFile(
      join(folder, `${name}.json`),
      JSON.stringify({ rest_url: `${SITE}/${name}`, [name]: items }),
    )
}
