import * as z from 'zod/mini'
import type { BaseContext } from '../../kit/context.ts'
import { defineRead } from '../../kit/http/define-read.ts'
import {
  LIST_HEADERS,
  type ListSource,
  listRead,
  type Paging,
  positionOf,
  positionSchemas,
} from '../../kit/http/lists.ts'
import { documented } from '../../kit/http/params.ts'
import { ok } from '../../kit/http/reply.ts'
import { type Fields, parseFields, project } from '../../kit/http/requested-fields.ts'
import { abridgeHtml } from '../../kit/lib/abridge.ts'
import { FEED_SIZE } from '../../kit/lib/budgets.ts'
import { imageSchema } from '../content/resource.ts'
import { organizerSchema } from '../organizers/resource.ts'
import { termSchema } from '../terms/schema.ts'
import { venueSchema } from '../venues/schema.ts'
import { fullTextLink } from './ical/vevent.ts'
import { locatedFilters } from './listing/filters.ts'
import { eventPage } from './listing/page.ts'
import { selectEventPage } from './queries.ts'
import { serializeEvent } from './resource.ts'
import type { EventRow } from './rows.ts'
import { type EventListParams, eventSchema } from './schema.ts'

// https://www.rfc-editor.org/rfc/rfc7946

const PATH = '/events.geojson'
const TYPE = 'application/geo+json'

const makeCollectionSchema = () => {
  // Generators of clients need the items of every array, and the length of an array of fixed length.
  const position = documented(z.tuple([z.number(), z.number()]), {
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
  })
  const geometry = z.discriminatedUnion('type', [
    z.object({ type: z.literal('Point'), coordinates: position }),
    z.object({ type: z.literal('MultiPoint'), coordinates: z.array(position) }),
  ])
  const venue = z.partial(venueSchema)
  /** An event without the fields that the client does not ask for. */
  const partialEvent = z.partial(
    z.extend(eventSchema, {
      image: z.union([z.partial(imageSchema), z.literal(false)]),
      categories: z.array(z.partial(termSchema)),
      tags: z.array(z.partial(termSchema)),
      venue: z.union([venue, z.array(venue)]),
      organizer: z.array(z.partial(organizerSchema)),
    }),
  )
  const feature = documented(
    z.object({
      type: z.literal('Feature'),
      id: z.int(),
      geometry,
      properties: partialEvent,
    }),
    { id: 'EventFeature' },
  )
  return documented(
    z.object({
      type: z.literal('FeatureCollection'),
      bbox: documented(
        z.optional(z.array(z.number())),
        'West, south, east and north of the events on the page; absent if there are none.',
      ),
      features: z.array(feature),
      ...positionSchemas,
    }),
    { id: 'EventFeatures' },
  )
}

type Feature = z.output<ReturnType<typeof makeCollectionSchema>>['features'][number]

/** The fields of an event that a feature has by default. */
const PROPERTIES: Fields = new Map(
  parseFields(
    'id,title,url,rest_url,start_date,end_date,utc_start_date,utc_end_date,timezone,all_day,event_status,featured,is_virtual,' +
      'cost,image.url,categories.name,categories.slug,venue.id,venue.venue,venue.address,venue.city,venue.stateprovince,venue.url',
  ),
)

type GeojsonSource = Omit<ListSource<EventListParams, EventRow>, 'select'> & Paging<EventListParams>

/** The events of a list that have a place: their fields, and always their venues. */
const select: ListSource<EventListParams, EventRow>['select'] = (
  context,
  { values, page, fields = PROPERTIES },
) =>
  selectEventPage(
    context,
    eventPage(context, { values, page, filters: locatedFilters(context, values) }),
    new Map([...fields, ['venue', true]]),
  )

/** A point, with the longitude first. */
type Position = [lng: number, lat: number]

/** West, south, east and north of all positions; undefined if there are none. */
function boxAround(places: readonly Position[]): number[] | undefined {
  if (places.length === 0) return undefined
  const lngs = places.map(([lng]) => lng)
  const lats = places.map(([, lat]) => lat)
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}

/** The positions of the venues of an event that the caller may read, each once. */
function placesOf({ venues }: EventRow): Position[] {
  const places = venues.flatMap(({ geo_lat, geo_lng }): [string, Position][] =>
    geo_lat === null || geo_lng === null ? [] : [[`${geo_lng},${geo_lat}`, [geo_lng, geo_lat]]],
  )
  return [...new Map(places).values()]
}

function featureOf(row: EventRow, fields: Fields, context: BaseContext): Feature[] {
  const [place, ...otherPlaces] = placesOf(row)
  if (!place) return []
  const geometry =
    otherPlaces.length === 0
      ? { type: 'Point' as const, coordinates: place }
      : { type: 'MultiPoint' as const, coordinates: [place, ...otherPlaces] }
  const event = serializeEvent(row, context)
  const beginning = fields.has('description')
    ? abridgeHtml(event.description, FEED_SIZE.description)
    : undefined
  const shownEvent =
    beginning === undefined ? event : { ...event, description: beginning + fullTextLink(event.url) }
  // The client may have asked for fewer fields than the schema has.
  const properties = project(shownEvent, fields) as Feature['properties']
  return [{ type: 'Feature', id: row.id, geometry, properties }]
}

export const geojsonRoute = (list: GeojsonSource) =>
  defineRead({
    path: PATH,
    summary: 'List events as GeoJSON',
    requires: 'read',
    produces: TYPE,
    selectsFields: eventSchema,
    ...listRead({ ...list, select }),
    responses: { 200: z.lazy(makeCollectionSchema) },
    headers: LIST_HEADERS,
    errors: ['rest_moved', list.noPage],
    handle: (context, input) => {
      const { rows } = input.prepared
      const { position, headers } = positionOf(context, { ...list, path: PATH }, input)
      const bbox = boxAround(rows.flatMap(placesOf))
      const features = rows.flatMap(row => featureOf(row, input.fields ?? PROPERTIES, context))
      const body = {
        type: 'FeatureCollection' as const,
        ...(bbox && { bbox }),
        ...position,
        features,
      }
      return ok(body, headers)
    },
  })
