// A second, much simpler reader of iCalendar for tests: it shares nothing with the importer, neither the
// library nor Temporal.

export type Property = { name: string; params: string; value: string }
export type Vevent = Property[]

/** The events of a file, as lists of their properties. */
export function readVevents(bytes: Uint8Array): { head: Property[]; events: Vevent[] } {
  const joined: number[] = []
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0
    const end = byte === 13 && bytes[i + 1] === 10 ? 2 : byte === 10 ? 1 : 0
    const next = bytes[i + end]
    if (end > 0 && (next === 32 || next === 9)) i += end
    else joined.push(byte)
  }
  const head: Property[] = []
  const events: Vevent[] = []
  let event: Vevent | undefined
  for (const line of new TextDecoder().decode(new Uint8Array(joined)).split(/\r?\n/)) {
    const [, name, params = '', value] = /^([\w-]+)((?:;[^:"]*(?:"[^"]*")?[^:"]*)*):(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    if (name === 'BEGIN' && value === 'VEVENT') event = []
    else if (name === 'END' && value === 'VEVENT' && event) {
      events.push(event)
      event = undefined
    } else (event ?? head).push({ name, params, value })
  }
  return { head, events }
}

export const first = (event: Vevent, name: string): Property | undefined =>
  event.find(property => property.name === name)
export const every = (event: Vevent, name: string): Property[] =>
  event.filter(property => property.name === name)

/** What a text property says to people. */
export const textOf = (property: Property | undefined): string =>
  (property?.value ?? '')
    .replace(/\\n/gi, ' ')
    .replace(/\\([,;\\])/g, '$1')
    .replace(/&amp;/g, '&')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .trim()

const ms = (stamp: string): number => {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(stamp) ?? []
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** How far clocks of a zone are ahead of UTC at an instant, by what they show. */
const ahead = (zone: string, at: number): number => {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  clocks.set(zone, clock)
  const parts = clock.formatToParts(at)
  const part = (type: string) => Number(parts.find(one => one.type === type)?.value)
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - at
  )
}

/** A wall time, as if it were UTC, → the instant; the earlier of two. */
export const instant = (wall: number, zone: string): number => {
  const guesses = [wall - ahead(zone, wall - 86_400_000), wall - ahead(zone, wall + 86_400_000)]
  const right = guesses.filter(guess => guess + ahead(zone, guess) === wall)
  return Math.min(...(right.length > 0 ? right : [guesses[0] ?? wall]))
}

export const wallOf = (at: number, zone: string): number => at + ahead(zone, at)

/** A time as it is written, the zone that it is written in, and whether it is a whole day. */
export type Time = { wall: number; zone: string; isDate: boolean }

/** @param floating the zone of times that name none */
export function timesOf({ params, value }: Property, floating: string): Time[] {
  const [, tzid] = /TZID="?([^";:]+)/.exec(params) ?? []
  return value.split(',').map(stamp => ({
    wall: ms(stamp),
    zone: stamp.endsWith('Z') ? 'UTC' : (tzid ?? floating),
    isDate: /^\d{8}$/.test(stamp),
  }))
}

export const utc = ({ wall, zone }: Time): number => instant(wall, zone)

export const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** Milliseconds of a DURATION. */
export const durationOf = (text: string): number => {
  const [, weeks, days, hours, minutes, seconds] =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text) ?? []
  const of = (count: string | undefined, unit: number) => Number(count ?? 0) * unit
  return (
    of(weeks, 604_800_000) +
    of(days, 86_400_000) +
    of(hours, 3_600_000) +
    of(minutes, 60_000) +
    of(seconds, 1000)
  )
}
