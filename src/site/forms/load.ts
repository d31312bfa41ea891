import { ne, type SQL, sql } from 'drizzle-orm'
import { relatedListedSql } from '../../calendar/content/related/queries.ts'
import type { ImageResponse } from '../../calendar/content/resource.ts'
import { beginningWith } from '../../calendar/content/search.ts'
import { listedSql, readableSql } from '../../calendar/content/visibility.ts'
import { eventPage, pageStatement } from '../../calendar/events/listing/page.ts'
import { type ImageRow, selectNewestMedia, serializeLibraryImage } from '../../calendar/media/queries.ts'
import { ORGANIZERS } from '../../calendar/organizers/resource.ts'
import { selectTerms, termListedSql, termReadableSql } from '../../calendar/terms/queries.ts'
import { CATEGORIES, TAGS } from '../../calendar/terms/resource.ts'
import { displayName } from '../../calendar/users/records.ts'
import { VENUES } from '../../calendar/venues/resource.ts'
import type { BaseContext, ContentContext, RequestContext } from '../../kit/context.ts'
import {
  combineQueries,
  inList,
  literal,
  many,
  mapQuery,
  type Query,
  type RawRow,
  readNumber,
  readText,
  resolvedQuery,
} from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events, users } from '../../kit/db/tables.ts'
import { comparable, trigramLikeness, trigrams } from '../../kit/lib/likeness.ts'
import { may } from '../../kit/lib/roles.ts'
import { decodeEntities, fold } from '../../kit/lib/text.ts'
import { isObject, mergedFields } from '../../kit/lib/values.ts'
import { filled, textsIn } from '../../words/words.ts'
import type { Body, Choice, Choices, OfferedImage } from './control.ts'
import { IMAGE_FIELDS } from './controls/image.ts'
import { bareName, detailIn, isSearching, linkedIn, nameInput, searchInput } from './controls/links.ts'
import { type Entries, entriesNamed, entry, withEntries } from './entries.ts'
import type { Form } from './form.ts'
import { isShownAgain, type SubmittedForm } from './posted.ts'

/** The most results of a search, and the most options of each kind. */
const MAX_FOUND = 12
const MAX_IMAGES = 24
const MAX_CATEGORIES = 500
const MAX_USERS = 200

/** The fields that link to other resources. */
export const LINK_FIELDS = ['venue', 'organizer', 'tags', 'post_parent'] as const
type LinkField = (typeof LINK_FIELDS)[number]

const toChoice = (row: { id: number; name: string } & Readonly<Record<string, unknown>>): Choice => ({
  id: row.id,
  name: decodeEntities(row.name),
  ...detailIn(row),
})

const readChoice = (row: RawRow): Choice =>
  toChoice({ ...row, id: readNumber(row.id), name: readText(row.name) })

const FOUND_LIMIT = literal(MAX_FOUND)

/** The columns that distinguish venues or organizers of the same name. @see detailIn */
export const DETAIL_COLUMNS = { venue: sql`address, city`, organizer: sql`email, website` } as const

/** A query for venues or organizers as options. @param end the end of the statement, from its condition on */
const selectRelated = (name: 'venue' | 'organizer', end: SQL): Query<Choice[]> =>
  many(sql`SELECT id, name, ${DETAIL_COLUMNS[name]} FROM ${RELATED[name].table} WHERE ${end}`, readChoice)

const RELATED = { venue: VENUES, organizer: ORGANIZERS } as const

const selectTags = (condition: SQL, end?: SQL): Query<Choice[]> =>
  mapQuery(selectTerms(TAGS, condition, end), rows => rows.map(toChoice))

/**
 * A query for the results of a search: venues and organizers that the caller may read, or tags that they may
 * know of.
 */
export function selectLinkedChoices(context: BaseContext, name: LinkField, words: string): Query<Choice[]> {
  const search = words.trim().slice(0, 200)
  if (search === '') return resolvedQuery([])
  if (name === 'tags')
    return selectTags(
      termListedSql(context, { search }),
      sql`ORDER BY count DESC, sort_name LIMIT ${FOUND_LIMIT}`,
    )
  if (name === 'post_parent') return selectParentChoices(context, search)
  const foundSql = relatedListedSql(context, RELATED[name], { search })
  const order = sql`ORDER BY name = ${search} COLLATE NOCASE DESC, name, id`
  const foundRows = selectRelated(name, sql`${foundSql} ${order} LIMIT ${FOUND_LIMIT}`)
  return combineQueries(
    { matchingRows: foundRows, alike: selectAlikeChoices(context, name, search) },
    ({ matchingRows, alike }) => (matchingRows.length > 0 ? matchingRows : alike),
  )
}

/** The number of letters at its beginning that a misspelled name shares with the right one. */
const PREFIX_LENGTH = 3
/** The most names of one beginning that are compared, those of the most similar length first. */
const MAX_COMPARED = literal(40)
/** The least likeness of two names, one of which may be a misspelling of the other. */
const MIN_LIKENESS = 0.4

/** A query for the venues or organizers with a similar name, the most similar first. */
function selectAlikeChoices(
  context: BaseContext,
  name: 'venue' | 'organizer',
  text: string,
): Query<Choice[]> {
  const { table, searchTable } = RELATED[name]
  const prefix = [...fold(text)].slice(0, PREFIX_LENGTH).join('')
  // The index has no shorter words.
  if (prefix.length < PREFIX_LENGTH) return resolvedQuery([])
  const wantedTrigrams = trigrams(comparable(text))
  const samePrefixSql = sql`id IN (SELECT rowid FROM ${sql.identifier(searchTable)}
    WHERE search_text MATCH ${beginningWith(prefix)})`
  const order = sql`ORDER BY abs(length(name) - ${text.length}), id LIMIT ${MAX_COMPARED}`
  return mapQuery(
    selectRelated(name, sql`${samePrefixSql} AND ${listedSql(table, undefined, context)} ${order}`),
    rows =>
      rows
        .map(row => ({ row, likeness: trigramLikeness(wantedTrigrams, trigrams(comparable(row.name))) }))
        .filter(({ likeness }) => likeness >= MIN_LIKENESS)
        .sort((a, b) => b.likeness - a.likeness)
        .slice(0, MAX_FOUND)
        .map(({ row }) => row),
  )
}

/** A query for the events that are on now or later and that a search finds, with their days. */
function selectParentChoices(context: BaseContext, search: string): Query<Choice[]> {
  const page = { page: 1, perPage: MAX_FOUND, offset: 0 }
  const foundEvents = eventPage(context, { values: { search, search_in: 'all', happening: 'now' }, page })
  return many(
    sql`WITH page(id) AS MATERIALIZED (${pageStatement(foundEvents)})
      SELECT ${events.id} AS id, title AS name, substr(start_date, 1, 10) AS day
      FROM page CROSS JOIN ${events} ON ${events.id} = page.id`,
    readChoice,
  )
}

/** The most suggestions before anything is typed. */
const MAX_RECENT = literal(6)
/** The newest events whose venues and organizers are suggested. */
const NEWEST_EVENTS = literal(60)

/** A query for the venues or organizers of the newest events, for a field in which nothing is typed yet. */
export function selectRecentLinked(context: BaseContext, name: 'venue' | 'organizer'): Query<Choice[]> {
  const { table, links } = RELATED[name]
  return many(
    sql`SELECT ${table.id} AS id, ${table.name} AS name, ${DETAIL_COLUMNS[name]}
      FROM (SELECT target_id, max(event_id) AS latest FROM ${links}
        WHERE event_id IN (SELECT id FROM ${events} ORDER BY id DESC LIMIT ${NEWEST_EVENTS}) GROUP BY 1) AS recent
      CROSS JOIN ${table} ON ${table.id} = recent.target_id
      WHERE ${readableSql(table, context)} ORDER BY recent.latest DESC LIMIT ${MAX_RECENT}`,
    readChoice,
  )
}

/**
 * A submitted form in which the text of a search field has become a choice: the only venue or organizer of
 * that name. This includes the name of a new one without any other details, which becomes a search if several
 * have it: the API would take the oldest. A name that is not similar to a known one is new; the form says so
 * before it is saved, because without scripts that is where a search ends. Otherwise the text stays and the
 * user is asked, because a misspelled name would create a duplicate. A form that is shown again stays as
 * it is.
 */
export async function withSearches(
  { context, language }: { context: RequestContext; language: string },
  form: Form,
  posted: SubmittedForm,
): Promise<SubmittedForm> {
  if (isShownAgain(posted)) return posted
  const { entries } = posted
  const typedNames = (['venue', 'organizer'] as const).flatMap(name => {
    if (form.resource !== 'event' || !form.fields.some(field => field.name === name)) return []
    const isSearch = isSearching(entries, name)
    const text = isSearch ? entry(entries, searchInput(name)).trim() : bareName(entries, name)
    return text === undefined ? [] : [{ name, text, isSearch }]
  })
  if (typedNames.length === 0) return posted
  const lists = await context.db.read(
    combineQueries(
      Object.fromEntries(
        typedNames.map(({ name, text }) => [name, selectLinkedChoices(context, name, text)]),
      ),
    ),
  )
  const errors = new Map(posted.errors)
  const changedEntries = typedNames.flatMap(({ name, text, isSearch }): [string, string[]][] => {
    const choices = lists[name] ?? []
    const [onlyChoice, ...otherChoices] = choices.filter(choice => fold(choice.name) === fold(text))
    if (onlyChoice && otherChoices.length === 0)
      return [
        [name, [...entriesNamed(entries, name), String(onlyChoice.id)]],
        [searchInput(name), ['']],
        [nameInput(name), ['']],
      ]
    if (!isSearch && onlyChoice) {
      errors.set(name, filled(textsIn(language).form.severalNamed, { name: text }))
      return [
        [searchInput(name), [text]],
        [nameInput(name), ['']],
      ]
    }
    if (!isSearch || choices.length > 0) return []
    errors.set(name, filled(textsIn(language).form.isNew, { name: text }))
    return [
      [searchInput(name), ['']],
      [nameInput(name), [text]],
    ]
  })
  return { ...posted, entries: withEntries(entries, changedEntries), errors }
}

/**
 * A query for the names of linked items, as far as the caller may read them.
 * @param ids a list or a SELECT, in parentheses
 */
export function selectLinkedNames(context: BaseContext, name: LinkField, ids: SQL): Query<Choice[]> {
  const chosenSql = sql`id IN ${ids}`
  if (name === 'tags') return selectTags(sql`${chosenSql} AND ${termReadableSql(context)}`)
  if (name === 'post_parent')
    return many(
      sql`SELECT id, title AS name FROM ${events} WHERE ${chosenSql} AND ${readableSql(events, context)}`,
      readChoice,
    )
  return selectRelated(name, sql`${chosenSql} AND ${readableSql(RELATED[name].table, context)}`)
}

export const idsInEntries = (entries: Entries, name: string): number[] =>
  entriesNamed(entries, name).flatMap(text => (/^\d{1,15}$/.test(text) ? [Number(text)] : []))

export const offeredFromLibrary = (context: BaseContext, row: ImageRow): OfferedImage =>
  offeredImage(serializeLibraryImage(row, context))

const offeredImage = (image: ImageResponse & { title?: string }): OfferedImage => {
  const { id, url, sizes, title, alt_text: alt = '' } = image
  return {
    id,
    // The thumbnail is cropped to a square, which spoils logos and posters.
    thumbnail: sizes.medium?.url ?? url,
    full: sizes.large?.url ?? url,
    name: title || alt || fileName(url) || `#${id}`,
    alt,
  }
}

/** The file name in an address, without its extension. Percent-encoding stays as it is. */
const fileName = (url: string): string =>
  new URL(url).pathname
    .replace(/^.*\//, '')
    .replace(/\.\w+$/, '')
    .slice(0, 80)

function selectOfferedImages(
  context: BaseContext,
  id: number | undefined,
  search: string,
): Query<NonNullable<Choices['images']>[string]> {
  return mapQuery(
    selectNewestMedia(context, { search, limit: MAX_IMAGES, ...(id !== undefined && { id }) }),
    rows => {
      const offered = rows.map(row => offeredFromLibrary(context, row))
      const chosenImage = offered.find(image => image.id === id)
      return { chosen: chosenImage, library: offered }
    },
  )
}

/** True if the caller may upload images, and if uploads can be stored. */
export const mayUpload = ({ caller, media, images }: ContentContext): boolean =>
  may(caller, 'upload_media') && media !== undefined && images !== undefined

const selectPossibleAuthors = (): Query<Choice[]> =>
  many(
    build
      .select({ id: users.id, name: displayName })
      .from(users)
      .where(ne(users.role, 'subscriber'))
      .orderBy(sql`${displayName} COLLATE NOCASE`)
      .limit(MAX_USERS),
  )

/**
 * A query for the options of a form.
 *
 * @param entries of the form; none before the resource is read
 * @param id of the stored resource
 */
export function selectChoices(
  context: RequestContext,
  form: Form,
  entries: Entries = new Map(),
  id?: number,
): Query<Choices> {
  const hasField = (name: string): boolean => form.fields.some(field => field.name === name)
  const { caller } = context
  const linkedFields = LINK_FIELDS.filter(hasField)
  const selectChosen = (name: LinkField): Query<Choice[]> => {
    const ids = idsInEntries(entries, name)
    return ids.length === 0 ? resolvedQuery([]) : selectLinkedNames(context, name, inList(ids))
  }
  const forEachLink = <T>(select: (name: LinkField) => Query<T>) =>
    combineQueries(Object.fromEntries(linkedFields.map(name => [name, select(name)])))
  return combineQueries(
    {
      chosen: forEachLink(selectChosen),
      matches: forEachLink(name => selectLinkedChoices(context, name, entry(entries, searchInput(name)))),
      categories:
        hasField('categories') || hasField('parent')
          ? selectTerms(
              CATEGORIES,
              termReadableSql(context),
              sql`ORDER BY sort_name, id LIMIT ${literal(MAX_CATEGORIES)}`,
            )
          : resolvedQuery([]),
      offered: combineQueries(
        Object.fromEntries(
          form.fields.flatMap(({ name, control: { selectOffers } }) =>
            selectOffers ? [[name, selectOffers(context, { name, entries, id })]] : [],
          ),
        ),
      ),
      users:
        hasField('author') && may(caller, 'edit_others_content')
          ? selectPossibleAuthors()
          : resolvedQuery([]),
      images: combineQueries(
        Object.fromEntries(
          IMAGE_FIELDS.filter(hasField).map(name => [
            name,
            selectOfferedImages(context, idsInEntries(entries, name)[0], entry(entries, searchInput(name))),
          ]),
        ),
      ),
    },
    ({ chosen, matches, offered, categories, users, images }) => ({
      chosen,
      offered: mergedFields(Object.values(offered)),
      matches: Object.fromEntries(
        Object.entries(matches).filter(([name]) => entry(entries, searchInput(name)).trim() !== ''),
      ),
      categories,
      users,
      images,
      mayCreateTerms: may(caller, 'create_terms'),
      mayPublish: may(caller, 'publish_content'),
      mayUpload: mayUpload(context),
    }),
  )
}

/** The options of a form together with the items that a response names. */
export function withStored(choices: Choices, body: Body): Choices {
  const images = Object.entries(choices.images ?? {}).map(
    ([name, offered]) => [name, { ...offered, chosen: offered.chosen ?? imageIn(body, name) }] as const,
  )
  const chosenLinks = Object.fromEntries(
    LINK_FIELDS.map(name => [name, [...(choices.chosen?.[name] ?? []), ...linkedIn(body, name)]]),
  )
  return {
    ...choices,
    chosen: chosenLinks,
    images: Object.fromEntries(images),
  }
}

function imageIn(body: Body, name: string): OfferedImage | undefined {
  const image = body[name]
  // An image in a response is complete, but the settings only have the ids of their images.
  return isObject(image) && 'sizes' in image ? offeredImage(image as ImageResponse) : undefined
}
