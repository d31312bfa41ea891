import { paramsOf } from '../../calendar/content/fields.ts'
import { EVENT_FIELDS } from '../../calendar/events/schema.ts'
import { mediaTexts } from '../../calendar/media/schema.ts'
import { ORGANIZER_FIELDS } from '../../calendar/organizers/resource.ts'
import { settingsFields } from '../../calendar/settings/schema.ts'
import { categoryFields, tagFields } from '../../calendar/terms/schema.ts'
import { VENUE_FIELDS } from '../../calendar/venues/schema.ts'
import { COLOUR_NAMES } from '../../kit/lib/colour.ts'
import { FIELD_LIMITS } from '../../kit/lib/values.ts'
import { TYPEFACES } from '../../kit/settings.ts'
import {
  currencyControl,
  flagControl,
  languageControl,
  selectControl,
  statusControl,
  userControl,
  zoneControl,
} from './controls/choice.ts'
import { imageControl } from './controls/image.ts'
import { oneLink, organizerLinks, tagLinks, venueLinks } from './controls/links.ts'
import { endMoment, publication, startMoment } from './controls/moment.ts'
import { latitude } from './controls/position.ts'
import {
  colourControl,
  custom,
  focusControl,
  inlineText,
  lineControl,
  lines,
  price,
  rich,
  TEXT_FORMATS,
  urlControl,
} from './controls/text.ts'
import { categoryTree, parentCategory } from './controls/tree.ts'
import { defineForm, inDetails, inFirst, type Placement } from './form.ts'
import { repetition } from './repetition/control.ts'
import { spreadControl } from './repetition/spread-control.ts'

// The forms of all resources, made from their field tables: these declarations only say in which group a
// field is, and which control it has if not the default.

const tel = lineControl({ type: 'tel', maxLength: FIELD_LIMITS.text })

/** The fields that events, venues and organizers share, except fields with a different position in each. */
const CONTENT = {
  status: { group: 'publication', control: statusControl },
  date: { group: 'publication', control: publication },
  date_utc: null,
  author: { control: userControl },
  external_id: { group: 'programs' },
} as const satisfies Readonly<Record<string, Placement | null>>

export const EVENT_FORM = defineForm('event', paramsOf(EVENT_FIELDS), {
  title: inFirst(lineControl({ maxLength: FIELD_LIMITS.name })),
  image: inFirst(imageControl),
  start_date: inFirst(startMoment),
  // An event without an end ends when it starts.
  end_date: { ...inFirst(endMoment), isRequired: false, isBeside: true },
  all_day: { ...inFirst(flagControl()), isBeside: true },
  recurrence: { ...inFirst(repetition), isBeside: true },
  spread: inFirst(spreadControl),
  scope: null,
  venue: inFirst(venueLinks),
  room: inFirst(lineControl({ maxLength: FIELD_LIMITS.text })),
  cost: inFirst(price),
  cost_details: null,
  categories: inFirst(categoryTree),
  description: inFirst(rich(8, TEXT_FORMATS)),
  organizer: inDetails(organizerLinks),
  website: inDetails(urlControl),
  ticketed: inDetails(),
  ticket_availability: inDetails(),
  wheelchair: inDetails(),
  accessibility: inDetails(lines(2)),
  excerpt: inDetails(rich(3)),
  tags: inDetails(tagLinks),
  featured: inDetails(),
  // `virtual_event_type` says whether the event is virtual.
  is_virtual: null,
  virtual_event_type: { group: 'online' },
  virtual_url: { group: 'online', control: urlControl },
  virtual_video_source: { group: 'online' },
  post_parent: inDetails(oneLink),
  event_status: { group: 'state' },
  event_status_reason: { group: 'state', control: lines(2) },
  ...CONTENT,
  timezone: {},
  slug: {},
  custom_fields: { control: custom },
})

export const VENUE_FORM = defineForm('venue', paramsOf(VENUE_FIELDS), {
  venue: inFirst(lineControl({ maxLength: FIELD_LIMITS.name })),
  address: inFirst(),
  zip: inFirst(),
  city: inFirst(),
  country: inFirst(),
  geo_lat: inFirst(latitude),
  geo_lng: { ...inFirst(), isBeside: true },
  description: inFirst(rich(5, TEXT_FORMATS)),
  image: inFirst(imageControl),
  phone: inDetails(tel),
  website: inDetails(urlControl),
  // The region of any country.
  stateprovince: inDetails(),
  wheelchair: inDetails(),
  accessibility: inDetails(lines(2)),
  // Parts of the region, which imports fill in, and which count only in some countries.
  state: { group: 'programs' },
  province: { group: 'programs' },
  ...CONTENT,
})

export const ORGANIZER_FORM = defineForm('organizer', paramsOf(ORGANIZER_FIELDS), {
  organizer: inFirst(lineControl({ maxLength: FIELD_LIMITS.name })),
  email: inFirst(),
  phone: inFirst(tel),
  hide_contact: inFirst(),
  website: inFirst(urlControl),
  description: inFirst(rich(5, TEXT_FORMATS)),
  image: inFirst(imageControl),
  ...CONTENT,
})

export const CATEGORY_FORM = defineForm('category', categoryFields.shape, {
  name: inFirst(),
  parent: inFirst(parentCategory),
  description: inFirst(inlineText),
  color: inFirst(selectControl(['', ...COLOUR_NAMES])),
  slug: {},
})

export const TAG_FORM = defineForm('tag', tagFields.shape, {
  name: inFirst(),
  description: inFirst(inlineText),
  slug: {},
})

export const IMAGE_FORM = defineForm('image', mediaTexts.shape, {
  alt_text: inFirst(lines(2)),
  title: inFirst(),
  caption: inFirst(lines(2)),
})

export const SETTINGS_FORM = defineForm('settings', settingsFields.shape, {
  name: inFirst(lineControl({ maxLength: 200 })),
  tagline: inFirst(lineControl({ maxLength: 120 })),
  timezone: inFirst(zoneControl),
  language: inFirst(languageControl),
  currency: inFirst(currencyControl),
  image: inFirst(imageControl),
  header_image: inFirst(imageControl),
  header_focus: inFirst(focusControl),
  accent_color: inFirst(colourControl),
  typeface: inFirst(selectControl(TYPEFACES)),
  imprint: inFirst(urlControl),
  imprint_text: inFirst(rich(4)),
  privacy: inFirst(urlControl),
  privacy_text: inFirst(rich(4)),
  accessibility: inFirst(urlControl),
  contact: inFirst(lineControl()),
  map_tiles: inFirst(lineControl()),
  map_attribution: inFirst(lineControl()),
  events_per_page: inFirst(lineControl({ type: 'number', minimum: 1, maximum: 100, step: '1' })),
  submissions: inFirst(flagControl()),
  news_first_mails: inFirst(lineControl({ type: 'number', minimum: 0, maximum: 10_000, step: '1' })),
  first_steps: inFirst(flagControl()),
})
