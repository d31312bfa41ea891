import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { selectRelated } from '../../calendar/content/related/queries.ts'
import type { RelatedResource, RelatedRow } from '../../calendar/content/related/resource.ts'
import { codesOf } from '../../calendar/content/resource.ts'
import { ARTICLE, mergedError, versionedBody } from '../../calendar/content/routes.ts'
import { requireReadableRow, selectMovedTo } from '../../calendar/content/visibility.ts'
import { type ORGANIZER_FIELDS, ORGANIZERS } from '../../calendar/organizers/resource.ts'
import { VENUES } from '../../calendar/venues/resource.ts'
import type { VENUE_FIELDS } from '../../calendar/venues/schema.ts'
import type { BaseContext } from '../../kit/context.ts'
import { combineQueries, first } from '../../kit/db/query.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { documented, lazyObject } from '../../kit/http/params.ts'
import { LOCATION, okVersioned } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import {
  COMMON_FIELDS,
  listedStatusesOf,
  type PostResponse,
  type PostType,
  passedOn,
  postAddress,
  postFields,
  postListParams,
  postParams,
  postsPath,
  shownPost,
  withMeta,
  writePost,
} from './posts.ts'
import { defineWordpressList, WORDPRESS_SUBJECT } from './shapes.ts'

// Venues and organizers in the format of WordPress: programs that write events look them up here by name, and
// create what is missing.

const VENUE_POST: PostType<'tribe_venue'> = {
  name: 'tribe_venue',
  fields: { title: 'venue', ...COMMON_FIELDS } satisfies Record<string, keyof typeof VENUE_FIELDS>,
  meta: {
    _VenueAddress: 'address',
    _VenueCity: 'city',
    _VenueCountry: 'country',
    _VenueProvince: 'province',
    _VenueState: 'state',
    _VenueStateProvince: 'stateprovince',
    _VenueZip: 'zip',
    _VenuePhone: 'phone',
    _VenueURL: 'website',
    _VenueLat: 'geo_lat',
    _VenueLng: 'geo_lng',
    _VenueShowMap: 'show_map',
    _VenueShowMapLink: 'show_map_link',
  } satisfies Record<string, keyof typeof VENUE_FIELDS>,
  flags: ['show_map', 'show_map_link'] satisfies (keyof typeof VENUE_FIELDS)[],
}

const ORGANIZER_POST: PostType<'tribe_organizer'> = {
  name: 'tribe_organizer',
  fields: { title: 'organizer', ...COMMON_FIELDS } satisfies Record<string, keyof typeof ORGANIZER_FIELDS>,
  meta: {
    _OrganizerPhone: 'phone',
    _OrganizerEmail: 'email',
    _OrganizerWebsite: 'website',
  } satisfies Record<string, keyof typeof ORGANIZER_FIELDS>,
  flags: [],
}

const listParams = lazyObject('WordPressPostParams', () => postListParams('the-barn'))

/** The routes of a type of post. @param id the name of its schema */
function postRoutes<R extends RelatedRow, Response extends PostResponse, Name extends string>(
  resource: RelatedResource<R, Response>,
  post: PostType<Name>,
  { id: schemaId, example }: { id: string; example: { name: string; slug: string; meta: object } },
): Route[] {
  const { singular, plural } = resource
  const path = postsPath(post)
  const codes = codesOf(singular)
  const shape = z.lazy(() => documented(z.object(postFields(post)), { id: schemaId }))
  const params = documented(
    z.object({
      ...postParams(post, { ...example, title: example.name, content: 'Since 1901.' }),
      status: passedOn('Status; `draft` when absent, as in WordPress.', 'publish'),
    }),
    { id: `${schemaId}Fields` },
  )

  function postOf(context: BaseContext, response: Response): z.output<typeof shape> {
    const values: Record<string, unknown> = { ...response }
    return shownPost(context, post, { response, title: String(values[singular]), values })
  }

  return [
    defineWordpressList({
      path,
      summary: `List ${plural} as WordPress does`,
      params: listParams,
      item: shape,
      select: (context, { values: { status, ...values }, page }) =>
        selectRelated(context, resource, { values: { ...values, status: listedStatusesOf(status) }, page }),
      serialize: (context, row) => postOf(context, resource.serialize(row, context)),
      endsWithError: true,
    }),
    defineWrite({
      methods: ['POST'],
      path,
      subject: WORDPRESS_SUBJECT,
      summary: `Create ${ARTICLE[singular]} ${singular} as clients of WordPress do`,
      requires: 'edit_content',
      body: params,
      responses: { 201: shape },
      headers: LOCATION,
      handle: async (context, { body }) => {
        const writtenReply = await writePost<Response>(context, post, {
          method: 'POST',
          path: `/${plural}`,
          body: withMeta(post, { status: 'draft', ...body }),
        })
        const createdPost = postOf(context, writtenReply.response)
        const Location = postAddress(context, post, createdPost.id)
        return { status: 201 as const, body: createdPost, headers: { ...writtenReply.headers, Location } }
      },
    }),
    defineRead({
      path: `${path}/{id}`,
      subject: WORDPRESS_SUBJECT,
      summary: `Read one ${singular} as WordPress shows it`,
      requires: 'read',
      responses: { 200: shape },
      errors: ['rest_moved', codes.notFound, codes.notAccessible, codes.trashed],
      load: (context, { id, key }) =>
        combineQueries({
          row: first(resource.select(context, eq(resource.table.id, id))),
          survivor: selectMovedTo(context, resource, key),
        }),
      prepare: (context, { row, survivor }, { key }) => {
        if (survivor && !row) throw mergedError(survivor.id, postAddress(context, post, survivor.id))
        return requireReadableRow(context, { resource, row, key })
      },
      handle: (context, { prepared: row }) =>
        okVersioned(versionedBody(resource, row, postOf(context, resource.serialize(row, context)))),
    }),
  ]
}

/** The routes of venues and organizers at the paths of WordPress. */
export const wordpressRelated: Route[] = [
  ...postRoutes(VENUES, VENUE_POST, {
    id: 'WordPressVenue',
    example: { name: 'The Barn', slug: 'the-barn', meta: { _VenueCity: 'Kent' } },
  }),
  ...postRoutes(ORGANIZERS, ORGANIZER_POST, {
    id: 'WordPressOrganizer',
    example: { name: 'The Guild', slug: 'the-guild', meta: { _OrganizerPhone: '+353 1 234' } },
  }),
]
