import { sql } from 'drizzle-orm'
import { noDuplicateSql, publishedSql } from '../../calendar/content/visibility.ts'
import { eventPath, seriesWith } from '../../calendar/events/listed-events.ts'
import { seriesJoin } from '../../calendar/events/rows.ts'
import { PAGE_SETTINGS, pagePath } from '../../calendar/settings/schema.ts'
import { usedTermSql } from '../../calendar/terms/queries.ts'
import { CATEGORIES, TAGS } from '../../calendar/terms/resource.ts'
import { columnList, decodeRow } from '../../kit/db/columns.ts'
import {
  combineQueries,
  first,
  many,
  orNull,
  type Query,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { events, organizers, series, terms, venues } from '../../kit/db/tables.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { type DateTime, isoUtc } from '../../kit/lib/time.ts'
import { escapeXml } from '../../kit/lib/xml.ts'
import { categoryPath, monthPath } from '../html/addresses.ts'
import { definePage } from '../html/define-page.ts'
import type { PageContext } from '../html/page-context.ts'

// The sitemap of a small calendar is one file. A large one has a file for each range of ids: entries never
// change files, a file reads only its own rows, and none exceeds the limits of search engines.

/**
 * The ids in a file. The longest addresses have 1,900 characters, so a file has some ten megabytes at most.
 */
const IDS_PER_FILE = 5_000

const XML = 'application/xml; charset=utf-8'

type SitemapEntry = { address: string; modified?: DateTime | undefined }

const EVENT_COLUMNS = { id: events.id, slug: events.slug, modified_utc: events.modified_utc }

const SITEMAP_KINDS = ['events', 'venues', 'organizers', 'terms'] as const
type Collection = (typeof SITEMAP_KINDS)[number]

/**
 * The upper limit of ids if the calendar fits into one file; 0 for a larger calendar, so that nothing is
 * read.
 */
const ONE_FILE = sql`iif(max(ifnull((SELECT max(id) FROM ${events}), 0), ifnull((SELECT max(id) FROM ${venues}), 0),
  ifnull((SELECT max(id) FROM ${organizers}), 0), ifnull((SELECT max(id) FROM ${terms}), 0)) < ${IDS_PER_FILE}, ${IDS_PER_FILE}, 0)`

/** A query for the entries in the n-th range of ids, from 0, or of all if they fit into one file. */
function selectSitemapEntries(ownSite: PageContext, kind: Collection, n?: number): Query<SitemapEntry[]> {
  const { context } = ownSite
  const from = (n ?? 0) * IDS_PER_FILE
  const to = n === undefined ? ONE_FILE : sql`${from + IDS_PER_FILE}`
  const { site } = context
  const now = context.clock.untrackedTime
  if (kind === 'terms')
    return many(
      sql`SELECT taxonomy, path FROM ${terms} WHERE id >= ${from} AND id < ${to} AND ${usedTermSql}`,
      row => {
        const path = readText(row.path)
        return {
          address:
            site +
            (row.taxonomy === CATEGORIES.taxonomy
              ? categoryPath(path)
              : `/${TAGS.permalinkBase}/${encodeURIComponent(path)}/`),
        }
      },
    )
  if (kind === 'events')
    return many(
      sql`SELECT ${columnList(EVENT_COLUMNS)}, ${series.slug} AS series_slug FROM ${events} ${seriesJoin}
        WHERE ${events.id} >= ${from} AND ${events.id} < ${to} AND ${publishedSql(events, now)}
        AND ${events.hide_from_listings} = 0 AND ${noDuplicateSql}`,
      raw => {
        const { slug, modified_utc: modified } = decodeRow(EVENT_COLUMNS, raw)
        return { address: site + eventPath(ownSite, { slug, series: seriesWith(raw.series_slug) }), modified }
      },
    )
  const table = kind === 'venues' ? venues : organizers
  return many(
    sql`SELECT slug, modified_utc FROM ${table} WHERE id >= ${from} AND id < ${to} AND ${publishedSql(table, now)}`,
    ({ slug, modified_utc }) => ({
      address: `${site}/${kind.slice(0, -1)}/${encodeURIComponent(readText(slug))}/`,
      modified: readText(modified_utc),
    }),
  )
}

/** The entries of pages without a resource. */
const ownEntries = ({ context, settings, today }: PageContext): SitemapEntry[] =>
  [
    ...['/events/', monthPath(today), '/venues/', '/organizers/'],
    ...PAGE_SETTINGS.map(pagePath).filter(path => Object.values(settings.links).includes(path)),
  ].map(path => ({ address: context.site + path }))

const entryText = ({ address, modified }: SitemapEntry): string =>
  `<url><loc>${escapeXml(address)}</loc>${modified ? `<lastmod>${isoUtc(modified)}</lastmod>` : ''}</url>\n`

const urlSet = (entries: readonly SitemapEntry[]): string =>
  document('urlset', entries.map(entryText).join(''))

const document = (element: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${content}</${element}>\n`

/** The highest ids, which determine the number of files. */
const selectHighestIds = first(
  sql`SELECT (SELECT max(id) FROM ${events}) AS events, (SELECT max(id) FROM ${venues}) AS venues,
    (SELECT max(id) FROM ${organizers}) AS organizers, (SELECT max(id) FROM ${terms}) AS terms`,
  {
    events: orNull(readNumber),
    venues: orNull(readNumber),
    organizers: orNull(readNumber),
    terms: orNull(readNumber),
  },
)

const sitemap = definePage({
  path: '/sitemap.xml',
  load: site =>
    combineQueries({
      greatest: selectHighestIds,
      events: selectSitemapEntries(site, 'events'),
      venues: selectSitemapEntries(site, 'venues'),
      organizers: selectSitemapEntries(site, 'organizers'),
      terms: selectSitemapEntries(site, 'terms'),
    }),
  respond: (site, { loaded }) => {
    const files = SITEMAP_KINDS.map(kind => ({
      kind,
      files: Math.floor((loaded.greatest?.[kind] ?? 0) / IDS_PER_FILE) + 1,
    }))
    if (files.every(({ files: count }) => count === 1)) {
      const entries = SITEMAP_KINDS.flatMap(kind => loaded[kind])
      return { body: urlSet([...ownEntries(site), ...entries]), type: XML }
    }
    const addresses = files.flatMap(({ kind, files: count }) =>
      Array.from({ length: count }, (_, n) => `${site.context.site}/sitemap-${kind}-${n + 1}.xml`),
    )
    const content = [`${site.context.site}/sitemap-pages-1.xml`, ...addresses].map(
      address => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>\n`,
    )
    return { body: document('sitemapindex', content.join('')), type: XML }
  },
})

const sitemapFile = definePage({
  path: '/:file{sitemap-[a-z]+-[0-9]+\\.xml}',
  load: (site, { params: { file = '' } }) => {
    const [, name = '', number = ''] = file.split(/[-.]/)
    const kind = SITEMAP_KINDS.find(each => each === name)
    const n = Number(number) - 1
    if ((!kind && name !== 'pages') || n < 0 || n > Number.MAX_SAFE_INTEGER / IDS_PER_FILE)
      throw new ApiError('rest_no_route', 'There is no such file.')
    return combineQueries({ entries: kind ? selectSitemapEntries(site, kind, n) : resolvedQuery([]) })
  },
  respond: (site, { params: { file = '' }, loaded: { entries } }) => ({
    body: urlSet(file.startsWith('sitemap-pages-') ? ownEntries(site) : entries),
    type: XML,
  }),
})

const robots = definePage({
  path: '/robots.txt',
  load: () => resolvedQuery(undefined),
  respond: ({ context }) => ({
    body: `User-agent: *\nAllow: /\nDisallow: /*?*search=\nDisallow: /embed/\n\nSitemap: ${context.site}/sitemap.xml\n`,
    type: 'text/plain; charset=utf-8',
  }),
})

export const sitemapRoutes = [sitemap, sitemapFile, robots]
