// A sample calendar: some weeks in Kilkenny. The town and its streets exist; venues, people and events are made up. Times and
// costs are those of the calendar that gets them, without a zone and a currency of their own.

/** The dates of a sample event, counted from the day on which it is loaded. */
export type When = {
  /** Monday is 1, Sunday 7. */
  weekday: number
  /** 0 is the first such weekday after today, -1 the last until today. */
  week: number
  /** Number of days; 1 by default. */
  days?: number
  /** Wall times; an event without them takes all day. */
  from?: string
  to?: string
}

type SampleEvent = {
  when: When
  /** The name of a file in sample-images. */
  image?: string
  fields: Record<string, unknown>
}

/** The categories, parents before their children. */
export const SAMPLE_CATEGORIES: readonly { name: string; description: string; parent?: string }[] = [
  { name: 'Music', description: 'Anything to listen to.' },
  { name: 'Folk & Traditional', description: 'Tunes that nobody remembers learning.', parent: 'Music' },
  { name: 'Classical', description: 'Written down, mostly some time ago.', parent: 'Music' },
  { name: 'Stage & Screen', description: 'Plays, readings and films.' },
  { name: 'Film', description: 'With the lights off.', parent: 'Stage & Screen' },
  { name: 'Community', description: 'By neighbours, for neighbours.' },
  { name: 'Markets', description: 'Bring a bag.', parent: 'Community' },
]

const KILKENNY = { city: 'Kilkenny', province: 'Leinster', country: 'Ireland' }

const WEIR = {
  venue: 'The Weir Theatre',
  address: '31 John Street',
  zip: 'R95 W3R1',
  phone: '+353 20 910 0131',
  website: 'https://weir-theatre.example.org/',
  description: 'A hundred and forty seats in a former mill. The bar opens an hour before the curtain.',
  geo_lat: 52.6537,
  geo_lng: -7.2463,
  ...KILKENNY,
}

const LIBRARY = {
  venue: 'Cloth Hall Library',
  address: '4 Parliament Street',
  zip: 'R95 C10H',
  phone: '+353 20 910 0104',
  website: 'https://cloth-hall.example.org/',
  geo_lat: 52.6532,
  geo_lng: -7.2547,
  ...KILKENNY,
}

const MEADOW = {
  venue: 'Nore Meadow',
  address: 'Canal Walk',
  description: 'The field between the canal walk and the river. No parking; bicycles are welcome.',
  geo_lat: 52.6479,
  geo_lng: -7.2452,
  ...KILKENNY,
}

const BREWHOUSE = {
  venue: 'The Old Brewhouse',
  address: '9 Horseleap Slip',
  zip: 'R95 B2EW',
  website: 'https://old-brewhouse.example.org/',
  geo_lat: 52.6553,
  geo_lng: -7.2571,
  ...KILKENNY,
}

const WEIR_COMPANY = {
  organizer: 'The Weir Company',
  phone: '+353 20 910 0131',
  website: 'https://weir-theatre.example.org/',
  email: 'box-office@weir-theatre.example.org',
}

const SESSIONS = {
  organizer: 'Noreside Sessions',
  website: 'https://noreside-sessions.example.org/',
  email: 'hello@noreside-sessions.example.org',
}

const NEIGHBOURS = { organizer: 'Canal Walk Neighbours', email: 'canalwalk@example.org' }

const market = (week: number): SampleEvent => ({
  when: { weekday: 6, week, from: '09:00', to: '13:30' },
  image: 'market',
  fields: {
    title: 'Saturday Market on the Meadow',
    description:
      '<p>Twenty stalls of vegetables, bread, cheese and cut flowers, all from nearby.</p>' +
      '<p>Coffee from eight; <strong>dogs on leads, please</strong>.</p>',
    venue: MEADOW,
    organizer: NEIGHBOURS,
    categories: ['Markets'],
    tags: ['outdoors', 'every week'],
    cost: '0',
  },
})

const slowSession = (week: number): SampleEvent => ({
  when: { weekday: 2, week, from: '20:30', to: '23:00' },
  image: 'session',
  fields: {
    title: 'Slow Session for New Players',
    description:
      'Tunes at half speed, and twice if need be.\n\nBring any instrument that fits under a table.',
    excerpt: 'An open session for those who are still learning.',
    venue: BREWHOUSE,
    organizer: SESSIONS,
    categories: ['Folk & Traditional'],
    tags: ['beginners', 'every week'],
    cost: '0',
  },
})

/** Enough weeks to have events for months after the sample was loaded. */
const WEEKS = Array.from({ length: 12 }, (_, week) => week)

/** The events, in the order in which they are created. */
export const SAMPLE_EVENTS: readonly SampleEvent[] = [
  ...WEEKS.map(market),
  ...WEEKS.map(slowSession),
  {
    // This event has begun before the sample is loaded.
    when: { weekday: 1, week: -1, days: 90 },
    image: 'kites',
    fields: {
      title: 'Kites over Kilkenny',
      description: '<p>Two hundred photographs that a kite took, and some of the kites.</p>',
      venue: LIBRARY,
      categories: ['Community'],
      tags: ['exhibition', 'step-free'],
      cost: '0',
      all_day: true,
    },
  },
  {
    when: { weekday: 5, week: 1, days: 3, from: '18:00', to: '22:30' },
    image: 'fiddles',
    fields: {
      title: 'Weekend of Fiddles',
      description:
        '<p>Three evenings, nine fiddlers and one very patient piano.</p>' +
        '<ul><li>Friday: the opening concert</li><li>Saturday: dance with a caller</li>' +
        '<li>Sunday: everybody, all at once</li></ul>',
      excerpt: 'Nine fiddlers, three evenings.',
      venue: WEIR,
      organizer: [SESSIONS, WEIR_COMPANY],
      categories: ['Folk & Traditional'],
      tags: ['festival', 'step-free'],
      cost: '18 - 45',
      website: 'https://noreside-sessions.example.org/fiddles',
      featured: true,
      ticketed: true,
    },
  },
  {
    when: { weekday: 4, week: 0, from: '19:30', to: '21:45' },
    image: 'theatre',
    fields: {
      title: 'The Ferryman’s Accounts',
      description:
        '<p>A comedy in two acts about a bridge, and the man who would rather there were none.</p>',
      venue: WEIR,
      organizer: WEIR_COMPANY,
      categories: ['Stage & Screen'],
      tags: ['step-free'],
      cost: '14 - 22',
      ticketed: true,
    },
  },
  {
    when: { weekday: 3, week: 1, from: '20:00', to: '22:10' },
    image: 'film',
    fields: {
      title: 'Short Films from Small Islands',
      description: '<p>Seven films, none longer than a quarter of an hour, with subtitles in English.</p>',
      venue: WEIR,
      organizer: WEIR_COMPANY,
      categories: ['Film'],
      tags: ['subtitles', 'step-free'],
      cost: '9',
      ticketed: true,
    },
  },
  {
    when: { weekday: 1, week: 1, days: 12 },
    image: 'river',
    fields: {
      title: 'River, Rope & Rain: Photographs of the Nore',
      description:
        '<p>Sixty years of floods, regattas and washing lines, lent by families along the river.</p>',
      venue: LIBRARY,
      categories: ['Community'],
      tags: ['exhibition', 'step-free'],
      cost: '0',
      all_day: true,
    },
  },
  {
    when: { weekday: 7, week: 2 },
    image: 'workshop',
    fields: {
      title: 'Open Workshops Day',
      description:
        '<p>Potters, printers and a maker of boats leave their doors open. A map hangs at the library.</p>',
      organizer: NEIGHBOURS,
      categories: ['Community'],
      tags: ['beginners'],
      cost: '0',
      all_day: true,
    },
  },
  {
    when: { weekday: 6, week: 1, from: '10:30', to: '12:00' },
    fields: {
      title: 'Mend It Morning',
      description:
        '<p>Toasters, trousers, bicycles: bring it in, and somebody will show you how to put it right.</p>',
      venue: LIBRARY,
      organizer: NEIGHBOURS,
      categories: ['Community'],
      tags: ['beginners', 'step-free'],
      cost: '0',
    },
  },
  {
    when: { weekday: 7, week: 3, from: '16:00', to: '17:30' },
    image: 'candle',
    fields: {
      title: 'Four Cellos by Candlelight',
      description:
        '<p>From Purcell to a piece that was finished last week. Doors close at the first candle.</p>',
      venue: BREWHOUSE,
      categories: ['Classical'],
      cost: '16',
      ticketed: true,
    },
  },
  {
    // The only event with a zone of its own, an evening in Nova Scotia.
    when: { weekday: 3, week: 2, from: '20:00', to: '21:30' },
    fields: {
      title: 'Live from Lunenburg: Fiddle Tunes across the Water',
      description: '<p>A concert by video from Nova Scotia. Times are those of the hall it is played in.</p>',
      organizer: SESSIONS,
      categories: ['Folk & Traditional'],
      tags: ['online'],
      cost: 'Pay what you like',
      timezone: 'America/Halifax',
      website: 'https://noreside-sessions.example.org/lunenburg',
    },
  },
  {
    when: { weekday: 5, week: 0, from: '20:00', to: '23:30' },
    image: 'dance',
    fields: {
      title: 'Céilí in the Old Brewhouse',
      description:
        '<p>Every dance is called, so nobody needs to know any. Soft shoes, please: the floor is older than all of us.</p>',
      venue: BREWHOUSE,
      organizer: SESSIONS,
      categories: ['Folk & Traditional'],
      tags: ['dancing', 'beginners'],
      cost: '8',
    },
  },
  {
    when: { weekday: 7, week: 0, from: '11:00', to: '12:30' },
    fields: {
      title: 'Sunday Walk along the Nore',
      description: '<p>Four miles, two stiles and a kettle at the end. Meet at the gate of the meadow.</p>',
      venue: MEADOW,
      organizer: NEIGHBOURS,
      categories: ['Community'],
      tags: ['outdoors'],
      cost: '0',
    },
  },
  {
    when: { weekday: 6, week: 2, from: '20:00', to: '22:00' },
    fields: {
      title: 'Brass before Breakfast, at Supper Time',
      description: '<p>Eleven trumpets, two tubas and an apology to the neighbours.</p>',
      venue: WEIR,
      organizer: WEIR_COMPANY,
      categories: ['Music'],
      tags: ['step-free'],
      cost: '12 - 20',
      ticketed: true,
    },
  },
  {
    when: { weekday: 4, week: 2, from: '18:30', to: '20:00' },
    fields: {
      title: 'Poems that Rhyme, and Some that Should',
      description:
        '<p>An open microphone with a kind audience. Three minutes each; the clock is a pineapple.</p>',
      venue: LIBRARY,
      categories: ['Stage & Screen'],
      tags: ['beginners', 'step-free'],
      cost: '0',
    },
  },
  {
    when: { weekday: 5, week: 3, from: '19:30', to: '22:00' },
    fields: {
      title: 'Concert for Two Harps',
      description:
        '<p>Airs from the eighteenth century, and what two students of them wrote last winter.</p>',
      venue: LIBRARY,
      organizer: SESSIONS,
      categories: ['Classical', 'Folk & Traditional'],
      tags: ['step-free'],
      cost: '14',
      ticketed: true,
    },
  },
  {
    when: { weekday: 5, week: 4, from: '19:00', to: '21:00' },
    fields: {
      title: 'Winter Readings (readers to be confirmed)',
      description: '<p>Not announced yet: a draft, which only those who may edit it can see.</p>',
      status: 'draft',
      venue: LIBRARY,
      organizer: WEIR_COMPANY,
      categories: ['Stage & Screen'],
    },
  },
]
