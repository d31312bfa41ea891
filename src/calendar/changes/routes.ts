import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, resolvedQuery } from '../../kit/db/query.ts'
import { reportUnknown, selectUnknownValues } from '../../kit/db/references.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { documented, integer, namedSchema, text } from '../../kit/http/params.ts'
import { ok, SHORTENED, shortened } from '../../kit/http/reply.ts'
import { audienceOf, siteToday } from '../../kit/http/revision.ts'
import type { FieldsSchema, Route } from '../../kit/http/route.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { COPIED_ORGANIZERS, COPIED_TERMS, COPIED_VENUES } from './copied-resources.ts'
import { COPIED_EVENTS } from './events.ts'
import {
  type CopiedResource,
  copyingContext,
  firstPosition,
  nextPosition,
  readWholeRows,
  selectPart,
} from './queries.ts'
import { isValidToken, makeToken, readToken } from './token.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 500

const ownParams = {
  since: z.optional(
    text({
      description:
        'The token `next` of the last response, to read only what has changed since. Without it, everything. Editors and administrators copy what they see, everybody else what the public sees.',
      example: 'WzE3OTUxNzM0MTIsMTIsMSwwXQ.dGhlIGRpZ2VzdCBvZiBhIHRva2Vu',
    }),
  ),
  limit: z.optional(
    integer({
      description: `Changes per response, at most ${MAX_LIMIT}.`,
      default: DEFAULT_LIMIT,
      example: 500,
    }),
  ),
}

type OwnParams = { since?: string | undefined; limit?: number | undefined }

const limitOf = ({ limit = DEFAULT_LIMIT }: OwnParams): number => Math.min(limit, MAX_LIMIT)

/** The name of the list that a token belongs to. A token also belongs to a database. */
const listWithFilters = (plural: string, context: BaseContext, values: object): string => {
  const filters = Object.entries(values).filter(([name]) => name !== 'since' && name !== 'limit')
  return [plural, audienceOf(context.caller), context.settings.timezone, JSON.stringify(filters.sort())].join(
    ' ',
  )
}

/** An empty part, for a request that fails anyway. */
const NO_PART = { steps: [], rows: [], latest: undefined }

function changesRoute<P, R extends { id: number }, Item>(resource: CopiedResource<P, R, Item>): Route {
  const { plural, schemaId, item, params } = resource
  type ChangesParams = Partial<P> & OwnParams
  // The schema has the parameters of both schemas.
  const query = z.extend(params, ownParams) as FieldsSchema<P & OwnParams>
  return defineRead({
    path: `/${plural}/changes`,
    collection: plural,
    summary: `Copy ${plural}, and keep the copy up to date`,
    requires: 'read',
    query,
    responses: { 200: bodySchema(schemaId, plural, item) },
    headers: SHORTENED,
    errors: ['rest_sync_expired', ...(plural === 'events' ? (['rest_moved'] as const) : [])],
    check: (context, { query }, errors) => resource.validate?.(copyingContext(context), query, errors),
    load: (context, { query, fields }, isBad) => {
      const copying = copyingContext(context)
      const values: ChangesParams = query
      const token = values.since === undefined ? undefined : readToken(values.since)
      return combineQueries({
        part:
          isBad || (values.since !== undefined && token === undefined)
            ? resolvedQuery(NO_PART)
            : selectPart(copying, resource, {
                values,
                position: token?.position,
                limit: limitOf(values),
                fields,
              }),
        unknown: selectUnknownValues(resource.references?.(copying, values) ?? []),
        sent: resolvedQuery(token),
      })
    },
    prepare: (_, { unknown, ...loaded }, __, errors) => {
      reportUnknown(errors, unknown)
      return loaded
    },
    handle: async (context, { prepared: { part, sent }, query, fields }) => {
      const copying = copyingContext(context)
      const values: ChangesParams = query
      const { latest } = part
      const binding = {
        databaseSecret: latest?.databaseSecret ?? '',
        list: listWithFilters(plural, copying, values),
        today: siteToday(copying),
      }
      if (values.since !== undefined && !(sent && (await isValidToken(sent, binding))))
        throw new ApiError(
          'rest_sync_expired',
          'The token is too old, or belongs to another list, caller or database: start over without it.',
        )
      const position = sent?.position ?? firstPosition(copying, latest)
      const steps = await readWholeRows(copying, resource, { part, limit: limitOf(values), fields })
      const next = nextPosition(copying, { ...steps, position, latest, cursorOf: resource.cursorOf })
      const body = {
        [plural]: steps.rows.map(row => resource.serialize(row, copying)),
        deleted: steps.deleted,
        next: await makeToken(next.position, binding),
        more: next.more,
      }
      return ok(body, shortened(steps.rows.some(row => resource.isShortened?.(row))))
    },
  })
}

const bodySchema = (id: string, plural: string, item: z.ZodMiniType) =>
  namedSchema<{ deleted: number[]; next: string; more: boolean; [plural: string]: unknown }>(
    id,
    z.object({
      [plural]: documented(z.array(item), 'New and changed items, in full.'),
      deleted: documented(z.array(z.int()), 'Ids of items that are gone or no longer in this list.'),
      next: documented(z.string(), 'The token for the next request, as `since`.'),
      more: documented(z.boolean(), 'True if there is more to read now.'),
    }),
  )

export const changesRoutes: Route[] = [
  changesRoute(COPIED_EVENTS),
  changesRoute(COPIED_VENUES),
  changesRoute(COPIED_ORGANIZERS),
  ...COPIED_TERMS.map(resource => changesRoute(resource)),
]
