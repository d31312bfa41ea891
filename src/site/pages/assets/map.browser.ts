import { required } from '../../../kit/lib/required.browser.ts'

// Maps: a list of events as points, or one place. Tiles of another provider are requested after a click only.

/** An event of the map, as the API has it in GeoJSON. */
type MapEvent = { at: Position; title: string; url: string; start_date: string; all_day: boolean }

type Features = {
  features: {
    geometry:
      | { type: 'Point'; coordinates: [lng: number, lat: number] }
      | { type: 'MultiPoint'; coordinates: [lng: number, lat: number][] }
    properties: Omit<MapEvent, 'at'>
  }[]
  next_rest_url?: string
}

type Group = { point: Point; events: MapEvent[] }

// Leaflet, as far as it is used here: it has no types of its own.
type Position = [lat: number, lng: number]
type Point = { distanceTo(other: Point): number }
type LatLng = { equals(other: LatLng): boolean }
type Bounds = { getCenter(): LatLng; getSouthWest(): LatLng; getNorthEast(): LatLng }
type Layer = { addTo(parent: LeafletMap | Layers): void }
type Layers = { addTo(map: LeafletMap): Layers; clearLayers(): void }
type Marker = {
  addTo(parent: LeafletMap | Layers): Marker
  on(type: 'click', act: () => void): void
  bindPopup(content: () => Element, options: object): void
}
type LeafletMap = {
  project(position: Position, zoom: number): Point
  getZoom(): number
  getMaxZoom(): number
  fitBounds(bounds: Bounds, options: object): void
  setView(position: Position, zoom: number): void
  on(type: 'click' | 'zoomend', act: () => void): void
  scrollWheelZoom: { enable(): void }
}
declare const L: {
  map(area: Element, options: object): LeafletMap
  control: { zoom(options: object): Layer }
  tileLayer(address: string, options: object): Layer
  layerGroup(): Layers
  latLngBounds(positions: readonly Position[]): Bounds
  divIcon(options: object): object
  marker(position: Position | LatLng, options: object): Marker
}

/** The distance within which points are one, in pixels. */
const CLOSE = 44

/** The most responses that are read, of a hundred events each. */
const MAX_PAGES = 5

/** The zoom of a map with one place, and the highest one that is chosen for several. */
const STREETS = 15

/** The room around points, in pixels: none is below the buttons of the zoom, or cut by an edge. */
const ROOM = { paddingTopLeft: [82, 28], paddingBottomRight: [28, 28] }

/** The text of a title, which the API sends as HTML. */
const textOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.textContent

function loaded<Name extends 'link' | 'script'>(
  name: Name,
  attributes: Partial<HTMLElementTagNameMap[Name]>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(name), attributes)
    element.addEventListener('load', resolve)
    element.addEventListener('error', reject)
    document.head.append(element)
  })
}

/** The library, loaded with the first map that is shown. */
let library: Promise<unknown> | undefined
const leaflet = ({ library: src = '', style: href = '' }: DOMStringMap) => {
  library ??= Promise.all([loaded('link', { rel: 'stylesheet', href }), loaded('script', { src })])
  return library
}

/** The events with the positions of their venues. */
async function eventsAt(first: string): Promise<MapEvent[]> {
  const events: MapEvent[] = []
  let address: string | undefined = first
  for (let pages = 0; address && pages < MAX_PAGES; pages++) {
    const response = await fetch(address)
    if (!response.ok) throw new Error(`${response.status}`)
    const { features, next_rest_url: next }: Features = await response.json()
    for (const { geometry, properties } of features) {
      const positions = geometry.type === 'Point' ? [geometry.coordinates] : geometry.coordinates
      for (const [lng, lat] of positions) events.push({ at: [lat, lng], ...properties })
    }
    // The address of the next page has the host of permalinks, which may be another.
    address = next?.slice(new URL(next).origin.length)
  }
  return events
}

const dateFormat = (isAllDay: boolean) =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isAllDay && { hour: 'numeric', minute: '2-digit' }),
  })

/** The most events that a popup names. */
const MAX_NAMED = 12

/** The events of a point, with links. */
function listOf(events: readonly MapEvent[]): HTMLElement {
  const list = document.createElement('ul')
  for (const { title, url, start_date, all_day } of events.slice(0, MAX_NAMED)) {
    const item = document.createElement('li')
    const link = Object.assign(document.createElement('a'), { href: url, textContent: textOf(title) })
    const when = dateFormat(all_day).format(new Date(start_date.replace(' ', 'T')))
    item.append(link, ` ${when}`)
    list.append(item)
  }
  if (events.length > MAX_NAMED) list.append(`+ ${events.length - MAX_NAMED}`)
  return list
}

/** Groups of events whose points are close to each other at a zoom. */
function groupsOf(map: LeafletMap, events: readonly MapEvent[]): Group[] {
  const groups: Group[] = []
  for (const event of events) {
    const point = map.project(event.at, map.getZoom())
    const group = groups.find(other => other.point.distanceTo(point) < CLOSE)
    if (group) group.events.push(event)
    else groups.push({ point, events: [event] })
  }
  return groups
}

function drawEvents(map: LeafletMap, events: readonly MapEvent[], many: string) {
  const layer = L.layerGroup().addTo(map)
  const draw = () => {
    layer.clearLayers()
    for (const { events: all } of groupsOf(map, events)) {
      const bounds = L.latLngBounds(all.map(({ at }) => at))
      const isOnePlace = bounds.getSouthWest().equals(bounds.getNorthEast())
      const [first] = all.length === 1 ? all : []
      const name = first ? textOf(first.title) : `${all.length} ${many}`
      const icon = L.divIcon({
        className: `map-point${all.length > 1 ? ' is-many' : ''}`,
        html: all.length > 1 ? String(all.length) : '',
        iconSize: all.length > 1 ? [36, 36] : [24, 24],
      })
      const marker = L.marker(bounds.getCenter(), { icon, title: name, riseOnHover: true }).addTo(layer)
      if (isOnePlace || map.getZoom() >= map.getMaxZoom())
        marker.bindPopup(() => listOf(all), { closeButton: false, maxWidth: 220, maxHeight: 240 })
      else marker.on('click', () => map.fitBounds(bounds, ROOM))
    }
  }
  if (events.length > 0)
    map.fitBounds(L.latLngBounds(events.map(({ at }) => at)), { maxZoom: STREETS, ...ROOM })
  else map.setView([0, 0], 1)
  draw()
  map.on('zoomend', draw)
}

async function show(figure: HTMLElement) {
  const { dataset } = figure
  const area = required(figure.querySelector('.map-area'))
  // The events are there before the map, so that nothing moves.
  const [events] = await Promise.all([
    dataset.features === undefined ? undefined : eventsAt(dataset.features),
    leaflet(dataset),
  ])
  area.replaceChildren()
  const map = L.map(area, { zoomControl: false, attributionControl: false, scrollWheelZoom: false })
  L.control.zoom({ zoomInTitle: dataset.zoomIn, zoomOutTitle: dataset.zoomOut }).addTo(map)
  L.tileLayer(required(dataset.map), {
    maxZoom: 19,
    referrerPolicy: 'strict-origin-when-cross-origin',
  }).addTo(map)
  // The wheel scrolls the page, and zooms a map only after a click on it.
  map.on('click', () => map.scrollWheelZoom.enable())
  if (events) drawEvents(map, events, dataset.many ?? '')
  else {
    const [lat = 0, lng = 0] = required(dataset.at).split(',').map(Number)
    const at: Position = [lat, lng]
    map.setView(at, STREETS)
    L.marker(at, {
      icon: L.divIcon({ className: 'map-point', iconSize: [24, 24] }),
      interactive: false,
    }).addTo(map)
  }
  figure.classList.add('is-shown')
}

for (const figure of document.querySelectorAll<HTMLElement>('[data-map]')) {
  const button = required(figure.querySelector('button'))
  const open = () => {
    button.disabled = true
    // After a failure, the button can be pressed again.
    show(figure).catch(() => {
      library = undefined
      button.disabled = false
    })
  }
  button.addEventListener('click', open)
  if ('own' in figure.dataset) open()
}
