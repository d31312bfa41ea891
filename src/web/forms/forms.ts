import { LETTER_WEEKDAYS } from '../../db/schema.ts'
import { paramsOf } from '../../resources/content/fields.ts'
import { EVENT_FIELDS } from '../../resources/events/schema.ts'
import { LETTER_FIELDS } from '../../resources/letters/schema.ts'
import { mediaTexts } from '../../resources/media/schema.ts'
import { ORGANIZER_FIELDS } from '../../resources/organizers/resource.ts'
import { settingsFields } from '../../resources/settings/schema.ts'
import { SOURCE_FIELDS } from '../../resources/sources/schema.ts'
import { categoryFields, tagFields } from '../../resources/terms/schema.ts'
import { VENUE_FIELDS } from '../../resources/venues/schema.ts'
import { webhookFields } from '../../resources/webhooks/schema.ts'
import { WEBHOOK_EVENTS } from '../../resources/webhooks/types.ts'
import { checkboxes, flagControl, hour, rights, status, user, weekday } from './controls/choice.ts'
import { imageControl } from './controls/image.ts'
import { oneLink, organizerLinks, tagLinks, venueLinks } from './controls/links.ts'
import { end, publication, start } from './controls/moment.ts'
import { latitude } from './controls/position.ts'
import {
  colourControl,
  currencyControl,
  languageChoice,
  languageControl,
  zoneControl,
} from './controls/settings.ts'
import { custom, lineControl, lines, price, queryControl, rich, urlControl } from './controls/text.ts'
import { categoryTree, parentCategory } from './controls/tree.ts'
import { defineForm, details, first, type Placement } from './form.ts'
import { repetition } from './repetition/control.ts'

// The forms of all resources, made from their field tables: these declarations only say where a field stands, and which control
// it has if not the default.

const tel = lineControl({ type: 'tel', most: 1_000 })

/** The fields that events, venues and organizers share, except those with a different place in each. */
const CONTENT = {
  status: { group: 'publication', control: status },
  date: { group: 'publication', control: publication },
  date_utc: null,
  author: { control: user },
  external_id: { group: 'programs' },
} as const satisfies Readonly<Record<string, Placement | null>>

/** The form of events. */
export const EVENT_FORM = defineForm('event', paramsOf(EVENT_FIELDS), {
  title: first(lineControl({ most: 2_000 })),
  image: first(imageControl),
  start_date: first(start),
  // Without it, the event ends when it starts.
  end_date: { ...first(end), isRequired: false, isBeside: true },
  all_day: { ...first(flagControl()), isBeside: true },
  recurrence: { ...first(repetition), isBeside: true },
  scope: null,
  venue: first(venueLinks),
  cost: first(price),
  cost_details: null,
  categories: first(categoryTree),
  description: first(rich()),
  organizer: details(organizerLinks),
  website: details(urlControl),
  ticketed: details(),
  ticket_availability: details(),
  wheelchair: details(),
  accessibility: details(lines(2)),
  excerpt: details(rich(3, false)),
  tags: details(tagLinks),
  featured: details(),
  // The type implies it.
  is_virtual: null,
  virtual_event_type: { group: 'online' },
  virtual_url: { group: 'online', control: urlControl },
  virtual_video_source: { group: 'online' },
  post_parent: details(oneLink),
  event_status: { group: 'state' },
  event_status_reason: { group: 'state', control: lines(2) },
  ...CONTENT,
  timezone: {},
  slug: {},
  custom_fields: { control: custom },
})

/** The form of venues. */
export const VENUE_FORM = defineForm('venue', paramsOf(VENUE_FIELDS), {
  venue: first(lineControl({ most: 2_000 })),
  address: first(),
  zip: first(),
  city: first(),
  country: first(),
  geo_lat: first(latitude),
  geo_lng: { ...first(), isBeside: true },
  description: first(rich(5)),
  image: first(imageControl),
  phone: details(tel),
  website: details(urlControl),
  state: details(),
  wheelchair: details(),
  accessibility: details(lines(2)),
  // Other names of the same, which imports fill in.
  province: { group: 'programs' },
  stateprovince: { group: 'programs' },
  ...CONTENT,
})

/** The form of organizers. */
export const ORGANIZER_FORM = defineForm('organizer', paramsOf(ORGANIZER_FIELDS), {
  organizer: first(lineControl({ most: 2_000 })),
  email: first(),
  phone: first(tel),
  website: first(urlControl),
  description: first(rich(5)),
  image: first(imageControl),
  ...CONTENT,
})

/** The form of categories. */
export const CATEGORY_FORM = defineForm('category', categoryFields.shape, {
  name: first(),
  parent: first(parentCategory),
  description: first(lines()),
  slug: {},
})

/** The form of tags. */
export const TAG_FORM = defineForm('tag', tagFields.shape, {
  name: first(),
  description: first(lines()),
  slug: {},
})

/** The form of the texts of images. */
export const IMAGE_FORM = defineForm('image', mediaTexts.shape, {
  alt_text: first(lines(2)),
  title: first(),
  caption: first(lines(2)),
})

/** The form of the calendar's settings. */
export const SETTINGS_FORM = defineForm('settings', settingsFields.shape, {
  name: first(lineControl({ most: 200 })),
  timezone: first(zoneControl),
  language: first(languageControl),
  currency: first(currencyControl),
  image: first(imageControl),
  accent_color: first(colourControl),
  imprint: first(urlControl),
  privacy: first(urlControl),
  accessibility: first(urlControl),
  events_per_page: first(lineControl({ type: 'number', minimum: 1, maximum: 100, step: '1' })),
  submissions: first(flagControl()),
})

/** The form of sources. Their kind is detected. */
export const SOURCE_FORM = defineForm('source', paramsOf(SOURCE_FIELDS), {
  name: first(),
  url: first(urlControl),
  every: first(),
  status: first(),
  categories: first(categoryTree),
  tags: details(tagLinks),
  venue: details(oneLink),
  organizer: details(oneLink),
  search: details(),
  mirror: {},
  rights: { control: rights },
  kind: null,
  state: null,
})

/** The form of letters. */
export const LETTER_FORM = defineForm('letter', paramsOf(LETTER_FIELDS), {
  name: first(),
  to: first(),
  weekday: first(weekday(LETTER_WEEKDAYS)),
  hour: { ...first(hour), isBeside: true },
  days: first(),
  subject: first(),
  intro: first(lines(4)),
  language: first(languageChoice),
  filters: first(queryControl),
  empty: first(),
  active: null,
})

/** The form of webhooks. Their secrets are made here. */
export const WEBHOOK_FORM = defineForm('webhook', webhookFields.shape, {
  url: first(urlControl),
  events: { ...first(checkboxes(WEBHOOK_EVENTS)), isRequired: true },
  filters: first(queryControl),
  active: null,
  secret: null,
})
