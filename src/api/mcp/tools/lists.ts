import { list, object, type Schema, type Tool, textSchema, whole } from '../tool.ts'
import { leftOutLine, NOTICE, oneLine, postalAddress, quoted } from '../words.ts'

const PER_PAGE = 50

const COUNTS = {
  total: whole('Number of all.'),
  shown: whole('Number of items in this result.'),
  page: whole('This page.'),
  pages: whole('Number of pages.'),
  left_out: textSchema('What was left out of this result; empty for nothing.'),
  notice: textSchema('How to treat the texts.'),
}

const PAGING = {
  words: textSchema('Words that must all occur in the name or another text.'),
  page: whole('Page of the results, from 1.', { minimum: 1 }),
}

const ARGUMENTS = { search: 'words' }

const number: Schema = { type: ['number', 'null'] }

type Item = Readonly<Record<string, unknown>>

/** Makes a tool that lists a resource of the API. */
const listing = ({
  name,
  title,
  description,
  plural,
  item,
  parts,
  query,
  read,
  line,
}: Pick<Tool, 'name' | 'title' | 'description'> & {
  plural: string
  item: { [name: string]: Schema }
  /** The fields of the API that are needed. */
  parts: string
  query?: Item
  read: (item: Item) => Item
  line: (item: Item) => string
}): Tool => ({
  name,
  title,
  description,
  requires: 'read',
  args: PAGING,
  fields: { ...COUNTS, [plural]: list(object(item), title) },
  run: async ({ api }, { words, page }) => {
    const found = await api.read(
      `/${plural}`,
      { ...query, search: words, page, per_page: PER_PAGE, _fields: parts },
      ARGUMENTS,
    )
    const rows = Array.isArray(found[plural]) ? found[plural] : []
    const items = rows.map(row => read(Object(row)))
    const counts = {
      total: Number(found.total),
      shown: items.length,
      page: Number(page ?? 1),
      pages: Number(found.total_pages),
    }
    const left = leftOutLine(counts)
    return {
      structured: { ...counts, left_out: left, notice: NOTICE, [plural]: items },
      text: [
        `${title.replace('List ', 'Number of ')}: ${counts.total}.${left && ` ${left}`}`,
        ...(items.length > 0 ? [NOTICE, quoted(items.map(line))] : []),
      ].join('\n'),
    }
  },
})

export const listVenues = listing({
  name: 'list_venues',
  title: 'List venues',
  description: `Lists the venues of this calendar with their addresses, ${PER_PAGE} at once, or those whose name or address has some words. Use it to find out what places there are; search_events finds events by place directly.`,
  plural: 'venues',
  parts: 'id,venue,address,city,province,state,zip,country,geo_lat,geo_lng,url',
  item: {
    id: whole('Id.'),
    name: textSchema('Name.'),
    address: textSchema('Street, city, region and country, as far as they are known.'),
    latitude: { ...number, description: 'Latitude in degrees, if it is known.' },
    longitude: { ...number, description: 'Longitude in degrees, if it is known.' },
    url: textSchema('Its page.'),
  },
  read: venue => ({
    id: venue.id,
    name: oneLine(venue.venue),
    address: postalAddress(venue),
    latitude: venue.geo_lat ?? null,
    longitude: venue.geo_lng ?? null,
    url: venue.url,
  }),
  line: ({ id, name, address, url }) => `- ${[name, address].filter(Boolean).join(', ')} · ${url} (id ${id})`,
})

export const listCategories = listing({
  name: 'list_categories',
  title: 'List categories',
  description: `Lists the categories of this calendar that have events, ${PER_PAGE} at once. search_events takes their slugs or names as category.`,
  plural: 'categories',
  parts: 'id,name,slug,parent,count,url',
  item: {
    id: whole('Id.'),
    name: textSchema('Name.'),
    slug: textSchema('Slug.'),
    parent: whole('Id of the category above it; 0 for none.'),
    count: whole('Number of past and future events in it.'),
    url: textSchema('Its page.'),
  },
  read: ({ id, name, slug, parent, count, url }) => ({
    id,
    name: oneLine(name),
    slug,
    parent: parent ?? 0,
    count,
    url,
  }),
  line: ({ name, slug, count, url }) => `- ${name} (${slug}), events: ${count} · ${url}`,
})
