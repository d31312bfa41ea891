import { expect } from 'vitest'
import type { EventFields } from '../../../src/calendar/events/schema.ts'
import type { OrganizerFields } from '../../../src/calendar/organizers/resource.ts'
import type { VenueFields } from '../../../src/calendar/venues/schema.ts'
import type { Sample } from '../../feature-part.ts'

// Values for every field, each different from that of new content.

const IMAGE = 'https://img.example/all.png'
const named = (name: string) => expect.objectContaining(name === 'Hall' ? { venue: name } : { name })

const CONTENT = {
  author: { sent: 2, shown: '2' },
  date: { sent: '2026-01-02 09:00:00' },
  date_utc: { sent: '2026-01-03 08:00:00' },
  status: { sent: 'private' },
  slug: { sent: 'another-slug' },
  description: { sent: '<p>Another</p>' },
  image: { sent: IMAGE, shown: expect.objectContaining({ url: IMAGE }) },
  external_id: { sent: 'crm/4711@example.org' },
}

export const EVENT: Record<keyof EventFields, Sample> = {
  ...CONTENT,
  title: { sent: 'Another title' },
  start_date: { sent: '2027-01-10 09:00:00' },
  end_date: { sent: '2027-01-10 13:00:00' },
  excerpt: { sent: '<p>Excerpt</p>' },
  timezone: { sent: 'Europe/Rome' },
  all_day: { sent: true },
  cost: { sent: '$5' },
  cost_details: {
    sent: { currency_symbol: '$', currency_code: 'USD', currency_position: 'prefix', values: ['13'] },
    along: { cost: '$13' },
  },
  website: { sent: 'https://another.example/' },
  show_map: { sent: true },
  show_map_link: { sent: true },
  hide_from_listings: { sent: true },
  sticky: { sent: true },
  featured: { sent: true },
  ticketed: { sent: true },
  event_status: { sent: 'postponed' },
  event_status_reason: { sent: 'The river has risen' },
  is_virtual: { sent: true },
  virtual_event_type: { sent: 'hybrid' },
  virtual_url: { sent: 'https://meet.example/all' },
  virtual_video_source: { sent: 'video' },
  ticket_availability: { sent: 'few' },
  wheelchair: { sent: 'limited' },
  accessibility: { sent: 'Ramp in the yard' },
  room: { sent: 'Great hall' },
  custom_fields: { sent: { price_band: { label: 'Price band', value: 'Mid' } } },
  // No response shows it; a list does.
  post_parent: { sent: 1, shown: undefined },
  categories: { sent: ['Music'], shown: [named('Music')] },
  tags: { sent: ['jazz'], shown: [named('jazz')] },
  venue: { sent: { venue: 'Hall' }, shown: named('Hall') },
  organizer: { sent: { organizer: 'Guild' }, shown: [expect.objectContaining({ organizer: 'Guild' })] },
  // Shown in `series`: see test/calendar/events/recurrence.
  recurrence: { sent: { rrule: '', rdate: ['2027-01-10 18:00:00'] }, shown: undefined },
  scope: { sent: 'this', shown: undefined },
  spread: { sent: ['title'], shown: undefined },
}

export const VENUE: Record<keyof VenueFields, Sample> = {
  ...CONTENT,
  venue: { sent: 'Another venue' },
  address: { sent: '1 Lane' },
  city: { sent: 'Kent' },
  country: { sent: 'Ireland' },
  province: { sent: 'Leinster' },
  state: { sent: 'MA' },
  stateprovince: { sent: 'CT' },
  zip: { sent: '02101' },
  phone: { sent: '123' },
  website: { sent: 'https://venue.example/' },
  show_map: { sent: false },
  show_map_link: { sent: false },
  geo_lat: { sent: 53.27, along: { geo_lng: 1 } },
  geo_lng: { sent: -9.05, along: { geo_lat: 1 } },
  wheelchair: { sent: 'limited' },
  accessibility: { sent: 'Ramp in the yard' },
}

export const ORGANIZER: Record<keyof OrganizerFields, Sample> = {
  ...CONTENT,
  organizer: { sent: 'Another organizer' },
  phone: { sent: '123' },
  website: { sent: 'https://organizer.example/' },
  email: { sent: 'guild@example.org' },
  hide_contact: { sent: true },
}
