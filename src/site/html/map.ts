import { NAMESPACE } from '../../kit/settings.ts'
import { filled } from '../../words/words.ts'
import { queryOf } from './addresses.ts'
import { ASSETS } from './assets.ts'
import { type Filters, listFilters } from './filters.ts'
import { type Html, html } from './html.ts'
import type { PageContext } from './page-context.ts'

// Maps, for calendars that say where tiles come from. A script draws them; lists and addresses beside them
// say the same in words.

export const mapScripts = ({ settings }: PageContext): string[] => (settings.map ? [ASSETS.map] : [])

const MAX_FEATURES = 100

/** What the script needs of an event. */
const FIELDS = 'title,url,start_date,all_day,venue.venue'

/** The text of MAP_ATTRIBUTION, and the address after it if it has one. */
function creditOf(attribution: string): { text: string; address?: string } {
  const end = attribution.lastIndexOf(' ')
  const address = attribution.slice(end + 1)
  return end > 0 && /^https?:/.test(address) && URL.canParse(address)
    ? { text: attribution.slice(0, end), address }
    : { text: attribution }
}

/**
 * The map of events: the events of the filters that are on at some time of an interval.
 * @param happening as in lists of the API
 */
export const eventsMap = (site: PageContext, filters: Filters, happening: string): Html | '' =>
  mapFigure(site, {
    label: site.words.mapDisplay,
    // The page's own address, which the policy allows, whatever SITE_URL is.
    features: `/${NAMESPACE}/events.geojson${queryOf(listFilters(filters), { happening, per_page: MAX_FEATURES, _fields: FIELDS })}`,
  })

/** A small map with one place; '' without maps. */
export const placeMap = (
  site: PageContext,
  { name, lat, lng }: { name: string; lat: number; lng: number },
): Html | '' => mapFigure(site, { label: name, at: `${lat},${lng}` })

/** The frame of a map. Until it is shown, nothing is requested from the provider of the tiles. */
function mapFigure(
  { settings, words, context }: PageContext,
  { label, features, at: position }: { label: string; features?: string; at?: string },
): Html | '' {
  const { map } = settings
  if (!map) return ''
  const isSameHost = map.host === new URL(context.site).host
  const { text, address } = creditOf(map.attribution)
  return html`<figure class="map${position && ' is-small'}" data-map="${map.tiles}" data-library="${ASSETS.leaflet}" data-style="${ASSETS.leafletStyle}"${features && html` data-features="${features}"`}${position && html` data-at="${position}"`}${isSameHost && html` data-own`} data-many="${words.events}" data-zoom-in="${words.zoomIn}" data-zoom-out="${words.zoomOut}">
<div class="map-area" role="region" aria-label="${label}"><p><button class="button" type="button">${words.showMap}</button></p>
<p class="small">${filled(words.mapHost, { host: map.host })}</p></div>
<figcaption class="small">${address ? html`<a href="${address}" rel="noopener">${text}</a>` : text}</figcaption></figure>`
}
