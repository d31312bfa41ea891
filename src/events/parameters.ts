import type { ValidationErrors } from '../lib/errors.ts'
import type { EventListParams } from './schema.ts'

/** Adds an error if one of the coordinates is missing. */
export function checkCoordinates(
  { geoloc_lat, geoloc_lng }: Partial<EventListParams>,
  errors: ValidationErrors,
): void {
  if (geoloc_lat !== undefined && geoloc_lng === undefined)
    errors.add('geoloc_lat', 'needs geoloc_lng as well')
  if (geoloc_lng !== undefined && geoloc_lat === undefined)
    errors.add('geoloc_lng', 'needs geoloc_lat as well')
}
