import type { ValidationErrors } from '../../lib/errors.ts'
import type { EventListParams } from './schema.ts'

/** Adds an error if one of the coordinates is missing; one that is refused for itself is not. */
export function checkCoordinates(params: Partial<EventListParams>, errors: ValidationErrors): void {
  const isMissing = (name: 'geoloc_lat' | 'geoloc_lng') => params[name] === undefined && !errors.has(name)
  if (params.geoloc_lat !== undefined && isMissing('geoloc_lng'))
    errors.add('geoloc_lat', 'needs geoloc_lng as well')
  if (params.geoloc_lng !== undefined && isMissing('geoloc_lat'))
    errors.add('geoloc_lng', 'needs geoloc_lat as well')
}
