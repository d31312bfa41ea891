import { type SQL, sql } from 'drizzle-orm'
import { venues } from '../../db/schema.ts'
import type { Box } from '../../lib/geography.ts'

const EARTH_RADIUS_KM = 6371.0088
const DEGREES = 180 / Math.PI
export const DEFAULT_RADIUS_KM = 40

/** A condition for venues that have coordinates. */
export const isLocated = sql`${venues.geo_lat} IS NOT NULL AND ${venues.geo_lng} IS NOT NULL`

/**
 * A condition for venues within a distance on the sphere, by the haversine formula. An index finds those within the band
 * of latitudes. Coordinates are in degrees, the radius in kilometres.
 */
export function isNear({ lat, lng, radius }: { lat: number; lng: number; radius: number }): SQL {
  const half = (degrees: SQL): SQL => sql`sin(radians(${degrees}) / 2)`
  const northing = half(sql`${venues.geo_lat} - ${lat}`)
  const easting = half(sql`${venues.geo_lng} - ${lng}`)
  const chord = sql`${northing} * ${northing}
    + cos(radians(${lat})) * cos(radians(${venues.geo_lat})) * ${easting} * ${easting}`
  // A little wider than the distance, because of rounding.
  const band = (radius / EARTH_RADIUS_KM) * DEGREES + 1e-6
  return sql`${venues.geo_lat} BETWEEN ${lat - band} AND ${lat + band} AND ${isLocated}
    AND 2 * ${EARTH_RADIUS_KM} * asin(min(1, sqrt(${chord}))) <= ${radius}`
}

/**
 * A condition for venues in a box of longitudes and latitudes, borders included. One that begins east of its end crosses
 * the date line. An index finds those within the band of latitudes.
 */
export function isWithin({ west, south, east, north }: Box): SQL {
  const lng = venues.geo_lng
  const parts = [
    west <= east ? sql`${lng} BETWEEN ${west} AND ${east}` : sql`${lng} >= ${west} OR ${lng} <= ${east}`,
    // The date line has two names.
    ...(west === -180 ? [sql`${lng} = 180`] : []),
    ...(east === 180 ? [sql`${lng} = -180`] : []),
  ]
  return sql`${venues.geo_lat} BETWEEN ${south} AND ${north} AND ${lng} IS NOT NULL AND (${sql.join(parts, sql` OR `)})`
}
