import * as z from 'zod/mini'
import { type BaseContext, type RequestContext, wordpressBase } from '../../kit/context.ts'
import { dispatch } from '../../kit/http/dispatch.ts'
import { errorIn } from '../../kit/http/error-replies.ts'
import { field, searchParam, someOf } from '../../kit/http/params.ts'
import { withRenamedParams } from '../../kit/lib/errors.ts'
import { namedSlug } from '../../kit/lib/slug.ts'
import type { Status } from '../../kit/lib/statuses.ts'
import { isoDate } from '../../kit/lib/time.ts'
import { FIELD_LIMITS, isEmpty, isObject, refuse, requirePresent } from '../../kit/lib/values.ts'
import {
  idsParam,
  linksIn,
  linksSchema,
  rawValue,
  renderedField,
  renderedText,
  slugsParam,
  wordpressPageParams,
} from './shapes.ts'

// Events, venues and organizers are posts of WordPress. Writes of a post become requests of the resource's
// own route, with the same rights, checks and errors.

/**
 * A type of post. Its fields are those of a resource by the names that WordPress and The Events Calendar have
 * for them.
 */
export type PostType<Name extends string = string> = {
  /** The name in WordPress, which is also the last part of the path. */
  name: Name
  fields: Readonly<Record<string, string>>
  /** The fields in `meta`, by the names under which The Events Calendar stores them. */
  meta: Readonly<Record<string, string>>
  /** Fields that are false where WordPress stores an empty text. */
  flags: readonly string[]
}

export const COMMON_FIELDS = {
  content: 'description',
  status: 'status',
  slug: 'slug',
  date: 'date',
  author: 'author',
  featured_media: 'image',
} as const

export const postsPath = ({ name }: PostType): string => `/wp/v2/${name}`

export const postAddress = (context: BaseContext, post: PostType, id: number): string =>
  `${wordpressBase(context)}${postsPath(post)}/${id}`

/** A value that the resource's own route checks. For a rendered text, it is the raw text. */
export const passedOn = (description: string, example: unknown) =>
  z.optional(field(rawValue, { description, example }))

type Examples = { title: string; content: string; slug: string; meta: object }

/** The fields of requests that posts of all types have. */
export const postParams = ({ meta }: PostType, example: Examples) => ({
  title: passedOn('Title, as text or as `{raw}`.', example.title),
  content: passedOn('Description, as text or as `{raw}`.', example.content),
  status: passedOn('Status.', 'publish'),
  slug: passedOn('Slug.', example.slug),
  date: passedOn('Date of publication.', '2027-05-01T10:00:00'),
  author: passedOn('Id of the author.', 1),
  featured_media: passedOn('Id of the image; 0 for none.', 0),
  meta: z.optional(
    field(raw => (isEmpty(raw) ? {} : isObject(raw) ? raw : refuse('must be an object')), {
      type: 'object',
      description: `${Object.keys(meta).join(', ')}; others are named in \`X-Ignored-Fields\`.`,
      example: example.meta,
    }),
  ),
})

export const postFields = <Name extends string>({ name }: PostType<Name>) => ({
  id: z.int(),
  date: z.string(),
  date_gmt: z.string(),
  guid: renderedField,
  modified: z.string(),
  modified_gmt: z.string(),
  slug: z.string(),
  status: z.string(),
  type: z.literal(name),
  link: z.string(),
  title: renderedField,
  content: renderedField,
  author: z.int(),
  featured_media: z.int(),
  meta: z.record(z.string(), z.unknown()),
  _links: linksSchema,
})

/** The parameters of lists of posts. @param exampleSlug a slug of the type */
export const postListParams = (exampleSlug: string) => ({
  ...wordpressPageParams,
  search: searchParam,
  include: idsParam('Only these ids.'),
  slug: slugsParam(namedSlug, FIELD_LIMITS.name, exampleSlug),
  status: z.optional(
    someOf(['publish', 'future', 'draft', 'pending', 'private', 'any'], {
      description: 'Only these statuses, or `any`. Callers get no others than they may read.',
      default: ['publish'],
      example: ['publish'],
    }),
  ),
})

/** The statuses that a list shows: those of the request, or all except for the trash. */
export const listedStatusesOf = (
  statuses: readonly (Status | 'any')[] = ['publish'],
): Status[] | undefined =>
  statuses.includes('any') ? undefined : statuses.filter(status => status !== 'any')

/** The part of the resources' responses that posts of all types show. */
export type PostResponse = {
  id: number
  author: string
  status: string
  slug: string
  url: string
  date: string
  date_utc: string
  modified: string
  modified_utc: string
  description?: string | undefined
  image?: { id: number } | false | undefined
}

/**
 * The fields of a post that posts of all types show.
 * @param values the values of `meta`, by the resource's own names
 */
export function shownPost<Name extends string>(
  context: BaseContext,
  post: PostType<Name>,
  { response, title, values }: { response: PostResponse; title: string; values: Record<string, unknown> },
) {
  return {
    id: response.id,
    date: isoDate(response.date),
    date_gmt: isoDate(response.date_utc),
    guid: renderedText(response.url),
    modified: isoDate(response.modified),
    modified_gmt: isoDate(response.modified_utc),
    slug: response.slug,
    status: response.status,
    type: post.name,
    link: response.url,
    title: renderedText(title),
    content: renderedText(response.description ?? ''),
    author: Number(response.author),
    featured_media: response.image ? response.image.id : 0,
    meta: Object.fromEntries(Object.entries(post.meta).map(([name, own]) => [name, values[own] ?? ''])),
    _links: linksIn(wordpressBase(context) + postsPath(post), response.id),
  }
}

/** The values of a request, with those of `meta` in an object of their own. */
type PostValues = { meta?: Readonly<Record<string, unknown>> | undefined; [name: string]: unknown }

/** The resource's own fields. Unknown names in `meta` stay, so that the response lists them as ignored. */
export function withMeta(
  { fields, meta, flags }: PostType,
  { meta: sentMeta = {}, ...values }: PostValues,
): Record<string, unknown> {
  const ownEntries = Object.entries(values).map(([name, value]) => [fields[name] ?? name, value])
  const metaEntries = Object.entries(sentMeta).map(([name, value]) => {
    const ownName = Object.hasOwn(meta, name) ? meta[name] : undefined
    if (ownName === undefined) return [`meta.${name}`, value]
    return [ownName, flags.includes(ownName) && isEmpty(value) ? false : value]
  })
  // The fields of the post win over the fields in `meta`.
  return Object.fromEntries([...metaEntries, ...ownEntries])
}

const nameInPost = ({ fields, meta }: PostType, ownName: string): string =>
  [...Object.entries(fields), ...Object.entries(meta).map(([name, own]) => [`meta.${name}`, own])].find(
    ([, own]) => own === ownName,
  )?.[0] ?? ownName

/**
 * Writes with the resource's own route.
 * @returns its response and headers.
 * @throws ApiError that uses the client's names of fields
 */
export async function writePost<Response extends PostResponse>(
  context: RequestContext,
  post: PostType,
  { method, path, body }: { method: string; path: string; body?: object | undefined },
): Promise<{ response: Response; headers: Record<string, string> }> {
  const { replies } = await dispatch(context, [
    {
      method,
      path,
      ...(body && { body }),
      headers: {
        ...(context.ifMatch !== undefined && { 'if-match': context.ifMatch }),
        ...(context.ifNoneMatch !== undefined && { 'if-none-match': context.ifNoneMatch }),
      },
    },
  ])
  const reply = requirePresent(replies[0], 'the reply of the API')
  // The body of a success is the resource, as the route declares.
  if (reply.status < 300) return { response: reply.body as Response, headers: reply.headers ?? {} }
  throw withRenamedParams(errorIn(reply), name => nameInPost(post, name))
}
