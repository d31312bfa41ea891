import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BaseContext } from '../../../kit/context.ts'
import type { ChangedFields } from '../../../kit/db/audit.ts'
import {
  combineQueries,
  inList,
  many,
  mapQuery,
  type Query,
  readNumber,
  readText,
  resolvedQuery,
} from '../../../kit/db/query.ts'
import { type Taxonomy, terms } from '../../../kit/db/tables.ts'
import { checkInput, missingFields } from '../../../kit/http/input.ts'
import { field, lineOf } from '../../../kit/http/params.ts'
import { ApiError, type ValidationErrors } from '../../../kit/lib/errors.ts'
import { codedReason } from '../../../kit/lib/reasons.ts'
import { type Caller, may } from '../../../kit/lib/roles.ts'
import type { Status } from '../../../kit/lib/statuses.ts'
import { toPlain } from '../../../kit/lib/text.ts'
import {
  FIELD_LIMITS,
  InvalidValue,
  isFilledList,
  isObject,
  refuse,
  requireLength,
  singleValue,
  toInteger,
} from '../../../kit/lib/values.ts'
import { assertAuthor, checkReferences } from '../../content/known-references.ts'
import type { WaitingPublication } from '../../content/publication.ts'
import {
  existingTarget,
  prepareNewRelated,
  type ReferencedByRelated,
  type RelatedTarget,
  selectReferencedByRelated,
} from '../../content/related/prepare.ts'
import { nameInValues, type RelatedTables, type RelatedValues } from '../../content/related/resource.ts'
import { readableSql, readStatus } from '../../content/visibility.ts'
import { ORGANIZERS } from '../../organizers/resource.ts'
import { termReadableSql } from '../../terms/queries.ts'
import { nameKey } from '../../terms/resource.ts'
import { VENUES } from '../../venues/resource.ts'

// The fields for venues, organizers, categories and tags of an event: the choices that a request makes, and
// the rows that these choices lead to. Objects in the form of responses are accepted as well, so that an
// event that was read can be sent back.

export const RELATIONS = ['venue', 'organizer', 'categories', 'tags'] as const

export type RelationName = (typeof RELATIONS)[number]

export const isRelation = (name: string): name is RelationName => RELATIONS.some(other => other === name)

/**
 * A venue or organizer: by id, or by the values of one to find or create. If a request has both, the values
 * count if the id is unknown, or if they have a slug and the row with this id has another name and slug: a
 * program that copies events from another calendar sends the ids of that calendar.
 */
type LinkChoice = { id?: number; values?: RelatedValues }

/** A category or tag: by id, name or slug. If `creatable`, an unknown name is created. */
type TermChoice = { id?: number; name?: string; slug?: string; creatable: boolean }

/** The choices of a request. Relations that it doesn't name are absent. */
type RelationValues = {
  venue?: LinkChoice[] | undefined
  organizer?: LinkChoice[] | undefined
  categories?: TermChoice[] | undefined
  tags?: TermChoice[] | undefined
}

/** The most characters of a value that an error repeats. */
const MAX_SHOWN_LENGTH = 40

const isDigits = (raw: unknown): boolean =>
  typeof raw === 'number' || (typeof raw === 'string' && /^\s*\d+\s*$/.test(raw))

/** The items of a list: a text is split at commas, the items of an array are not. */
function rawItems(raw: unknown): unknown[] {
  const items: unknown[] =
    typeof raw === 'string' ? raw.split(',').map(part => part.trim()) : Array.isArray(raw) ? raw : [raw]
  return atMost(
    FIELD_LIMITS.links,
    items.filter(item => item !== '' && item !== null && item !== false),
  )
}

function atMost<T>(maxItems: number, items: T[]): T[] {
  if (items.length > maxItems)
    throw new InvalidValue(
      codedReason('too_many_items', `must have at most ${maxItems} items`, { n: maxItems }),
    )
  return items
}

/** JSON Schema of a number, a text, an object of some forms, or a list of these. */
function oneOrSeveral(maxItems: number, ...objects: object[]): object[] {
  const entry = [{ type: 'integer' }, { type: 'string' }, ...objects]
  return [...entry, { type: 'array', items: { anyOf: entry }, maxItems }]
}

const BY_ID = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }

/** A category or tag in the form of responses: by its id, else by its name or slug. */
const TERM = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, slug: { type: 'string' } },
}

/** `documented` has the fields for the documentation, which may be more. */
type NestedKind = Pick<RelatedTables, 'singular' | 'fields' | 'validate'> & { documented?: z.ZodMiniObject }

/**
 * A field for venues or organizers: by id, or with the fields of a new one. 0 stands for none, as with
 * parents.
 */
export const linkChoices = (
  resource: NestedKind,
  description: string,
  maxItems: number = FIELD_LIMITS.links,
) =>
  field(
    raw =>
      atMost(
        maxItems,
        rawItems(raw === 0 || raw === '0' ? [] : raw).flatMap(item => linkChoice(item, resource)),
      ),
    {
      description,
      anyOf: oneOrSeveral(maxItems, BY_ID, {
        $ref: `#/components/schemas/${z.globalRegistry.get(resource.documented ?? resource.fields)?.id}`,
      }),
      example: [{ [resource.singular]: resource.singular === 'venue' ? 'The Barn' : 'The Guild' }],
    },
  )

function linkChoice(raw: unknown, resource: NestedKind): LinkChoice[] {
  if (typeof raw === 'string' && raw.includes(','))
    return rawItems(raw).flatMap(item => linkChoice(item, resource))
  if (isDigits(raw)) return [{ id: toInteger(raw, 1) }]
  if (!isObject(raw)) {
    const { singular } = resource
    const name = typedName(raw)
    throw new InvalidValue(
      `must be an id or an object: by name it is ${exampleOf(raw, singular)}, in forms ${singular}[${singular}]=${name}`,
    )
  }
  const id = singleValue(raw.id)
  const name = raw[resource.singular]
  if (isFilledList(id)) return refuse('must have one id')
  if (!isDigits(id)) return [{ values: newValues(raw, resource) }]
  const link = { id: toInteger(id, 1) }
  const isNamed = isFilledList(name) || (typeof name === 'string' && name !== '')
  return isNamed ? [{ ...link, values: newValues(raw, resource) }] : [link]
}

/** The name in a value of another form, or an example. */
const typedName = (raw: unknown): string =>
  typeof raw === 'string' && raw !== '' ? raw.slice(0, MAX_SHOWN_LENGTH).toWellFormed() : 'The Barn'

/** An example of the right form, with the value itself, its `name` or its `title` as the name. */
const exampleOf = (raw: unknown, singular: string): string =>
  JSON.stringify({ [singular]: typedName(isObject(raw) ? (raw.name ?? raw.title) : raw) })

/** Checks the fields of a nested venue or organizer, by the rules of its own route. */
function newValues(
  raw: Readonly<Record<string, unknown>>,
  { singular, fields, validate }: NestedKind,
): RelatedValues {
  const missing = missingFields(fields, raw)
  if (missing)
    throw new InvalidValue(
      codedReason('missing', `${missing.message}. A new one is ${exampleOf(raw, singular)}`),
    )
  const { values, errors } = checkInput(fields, raw)
  validate?.(values, undefined, errors)
  if (errors.hasAny) throw new InvalidValue(errors.summary)
  return values
}

/** A field for categories or tags. */
export const termChoices = (description: string, maxItems: number = FIELD_LIMITS.links) =>
  field(raw => atMost(maxItems, rawItems(raw)).map(termChoice), {
    description,
    anyOf: oneOrSeveral(maxItems, TERM),
    example: ['Music'],
  })

const BAD_TERM = 'must be ids or names, such as [3, "Music"]'

function termChoice(raw: unknown): TermChoice {
  if (isDigits(raw)) return { id: toInteger(raw, 1), name: String(raw).trim(), creatable: false }
  if (typeof raw === 'string') return { name: termName(raw), creatable: true }
  if (!isObject(raw)) throw new InvalidValue(BAD_TERM)
  const [id, name, slug] = [raw.id, raw.name, raw.slug].map(singleValue)
  if ([id, name, slug].some(isFilledList)) throw new InvalidValue(BAD_TERM)
  const choice: TermChoice = { creatable: typeof name === 'string' }
  if (isDigits(id)) choice.id = toInteger(id, 1)
  if (typeof name === 'string') choice.name = termName(name)
  if (typeof slug === 'string') choice.slug = requireLength(slug, FIELD_LIMITS.slug)
  if (choice.id === undefined && choice.name === undefined && choice.slug === undefined)
    throw new InvalidValue(BAD_TERM)
  return choice
}

function termName(raw: string): string {
  const name = lineOf(raw, FIELD_LIMITS.name)
  if (name === '') throw new InvalidValue('must not contain an empty name')
  return name
}

/**
 * The terms that choices may mean: by id, by the key of their name and by slug. Of several the oldest counts.
 * `hidden` has terms that the caller may not know of, by the key of their name: the caller may create these.
 */
type ReferencedTerms = {
  ids: ReadonlySet<number>
  byId: ReadonlyMap<number, { name_key: string; slug: string }>
  names: ReadonlyMap<string, number>
  slugs: ReadonlyMap<string, number>
  hidden: ReadonlyMap<string, number>
}

/**
 * The terms of an event: existing ones by id, new ones by name. `hasNew` is true if any are new to the
 * caller.
 */
export type ResolvedTerms = { ids: number[]; names: string[]; hasNew: boolean }

const idsBy = (column: SQL, taxonomy: Taxonomy, texts: readonly string[]): SQL =>
  sql`SELECT id FROM ${terms} WHERE taxonomy = ${taxonomy} AND ${column} IN ${inList(texts)}`

function selectTermsNamed(
  context: BaseContext,
  taxonomy: Taxonomy,
  choices: readonly TermChoice[],
): Query<ReferencedTerms> {
  if (choices.length === 0)
    return resolvedQuery({
      ids: new Set(),
      byId: new Map(),
      names: new Map(),
      slugs: new Map(),
      hidden: new Map(),
    })
  const ids = choices.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const names = choices.flatMap(({ name }) => (name === undefined ? [] : [nameKey(name)]))
  const slugs = choices.flatMap(({ slug }) => (slug === undefined ? [] : [slug.toLowerCase()]))
  // Ids, names and slugs have a SELECT each, with its own index: with conditions joined by OR, SQLite reads
  // all terms.
  const selects = [
    ...(ids.length > 0 ? [sql`SELECT value FROM ${inList(ids)}`] : []),
    ...(names.length > 0 ? [idsBy(sql`name_key`, taxonomy, names)] : []),
    ...(slugs.length + names.length > 0 ? [idsBy(sql`slug`, taxonomy, [...slugs, ...names])] : []),
  ]
  const rows = many(
    sql`SELECT id, name_key, slug, ${termReadableSql(context)} AS is_readable FROM ${terms} WHERE +taxonomy = ${taxonomy}
      AND id IN (${sql.join(selects, sql` UNION ALL `)}) ORDER BY id DESC`,
    row => ({
      id: readNumber(row.id),
      name_key: readText(row.name_key),
      slug: readText(row.slug),
      isReadable: row.is_readable === 1,
    }),
  )
  return mapQuery(rows, termRows => {
    const readableTerms = termRows.filter(({ isReadable }) => isReadable)
    const hiddenTerms = termRows.filter(({ isReadable }) => !isReadable)
    return {
      ids: new Set(readableTerms.map(({ id }) => id)),
      byId: new Map(readableTerms.map(term => [term.id, term])),
      names: new Map(readableTerms.map(({ name_key, id }) => [name_key, id])),
      slugs: new Map(readableTerms.map(({ slug, id }) => [slug, id])),
      hidden: new Map(hiddenTerms.map(({ name_key, id }) => [name_key, id])),
    }
  })
}

/**
 * Finds the term of each choice: by an id that its name or slug does not contradict, else by name in any
 * case, else by slug. Otherwise the name is new, or a caller who may not know of its term takes it for new.
 *
 * @param parameter `categories` or `tags`, for the error of an unknown id
 */
function resolveTerms(
  parameter: string,
  choices: readonly TermChoice[],
  referencedTerms: ReferencedTerms,
  errors: ValidationErrors,
): ResolvedTerms {
  const result: ResolvedTerms = { ids: [], names: [], hasNew: false }
  for (const choice of choices) {
    const knownId = termOf(choice, referencedTerms)
    if (knownId !== undefined) result.ids.push(knownId)
    else if (choice.creatable && choice.name !== undefined) {
      const hiddenId = referencedTerms.hidden.get(nameKey(choice.name))
      if (hiddenId === undefined) result.names.push(choice.name)
      else result.ids.push(hiddenId)
      result.hasNew = true
    } else errors.add(parameter, codedReason('unknown', `there is no term ${choice.id ?? choice.slug}`))
  }
  return result
}

function termOf(
  { id, name, slug, creatable }: TermChoice,
  referencedTerms: ReferencedTerms,
): number | undefined {
  const key = name === undefined ? undefined : nameKey(name)
  if (id !== undefined && referencedTerms.ids.has(id)) {
    const term = creatable ? referencedTerms.byId.get(id) : undefined
    if (!term || slug === undefined || slug === term.slug || key === term.name_key) return id
  }
  const idByName = key === undefined ? undefined : referencedTerms.names.get(key)
  return idByName ?? referencedTerms.slugs.get(slug?.toLowerCase() ?? key ?? '')
}

/** Checks that the caller may create the new terms. @throws ApiError `rest_forbidden` */
function assertNewTerms(resolved: readonly (ResolvedTerms | undefined)[], caller: Caller): void {
  if (resolved.every(terms => !terms?.hasNew) || may(caller, 'create_terms')) return
  throw new ApiError(
    'rest_forbidden',
    `The role ${caller.role} may use categories and tags that exist, but not create any.`,
  )
}

/** The venues or organizers that events refer to. `known` are ids that the caller may read. */
export type ReferencedTargets = ReferencedByRelated & {
  known: ReadonlySet<number>
  byId: ReadonlyMap<number, { id: number; name: string; slug: string; status: Status }>
}

/** The rows that the relations of events refer to. */
export type ReferencedByRelations = {
  venue: ReferencedTargets
  organizer: ReferencedTargets
  categories: ReferencedTerms
  tags: ReferencedTerms
}

const selectTargetsById = (
  context: BaseContext,
  { table }: RelatedTables,
  ids: readonly number[],
): Query<ReferencedTargets['byId']> =>
  ids.length === 0
    ? resolvedQuery(new Map())
    : mapQuery(
        many(
          sql`SELECT id, name, slug, status FROM ${table} WHERE id IN ${inList(ids)} AND ${readableSql(table, context)}`,
          ({ id, name, slug, status }) =>
            [
              readNumber(id),
              { id: readNumber(id), name: readText(name), slug: readText(slug), status: readStatus(status) },
            ] as const,
        ),
        rows => new Map(rows),
      )

/** A query for the rows that the relations of several events refer to, by id or name. */
export function selectReferencedByRelations(
  context: BaseContext,
  values: readonly RelationValues[],
): Query<ReferencedByRelations> {
  const termChoicesOf = <N extends 'categories' | 'tags'>(name: N) =>
    values.flatMap(event => event[name] ?? [])
  const selectTargets = (resource: RelatedTables) => {
    const choices: LinkChoice[] = values.flatMap(event => event[resource.singular] ?? [])
    const ids = choices.flatMap(({ id }) => (id === undefined ? [] : [id]))
    return combineQueries({
      byId: selectTargetsById(context, resource, ids),
      related: selectReferencedByRelated(
        context,
        resource,
        choices.flatMap(({ values: nested }) => (nested ? [nested] : [])),
      ),
    })
  }
  return combineQueries(
    {
      venue: selectTargets(VENUES),
      organizer: selectTargets(ORGANIZERS),
      categories: selectTermsNamed(context, 'event_category', termChoicesOf('categories')),
      tags: selectTermsNamed(context, 'event_tag', termChoicesOf('tags')),
    },
    ({ venue, organizer, ...terms }) => ({
      venue: { ...venue.related, byId: venue.byId, known: new Set(venue.byId.keys()) },
      organizer: { ...organizer.related, byId: organizer.byId, known: new Set(organizer.byId.keys()) },
      ...terms,
    }),
  )
}

/** The resolved relations that a write gives an event. Relations that it doesn't name are absent. */
export type Relations = {
  venue?: RelatedTarget[]
  organizer?: RelatedTarget[]
  categories?: ResolvedTerms
  tags?: ResolvedTerms
}

/** The ids of a relation after the write. New rows are 0, which no stored list has. */
const relationIds = (relation: ResolvedTerms | readonly RelatedTarget[]): number[] =>
  'ids' in relation
    ? [...new Set([...relation.ids, ...relation.names.map(() => 0)])].sort((a, b) => a - b)
    : [...new Set(relation.map(target => ('same' in target ? target.same : 0)))]

/**
 * The changed values of relations. New values are null: the audit reads them from the links.
 *
 * @param stored the ids before the write
 */
export function changedRelations(
  relations: Relations,
  stored?: Readonly<Record<keyof Relations, readonly number[]>>,
): ChangedFields {
  const changedFields = RELATIONS.flatMap((name): [string, readonly [unknown, unknown]][] => {
    const relation = relations[name]
    const storedIds = stored?.[name] ?? []
    const before = name === 'categories' || name === 'tags' ? storedIds.toSorted((a, b) => a - b) : storedIds
    return relation && JSON.stringify(relationIds(relation)) !== JSON.stringify(before)
      ? [[name, [before, null]]]
      : []
  })
  return Object.fromEntries(changedFields)
}

/**
 * Resolves the relations that values name.
 *
 * @param input.waiting the publication of new venues and organizers that wait for their event
 * @param errors gets an error for each field with unknown values
 * @throws ApiError `rest_forbidden` if the caller may not give a new venue or organizer to its author, or
 *   create a term
 */
export function resolveRelations(
  context: BaseContext,
  {
    values,
    referencedRows,
    waiting,
  }: {
    values: RelationValues
    referencedRows: ReferencedByRelations
    waiting?: WaitingPublication | undefined
  },
  errors: ValidationErrors,
): Relations {
  const { venue, organizer, categories, tags } = values
  for (const { values: nested } of [...(venue ?? []), ...(organizer ?? [])])
    if (nested) assertAuthor(context, nested)
  const terms = {
    ...(categories && {
      categories: resolveTerms('categories', categories, referencedRows.categories, errors),
    }),
    ...(tags && { tags: resolveTerms('tags', tags, referencedRows.tags, errors) }),
  }
  assertNewTerms([terms.categories, terms.tags], context.caller)
  return {
    ...(venue && {
      venue: resolveTargets(
        context,
        { resource: VENUES, choices: venue, referencedRows: referencedRows.venue, waiting },
        errors,
      ),
    }),
    ...(organizer && {
      organizer: resolveTargets(
        context,
        { resource: ORGANIZERS, choices: organizer, referencedRows: referencedRows.organizer, waiting },
        errors,
      ),
    }),
    ...terms,
  }
}

/** A name that was stored with entities may be sent back with or without them. */
const isSameName = (name: string, storedName: string): boolean =>
  nameKey(name) === nameKey(toPlain(storedName))

type LinkInput = {
  resource: RelatedTables
  choices: readonly LinkChoice[]
  referencedRows: ReferencedTargets
  waiting: WaitingPublication | undefined
}

/** The venues or organizers that choices name: existing rows, and rows to create. */
function resolveTargets(
  context: BaseContext,
  { resource, choices, referencedRows, waiting }: LinkInput,
  errors: ValidationErrors,
): RelatedTarget[] {
  const { singular } = resource
  const unknownChoices = choices.filter(
    ({ id, values }) => id !== undefined && !values && !referencedRows.known.has(id),
  )
  if (unknownChoices.length > 0)
    errors.add(
      singular,
      codedReason('unknown', `there is no ${singular} ${unknownChoices.map(({ id }) => id).join(', ')}`),
    )
  return choices.flatMap(({ id, values }): RelatedTarget[] => {
    if (id !== undefined && referencedRows.known.has(id)) {
      const row = referencedRows.byId.get(id)
      const hasOtherSlug = values?.slug !== undefined && values.slug !== row?.slug
      if (!row) return [{ same: id }]
      if (!values || !hasOtherSlug || isSameName(nameInValues(resource, values), row.name))
        return [existingTarget(row)]
    }
    if (!values) return []
    checkReferences(context, { values, known: referencedRows.references }, errors, singular)
    const holder = referencedRows.byExternalId.get(values.external_id ?? '')
    if (holder?.isReadable) return [existingTarget(holder)]
    return [prepareNewRelated(context, resource, { values, referencedRows, waiting }, errors, singular)]
  })
}
