import type { AllFieldWords } from './all.ts'

const statuses = {
  publish: 'Public',
  future: 'Public from a date on',
  draft: 'Draft',
  pending: 'For review',
  private: 'Only for editors',
  trash: 'In the trash',
}

const content = {
  author: ['Author'],
  date: ['Public since, or from', 'In the calendar’s time zone. With a date to come, it appears by itself.'],
  status: ['Who can see it', undefined, statuses],
  slug: ['Address', 'The last part of its web address. If left empty, it is made from the name.'],
  description: ['Description', 'An empty line begins a new paragraph. HTML works as well.'],
  image: ['Image'],
  external_id: ['Id elsewhere', 'Its id in another system, if it has one.'],
} as const

const show_map = ['Show a map'] as const
const show_map_link = ['Show a link to a map'] as const
const website = ['Website'] as const

export const en: AllFieldWords = {
  event: {
    ...content,
    title: ['Title'],
    start_date: ['Begins'],
    end_date: ['Ends', 'Leave the time empty if the end is open.'],
    all_day: ['All day'],
    recurrence: ['Repetition'],
    timezone: ['Time zone', 'Where it takes place, such as Europe/Rome.'],
    venue: ['Venue'],
    organizer: ['Organizer'],
    categories: ['Categories'],
    tags: ['Tags'],
    excerpt: [
      'Summary',
      'One or two sentences for lists. If left empty, lists show the beginning of the description.',
    ],
    cost: ['Price', 'As it should read: “Free”, “12”, “10 to 25”.'],
    website: ['Website', 'Where one reads more or gets tickets.'],
    ticketed: ['Has tickets', 'The website is then shown as the way to get them.'],
    featured: ['Featured', 'Stands out in the calendar.'],
    virtual_event_type: [
      'Where it takes place',
      undefined,
      { '': 'At the venue', virtual: 'Online only', hybrid: 'At the venue and online' },
    ],
    virtual_url: ['Link to take part'],
    virtual_video_source: ['Service', 'The program or site that shows it.'],
    event_status: [
      'Does it take place?',
      'A canceled event stays in the calendar and says so.',
      {
        scheduled: 'Yes, as announced',
        canceled: 'Canceled',
        postponed: 'Postponed, the new date is open',
        rescheduled: 'Moved to the date above',
      },
    ],
    event_status_reason: ['Reason', 'Shown to everybody.'],
    show_map,
    show_map_link,
    hide_from_listings: ['Keep out of lists', 'Only those who have its address find it.'],
    sticky: ['Put first in month views'],
    post_parent: ['Belongs to event', 'The number of another event.'],
    custom_fields: ['Own fields', 'Anything else. Empty both to remove one.'],
  },
  venue: {
    ...content,
    venue: ['Name'],
    address: ['Street and number'],
    city: ['City'],
    country: ['Country'],
    province: ['Province'],
    state: ['State'],
    stateprovince: ['State or province'],
    zip: ['Postal code'],
    phone: ['Telephone'],
    website,
    show_map,
    show_map_link,
    geo_lat: ['Latitude', 'Degrees, such as 53.27. Needed with the longitude for searches nearby.'],
    geo_lng: ['Longitude', 'Degrees, such as -9.05.'],
  },
  organizer: { ...content, organizer: ['Name'], phone: ['Telephone'], website, email: ['E-mail'] },
  category: {
    name: ['Name'],
    parent: ['Belongs to'],
    description: ['Description'],
    slug: content.slug,
  },
  tag: { name: ['Name'], description: ['Description'], slug: content.slug },
  image: {
    alt_text: ['What it shows', 'For people who don’t see it: one sentence is enough.'],
    title: ['Title', 'The name by which you find it here.'],
    caption: ['Caption', 'Such as who made it.'],
  },
  source: {
    name: ['Name', 'It stands at its events.'],
    url: ['Address'],
    every: [
      'How often it is read',
      undefined,
      {
        hour: 'Every hour',
        '6 hours': 'Every six hours',
        day: 'Every day',
        week: 'Every week',
        '': 'Only when I say so',
      },
    ],
    status: [
      'New events',
      undefined,
      { publish: 'Appear at once', pending: 'Wait for review', draft: 'Become drafts' },
    ],
    categories: ['Categories that its events get'],
    tags: ['Tags that its events get'],
    venue: ['Venue', 'Of events that name none.'],
    organizer: ['Organizer', 'Of events that name none.'],
    search: ['Only events with one of these words', 'Leave it empty for all.'],
    mirror: [
      'Everything as it is there',
      'What you change here is undone, and what is gone there goes to the trash here. Otherwise, what you change here stays.',
    ],
    rights: [
      'Rights',
      'If the other calendar asks for a note at its events.',
      { text: 'Wording, such as “CC BY 4.0”', url: 'Link to the terms' },
    ],
  },
}
