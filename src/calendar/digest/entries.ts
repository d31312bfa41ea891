import type { SerializeContext } from '../../kit/context.ts'
import { formatColour, parseColour, type Rgb, readableOn, WHITE } from '../../kit/lib/colour.ts'
import type { StoredImage } from '../../kit/lib/images/formats.ts'
import { capitalized, htmlToText, mailLine, summary } from '../../kit/lib/text.ts'
import { type Day, siteTimes } from '../../kit/lib/time.ts'
import { compareTexts } from '../../kit/lib/values.ts'
import { storedCostWords } from '../../words/cost.ts'
import { type Dates, datesOf } from '../../words/dates.ts'
import { movedWords, statusWord, ticketsWord, timeTexts } from '../../words/events.ts'
import { textsIn } from '../../words/words.ts'
import { serializeImage } from '../content/images.ts'
import { eventPath, type ListedEvent } from '../events/listed-events.ts'

// The content of a digest before it is written as HTML or as text: lines of plain text, and absolute
// addresses.

export type DigestLink = { text: string; address: string }

/** Everything in a digest apart from its events. */
export type DigestFrame = {
  language: string
  /** The name of the calendar. */
  title: string
  /** The days in words; '' for events that are named one by one. */
  days: string
  /** The paragraphs before the events. */
  intro: readonly string[]
  /** The link to the events that are left out. */
  more?: DigestLink
  /** The sentence in place of events; '' if there are any. */
  empty: string
  footer: string
  links: readonly DigestLink[]
  /** The accent colour, readable on white and on black. */
  accent: { light: string; dark: string }
}

export type DigestEntry = {
  /** The day, or the word for events that began before. */
  heading: string
  /** The time and, for an event in another zone, also the time there, both with their zones. */
  time: string
  title: string
  address: string
  /** The word for an event that does not take place as announced. */
  status: string
  isCanceled: boolean
  place: string
  /** The former time of an event that was moved, the cost and the tickets. */
  notes: string
  /** The beginning of its text. */
  teaser: string
  image: { url: string; alt: string; width: number; height?: number } | undefined
}

/**
 * The most characters of a title, of another name, and of the beginning of a description; and of the HTML
 * that is read for that beginning.
 */
const MAX_LENGTHS = { title: 200, name: 100, teaser: 140, read: 1_000 } as const

const PAPER: { light: Rgb; dark: Rgb } = { light: WHITE, dark: [30, 33, 37] }
/** The accent colour of calendars that have not chosen one. */
const ACCENT: Rgb = [28, 95, 90]

function accentOf(accent: string): DigestFrame['accent'] {
  const colour = parseColour(accent) ?? ACCENT
  return {
    light: formatColour(readableOn(colour, PAPER.light)),
    dark: formatColour(readableOn(colour, PAPER.dark)),
  }
}

type FrameInput = {
  language: string
  intro: string
  days: { first: Day; last: Day } | undefined
  isEmpty: boolean
  /** The first links at the end. */
  links?: readonly DigestLink[]
}

/** Everything in a digest apart from its events. */
export function digestFrame(
  { settings, site }: SerializeContext,
  { language, intro, days, isEmpty, links = [] }: FrameInput,
): DigestFrame {
  const { website, siteName } = settings
  const words = textsIn(language).pages
  const pages = (['imprint', 'privacy', 'accessibility'] as const).filter(name => website.links[name] !== '')
  return {
    language,
    title: mailLine(siteName, MAX_LENGTHS.title),
    days: days ? daysText(datesOf(language), days) : '',
    intro: intro.split(/\n\s*\n/).flatMap(paragraph => paragraph.trim() || []),
    empty: isEmpty ? textsIn(language).digest.nothing : '',
    footer: htmlToText(website.footer),
    links: [
      ...links,
      { text: words.seeUpcoming, address: `${site}/events/` },
      ...pages.map(name => ({ text: words[name], address: new URL(website.links[name], site).href })),
    ],
    accent: accentOf(website.accent),
  }
}

const daysText = (dates: Dates, { first, last }: { first: Day; last: Day }): string =>
  first === last ? capitalized(dates.format('day', first)) : dates.range(first, last)

/** The events of a digest by day. Events that began before its first day come last. */
export function digestEntries(
  context: SerializeContext,
  { events, days, language }: Pick<FrameInput, 'days' | 'language'> & { events: readonly ListedEvent[] },
): DigestEntry[] {
  const { settings, site } = context
  const zone = settings.timezone
  const wording = { words: textsIn(language).pages, dates: datesOf(language) }
  const { ongoing } = textsIn(language).digest
  const dated = events.map(event => {
    const times = siteTimes(event, zone)
    const isOngoing = days !== undefined && times.firstDay < days.first
    return { event, times, day: isOngoing && days ? days.first : times.firstDay, isOngoing }
  })
  const sortedEntries = dated.sort((a, b) =>
    a.isOngoing === b.isOngoing ? compareTexts(a.day, b.day) : a.isOngoing ? 1 : -1,
  )
  return sortedEntries.map(({ event, times, day, isOngoing }) => {
    const { venue, image } = event
    const { siteText, eventText } = timeTexts(wording, { event, times, day, zone })
    const title = mailLine(event.title, MAX_LENGTHS.title) || event.slug
    const place = [venue.name, venue.city].flatMap(name => mailLine(name, MAX_LENGTHS.name) || []).join(', ')
    const otherVenues = venue.count > 1 ? ` +${venue.count - 1}` : ''
    return {
      heading: isOngoing ? ongoing : capitalized(wording.dates.format('dayInMonth', day)),
      time: capitalized([siteText, eventText].filter(Boolean).join(' · ')),
      title,
      address: eventPath({ base: site }, event),
      status: statusWord(wording, event.event_status) ?? '',
      isCanceled: event.event_status === 'canceled',
      place: place ? place + otherVenues : event.is_virtual ? wording.words.online : '',
      notes: [
        movedWords(wording, event, zone),
        storedCostWords(language, mailLine(event.cost, MAX_LENGTHS.name), settings.currency),
        ticketsWord(wording, event),
      ]
        .filter(Boolean)
        .join(' · '),
      teaser: mailLine(summary(event.text, MAX_LENGTHS.teaser, MAX_LENGTHS.read), MAX_LENGTHS.teaser),
      image: image ? smallImage(image, context) : undefined,
    }
  })
}

/** The width of images, in pixels, and the greatest height: posters are narrower. */
const IMAGE_SIZE = { width: 80, height: 112 } as const

/**
 * An image for a digest: one of its sizes that is sharp on dense screens, and not much larger. An image
 * without an alternative text is decorative.
 */
function smallImage(image: StoredImage, context: SerializeContext): DigestEntry['image'] {
  const { url, width, height, alt_text = '', sizes } = serializeImage(image, context)
  const { thumbnail: _, ...whole } = sizes
  const [size] = Object.values(whole)
    .filter(each => each.width >= 2 * IMAGE_SIZE.width)
    .sort((a, b) => a.width - b.width)
  const alt = mailLine(alt_text, MAX_LENGTHS.name)
  const address = size?.url ?? url
  if (!/^https?:/i.test(address)) return undefined
  if (!width || !height) return { url: address, alt, width: IMAGE_SIZE.width }
  const scale = Math.min(IMAGE_SIZE.width / width, IMAGE_SIZE.height / height)
  return {
    url: address,
    alt,
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}
