/** A bounding box (WGS 84, degrees). If `west` is greater than `east`, the box crosses the date line. */
export type Box = { west: number; south: number; east: number; north: number }

/** A point, with the longitude first, as in GeoJSON. */
export type Position = [lng: number, lat: number]

/** The smallest box that contains all of the places (RFC 7946 §5); undefined if there are none. */
export function boxAround(places: readonly Position[]): Box | undefined {
  const lats = places.map(([, lat]) => lat).sort((a, b) => a - b)
  const lngs = [...new Set(places.map(([lng]) => lng))].sort((a, b) => a - b)
  const [south, north] = [lats[0], lats.at(-1)]
  let [west, east] = [lngs[0], lngs.at(-1)]
  if (west === undefined || east === undefined || south === undefined || north === undefined) return undefined
  // The box leaves out the widest gap between neighbouring longitudes. The first candidate is the gap across the date
  // line.
  let widest = west + 360 - east
  for (const [i, lng] of lngs.entries()) {
    const next = lngs[i + 1]
    if (next === undefined || next - lng <= widest) continue
    widest = next - lng
    ;[west, east] = [next, lng]
  }
  return { west, south, east, north }
}
