import { reportGuess } from '../calendar/imports/guesses.ts'
import type { VenueRecord } from '../calendar/imports/records.ts'
import { memoize } from '../kit/lib/memo.ts'
import { BETWEEN_WORDS } from '../kit/lib/pattern.ts'
import { fold } from '../kit/lib/text.ts'
import { type FieldReading, readUrl, reportLeftOut } from './fields.ts'

// Texts that stand where the place of an event should, and name none: “Online event”, or an address.

/** What such a text says: that people take part online, where, or, offline, only an address. */
export type Placeless = { isOnline: boolean; url: string }

/** Addresses at which people meet. */
const MEETING =
  /^https?:\/\/(?:[\w-]+\.)*(?:zoom\.us|meet\.google\.com|teams\.(?:microsoft|live)\.com|webex\.com|meet\.jit\.si|whereby\.com|meet\.goto\.com)\/\S+$/i

/** Words for what takes place online, and programs by which it does. Case and accents don't count. */
const ONLINE =
  'online, on line, virtual, virtually, remote, remotely, webinar, webinars, webcast, livestream, livestreaming, live stream, live streaming, stream, streaming, video call, videocall, video conference, videoconference, internet, ' +
  'im internet, digital, digitale, digitales, digitaler, virtuell, virtuelle, virtuelles, virtueller, videokonferenz, videoanruf, webkonferenz, webseminar, onlineveranstaltung, onlineevent, onlinetreffen, onlinekurs, onlineseminar, onlinevortrag, onlinekonferenz, onlinemeeting, onlinesitzung, ' +
  'en ligne, en distanciel, distanciel, à distance, en visio, visio, visioconférence, vidéoconférence, webinaire, virtuel, en virtuel, sur internet, ' +
  'en línea, a distancia, videoconferencia, videollamada, webinario, seminario web, por internet, ' +
  'zoom, google meet, google hangouts, hangouts, microsoft teams, ms teams, teams, skype, skype for business, webex, cisco webex, jitsi, jitsi meet, big blue button, bigbluebutton, gotomeeting, gotowebinar, discord, twitch, youtube, facebook live, instagram live, gather town, whereby'

/** Words that may stand beside them, and that alone say nothing. */
const BESIDE =
  'event, events, meeting, meetings, session, class, course, conference, call, only, live, via, on, by, or, and, link, ' +
  'veranstaltung, treffen, besprechung, kurs, seminar, vortrag, konferenz, sitzung, termin, nur, per, über, auf, als, oder, und, ' +
  'événement, évènement, réunion, séance, cours, atelier, conférence, uniquement, seulement, en direct, par, sur, ou, et, ' +
  'evento, reunión, sesión, clase, curso, charla, taller, solo, solamente, únicamente, en directo, en vivo, por, en, o, y'

/** The most characters of a text that says “online” and nothing else. */
const MAX_LENGTH = 80

/** The numbers of words of the phrases of {@link ONLINE} and {@link BESIDE}, the longest first. */
const LENGTHS = [3, 2, 1]

/** Whether a folded phrase says by itself that something takes place online. */
const phrases = memoize(() => {
  const entries = (list: string, isOnline: boolean) =>
    list.split(', ').map(phrase => [fold(phrase), isOnline] as const)
  return new Map([...entries(BESIDE, false), ...entries(ONLINE, true)])
})

/** True for a text that says in words that people take part online, and nothing else. */
function saysOnline(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  const words = fold(text).replace(BETWEEN_WORDS(), ' ').trim().split(' ')
  let isOnline = false
  for (let i = 0; i < words.length; ) {
    // Of the phrases that begin here, the longest.
    const phrase = LENGTHS.map(length => words.slice(i, i + length)).find(some =>
      phrases().has(some.join(' ')),
    )
    if (!phrase) return false
    isOnline ||= phrases().get(phrase.join(' ')) === true
    i += phrase.length
  }
  return isOnline
}

/**
 * What a text says instead of naming a place: in words that it is online, perhaps with an address, or only an
 * address. Undefined for any other text: an “Online-Café” is a café.
 */
function placelessText(text: string): Placeless | undefined {
  const [, whole] = /^\s*<?(https?:\/\/[^\s<>/][^\s<>]*)>?\s*$/i.exec(text) ?? []
  if (whole !== undefined) return { isOnline: MEETING.test(whole), url: whole }
  const [url = ''] = /https?:\/\/[^\s<>()"]+/i.exec(text) ?? []
  return saysOnline(text.replace(url, ' ')) ? { isOnline: true, url } : undefined
}

/** The fields of a venue that say whether it is a place. */
type Place = Pick<VenueRecord, 'name'> &
  Partial<Pick<VenueRecord, 'address' | 'city' | 'zip' | 'geo_lat' | 'website'>>

/**
 * What a venue says instead of being a place. Nothing if it has an address or a position: people can go there,
 * whatever its name.
 */
export function placelessIn({ name, address, city, zip, geo_lat, website = '' }: Place): Placeless[] {
  const isSomewhere = [address, city, zip].some(text => text && text !== name && !saysOnline(text))
  if (isSomewhere || (geo_lat !== undefined && geo_lat !== null)) return []
  const placeless = placelessText(name)
  if (placeless?.url === '' && MEETING.test(website)) return [{ ...placeless, url: website }]
  return placeless ? [placeless] : []
}

export const isPlace = (venue: Place): boolean => placelessIn(venue).length === 0

/**
 * The website of an event: its own or, without one, an address that stands in place of its venue. What becomes
 * of that address is reported.
 *
 * @param reading.field the name of the place in the report
 * @param reading.as the name of the website in the report
 */
export function websiteOf(
  website: string,
  placeless: readonly Placeless[],
  { field, as, ...reading }: FieldReading & { field: string; as: string },
): string {
  const text = placeless.find(({ isOnline }) => !isOnline)?.url ?? ''
  const address = readUrl(text, reading, field)
  if (address === '' || address === website) return website
  const { what, line } = reading
  if (website !== '') reportLeftOut(reading, field, text)
  else reportGuess(reading, { code: 'guess_value', what, line, field, text, as })
  return website || address
}

/** The address at which people take part, if the place of an event is online; '' if it names none. */
export const meetingIn = (placeless: readonly Placeless[]): string =>
  placeless.find(({ isOnline, url }) => isOnline && url !== '')?.url ?? ''

export const isOnlineAt = (placeless: readonly Placeless[]): boolean =>
  placeless.some(({ isOnline }) => isOnline)
