import * as z from 'zod/mini'
import type { WriteReply, WriteRequest } from '../../kit/context.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { dispatch, pathBelow } from '../../kit/http/dispatch.ts'
import { documented, field } from '../../kit/http/params.ts'
import { SHORTENED, shortened } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { RESPONSE_SIZE } from '../../kit/lib/budgets.ts'
import { asObject, InvalidValue, isObject, withoutTrailingSlashes } from '../../kit/lib/values.ts'
import { SERIES_DATES } from './series-dates.ts'

const PATH = '/batch'
const MAX_REQUESTS = 100
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

/** The headers that a request of a batch may have; others are ignored. */
const ALLOWED_HEADERS = ['if-match', 'if-none-match']

/** Headers that would give a request of a batch another caller or key than the batch. */
const REFUSED_HEADERS = ['authorization', 'cookie', 'idempotency-key']

function subRequests(raw: unknown): WriteRequest[] {
  if (!Array.isArray(raw) || raw.length === 0 || raw.length > MAX_REQUESTS)
    throw new InvalidValue(`must be a list of 1 to ${MAX_REQUESTS} writes`)
  return raw.map((item, i) => {
    const refuse = (reason: string): never => {
      throw new InvalidValue(`requests[${i}] ${reason}`)
    }
    return isObject(item) ? subRequest(item, refuse) : refuse('must be an object with a method and a path')
  })
}

function subRequest(
  { method = 'POST', path, body, headers = {} }: Readonly<Record<string, unknown>>,
  refuse: (reason: string) => never,
): WriteRequest {
  const verb = typeof method === 'string' ? method.toUpperCase() : ''
  if (!METHODS.includes(verb)) refuse(`needs a method that writes: ${METHODS.join(', ')}`)
  if (typeof path !== 'string' || !/^\/[^/\\]/.test(path))
    return refuse('needs a path below the namespace, such as /events')
  if (!isObject(headers)) return refuse('must have headers as an object of strings')
  const allowedHeaders: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (REFUSED_HEADERS.includes(name.toLowerCase())) refuse(`must not have the header ${name.toLowerCase()}`)
    // Some clients write headers as lists.
    const text: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
    if (typeof text !== 'string' || !/^[ -~]*$/.test(text)) refuse('must have headers of printable ASCII')
    if (ALLOWED_HEADERS.includes(name.toLowerCase())) allowedHeaders[name.toLowerCase()] = text
  }
  return { method: verb, path, body, headers: allowedHeaders }
}

const requestsField = field(subRequests, {
  type: 'array',
  description: `1 to ${MAX_REQUESTS} writes, carried out in order. Paths are relative to the namespace, with a query if needed; headers are \`If-Match\` and \`If-None-Match\`. At most one may contact another server, as \`/sources/{id}/sync\` does, and none with \`require-all-validate\`; none may name people who have registered.`,
  minItems: 1,
  maxItems: MAX_REQUESTS,
  items: {
    type: 'object',
    properties: {
      method: { enum: METHODS, default: 'POST' },
      path: { type: 'string' },
      body: { type: 'object', additionalProperties: true },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['path'],
  },
  example: [
    { method: 'PATCH', path: '/events/12', body: { title: 'Jazz night' } },
    { method: 'DELETE', path: '/events/13' },
  ],
})

const MODES = ['normal', 'require-all-validate'] as const

const validationField = field(
  (raw): (typeof MODES)[number] => {
    const mode = MODES.find(name => name === raw)
    if (!mode) throw new InvalidValue(`must be one of: ${MODES.join(', ')}`)
    return mode
  },
  {
    type: 'string',
    enum: [...MODES],
    default: 'normal',
    description:
      'With `require-all-validate` all are written in one transaction, or nothing is. Each is then checked against what is stored before the batch.',
  },
)

const batchFields = documented(
  z.object({ requests: z.optional(requestsField), validation: z.optional(validationField) }),
  { id: 'Batch' },
)

const subResponse = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
})

const batchSchema = z.lazy(() =>
  documented(
    z.object({
      failed: documented(
        z.optional(z.literal('validation')),
        'Nothing was written, because some requests are invalid.',
      ),
      responses: documented(
        z.array(z.nullable(subResponse)),
        'The responses, in order. If nothing was written because some requests are invalid, null for the valid ones.',
      ),
    }),
    { id: 'BatchResponses' },
  ),
)

/** The longest field, in UTF-16 units of JSON, if all responses together become too long. */
const LONG_UNITS = 500

/** Several writes in one request, in the form of the WordPress route. */
export const batchRoute: Route = defineWrite({
  methods: ['POST'],
  path: PATH,
  summary: `Make up to ${MAX_REQUESTS} writes`,
  requires: 'edit_content',
  body: batchFields,
  responses: { 207: batchSchema },
  headers: {
    ...SHORTENED,
    ...SERIES_DATES,
    'X-Batch-Failed': '`validation` if nothing was written because some requests are invalid.',
  },
  errors: ['rest_batch_conflict'],
  prepare: (context, _, { body }, errors) => {
    if (!body.requests) errors.add('requests', `must be a list of 1 to ${MAX_REQUESTS} writes`)
    for (const [i, { path }] of (body.requests ?? []).entries()) {
      const url = pathBelow(context, path)
      if (url === undefined) errors.add('requests', `requests[${i}] needs a path below the namespace`)
      else if (withoutTrailingSlashes(url.pathname) === PATH)
        errors.add('requests', `requests[${i}] must not be a batch`)
    }
  },
  handle: async (context, { body: { requests = [], validation } }) => {
    await context.countWrites(requests.length - 1)
    const isWhole = validation === 'require-all-validate'
    const { replies, isDone } = await dispatch(context, requests, { isWhole, isBatch: true })
    return { status: 207 as const, ...responsesOf(replies, isDone) }
  },
})

function responsesOf(replies: readonly (WriteReply | null)[], isDone: boolean) {
  let unitsLeft = RESPONSE_SIZE.batchUnits
  let isShortened = false
  const responses = replies.map(reply => {
    if (!reply) return null
    unitsLeft -= JSON.stringify(reply.body).length
    const { status, headers = {}, body } = unitsLeft >= 0 ? reply : withoutLongFields(reply)
    isShortened ||= unitsLeft < 0 || 'X-Shortened' in headers
    return { status, headers, body }
  })
  return {
    headers: { ...shortened(isShortened), ...(!isDone && { 'X-Batch-Failed': 'validation' }) },
    body: { ...(!isDone && { failed: 'validation' as const }), responses },
  }
}

function withoutLongFields({ body, ...reply }: WriteReply): WriteReply {
  const short = Object.entries(asObject(body)).filter(
    ([, value]) => (JSON.stringify(value) ?? '').length <= LONG_UNITS,
  )
  return { ...reply, headers: { ...reply.headers, ...shortened(true) }, body: Object.fromEntries(short) }
}
