import { lte } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { many } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { setbacks } from '../../kit/db/tables.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { documented } from '../../kit/http/params.ts'
import { ok } from '../../kit/http/reply.ts'
import { ApiError, invalidParams } from '../../kit/lib/errors.ts'
import { regionOf } from '../../kit/lib/region.ts'
import { readUpTo } from '../../kit/lib/streams.ts'
import { toPlain } from '../../kit/lib/text.ts'
import { formatInstant, toEpoch } from '../../kit/lib/time.ts'
import { isObject, parseJson, withoutMinusZero } from '../../kit/lib/values.ts'
import { VERSION } from '../../kit/settings.ts'
import { ALL_ROWS } from '../../kit/work/leases.ts'
import { venueFields } from './schema.ts'

// Looks up an address at the geocoder, a server with Nominatim's API
// (https://nominatim.org/release-docs/latest/api/Search/). It belongs to others, so nothing that it says is
// trusted, and its policy of one request a second is kept.

const { address, zip, city, state, province, stateprovince, country } = venueFields.shape

export const locateFields = documented(
  z.object({ address, zip, city, state, province, stateprovince, country }),
  { id: 'AddressFields' },
)

const candidateSchema = z.object({ name: z.string(), geo_lat: z.number(), geo_lng: z.number() })

/** A place that an address may mean, in degrees, WGS 84. */
export type PlaceCandidate = z.output<typeof candidateSchema>

const candidatesSchema = documented(
  z.object({ candidates: z.array(candidateSchema), attribution: z.string() }),
  { id: 'PlaceCandidates' },
)

/**
 * The credit that the licence of OpenStreetMap's data demands wherever candidates are shown, and its address.
 */
export const ATTRIBUTION = '© OpenStreetMap contributors'
export const ATTRIBUTION_URL = 'https://www.openstreetmap.org/copyright'

const MAX_CANDIDATES = 3
/** The most entries of a response that are looked at. */
const MAX_ENTRIES = 20
const MAX_BYTES = 64 * 1024
const PATIENCE_MS = 5_000
const MAX_NAME_LENGTH = 200

/**
 * The seconds between two look-ups: times are stored in whole seconds, so only two make sure that a whole
 * second passes.
 */
const PAUSE_SECONDS = 2
const TASK = 'geocoder'

/** Finds an address on the map. It writes nothing but the time until which others have to wait. */
export const locateRoute = defineWrite({
  methods: ['POST'],
  path: '/venues/locate',
  summary: 'Find an address on the map: at most three candidates. Nothing is written',
  requires: 'publish_content',
  asksElsewhere: true,
  body: locateFields,
  responses: { 200: candidatesSchema },
  errors: ['rest_geocoder_unavailable', 'rest_geocoder_failed'],
  prepare: ({ settings: { geocoder } }, _, { body }, errors) => {
    if (!geocoder)
      throw new ApiError(
        'rest_geocoder_unavailable',
        'This calendar cannot find addresses: GEOCODER is not set.',
      )
    errors.throwIfAny()
    const text = addressLine(body)
    if (text === '')
      throw invalidParams(new Map([['address', 'must not be empty, unless there is a zip or a city']]))
    return { geocoder, text }
  },
  handle: async (context, { prepared: { geocoder, text } }) => {
    await takeTurn(context)
    return ok({ candidates: await askGeocoder(context, geocoder, text), attribution: ATTRIBUTION })
  },
})

/** An address in one line, as people write it. A country or a state alone is no address. */
function addressLine(fields: Partial<z.output<typeof locateFields>>): string {
  const { address = '', zip = '', city = '', country = '' } = fields
  const place = [address, `${zip} ${city}`.trim()].filter(Boolean)
  return place.length === 0 ? '' : [...place, regionOf(fields), country].filter(Boolean).join(', ')
}

/**
 * Makes sure that the geocoder is asked once a second at most, by all instances of the Worker together.
 *
 * @throws ApiError `rest_too_many_requests` if another request has just asked it
 */
async function takeTurn({ db, clock }: BaseContext): Promise<void> {
  const until_utc = formatInstant(toEpoch(clock.now()) + PAUSE_SECONDS * 1_000)
  const turn = await db.write(
    many(
      build
        .insert(setbacks)
        .values({ task: TASK, row_id: ALL_ROWS, failures: 0, until_utc })
        .onConflictDoUpdate({
          target: [setbacks.task, setbacks.row_id],
          set: { until_utc },
          setWhere: lte(setbacks.until_utc, clock.now()),
        })
        .returning({ task: setbacks.task }),
    ),
  )
  if (turn.length > 0) return
  throw new ApiError(
    'rest_too_many_requests',
    'Another address is being looked up. Please try again in two seconds.',
    {
      retry_after: PAUSE_SECONDS,
    },
  )
}

/** Asks the geocoder once. @throws ApiError `rest_geocoder_failed` */
async function askGeocoder(
  { settings, site }: BaseContext,
  geocoder: URL,
  text: string,
): Promise<PlaceCandidate[]> {
  const url = new URL(geocoder)
  for (const [name, value] of [
    ['q', text],
    ['format', 'jsonv2'],
    ['limit', String(MAX_CANDIDATES)],
  ] as const)
    url.searchParams.set(name, value)
  const geocoderError = (reason: string, cause?: unknown) =>
    new ApiError(
      'rest_geocoder_failed',
      `${geocoder.host} ${reason}. Try again later, or enter the coordinates by hand.`,
      { cause },
    )
  const signal = AbortSignal.timeout(PATIENCE_MS)
  let body: string | undefined
  try {
    const response = await fetch(url, {
      headers: {
        accept: 'application/json',
        'accept-language': settings.website.language,
        // The policy of public servers asks for a name, and for a way to reach the people who run the
        // program.
        'user-agent': `event-calendar/${VERSION} (${site})`,
      },
      redirect: 'manual',
      signal,
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw geocoderError(`responded with HTTP ${response.status}`)
    }
    const { bytes, isWhole } = await readUpTo(response.body ?? [], MAX_BYTES)
    body = isWhole ? new TextDecoder().decode(bytes) : undefined
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw geocoderError(
      signal.aborted ? `took longer than ${PATIENCE_MS / 1_000} seconds` : 'could not be reached',
      error,
    )
  }
  if (body === undefined) throw geocoderError('responded with more than 64 KB')
  const candidates = candidatesIn(body)
  if (!candidates) throw geocoderError('did not respond with a list of places')
  return candidates
}

/** The usable places of a response; undefined if it is no list, or none of its entries is usable. */
function candidatesIn(text: string): PlaceCandidate[] | undefined {
  const entries = parseJson(text)
  if (!Array.isArray(entries)) return undefined
  const candidates = entries.slice(0, MAX_ENTRIES).flatMap(entry => candidateOf(entry) ?? [])
  return entries.length > 0 && candidates.length === 0 ? undefined : candidates.slice(0, MAX_CANDIDATES)
}

/**
 * A place of the response; undefined without a name or with impossible coordinates. Nominatim writes these as
 * texts.
 */
function candidateOf(entry: unknown): PlaceCandidate | undefined {
  if (!isObject(entry) || typeof entry.display_name !== 'string') return undefined
  const name = toPlain(entry.display_name.slice(0, MAX_NAME_LENGTH))
  const geo_lat = toDegrees(entry.lat, 90)
  const geo_lng = toDegrees(entry.lon, 180)
  return name === '' || geo_lat === undefined || geo_lng === undefined
    ? undefined
    : { name, geo_lat, geo_lng }
}

/** Degrees to seven places, which is a centimetre. */
function toDegrees(raw: unknown, maximum: number): number | undefined {
  const number = typeof raw === 'string' && /^-?\d{1,3}(?:\.\d+)?$/.test(raw) ? Number(raw) : raw
  return typeof number === 'number' && Math.abs(number) <= maximum
    ? withoutMinusZero(Number(number.toFixed(7)))
    : undefined
}
