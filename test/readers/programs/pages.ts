import type { ProgramFile } from './read.ts'

// Pages as other programs write them, and what must come out.

const page = (...inside: readonly string[]): string =>
  `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><link rel="canonical" href="https://host.example/events/1/">${inside.join('\n')}</head><body></body></html>`
const script = (json: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(json)}</script>`
const CONTEXT = { '@context': 'https://schema.org' }
const ADDRESS = {
  ...{ '@type': 'PostalAddress', streetAddress: '1 Mill Lane', addressLocality: 'Leeds', postalCode: 'LS1' },
  addressCountry: 'GB',
}

export const PAGES: readonly ProgramFile[] = [
  {
    program: 'Eventbrite',
    zone: 'America/New_York',
    language: 'en',
    text: page(
      script({
        ...CONTEXT,
        '@type': 'MusicEvent',
        name: 'Brass on the Pier',
        startDate: '2027-04-10T19:30:00-0400',
        endDate: '2027-04-10T22:00:00-0400',
        url: 'https://www.tickets.example/e/brass-1',
        image: 'https://img.example/1.jpg',
        eventStatus: 'https://schema.org/EventScheduled',
        eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
        location: { '@type': 'Place', name: 'Pier', address: ADDRESS },
        organizer: { '@type': 'Organization', name: 'Brass Band', url: 'https://www.tickets.example/o/1' },
        offers: [
          {
            ...{ '@type': 'AggregateOffer', lowPrice: '10.00', highPrice: '25.00', priceCurrency: 'USD' },
            availability: 'InStock',
          },
        ],
      }),
      script({ ...CONTEXT, '@type': 'BreadcrumbList', itemListElement: [] }),
    ),
    events: ['Brass on the Pier | 2027-04-10 19:30 - 22:00 | Pier | 10.00 – 25.00 USD'],
  },
  {
    program: 'Meetup',
    zone: 'America/Toronto',
    language: 'en',
    text: page(
      script({
        ...CONTEXT,
        '@type': 'Event',
        name: 'Board games',
        url: 'https://meet.example/games/1/',
        description: 'Bring one.',
        startDate: '2027-04-10T19:30-04:00',
        endDate: '2027-04-10T22:30-04:00',
        eventStatus: 'https://schema.org/EventScheduled',
        location: {
          ...{ '@type': 'Place', name: 'Snakes', address: ADDRESS },
          geo: { '@type': 'GeoCoordinates', latitude: 43.66, longitude: -79.4 },
        },
        organizer: { '@type': 'Organization', name: 'Gamers' },
      }),
    ),
    events: ['Board games | 2027-04-10 19:30 - 22:30 | Snakes'],
  },
  {
    program: 'Squarespace',
    zone: 'America/New_York',
    language: 'en',
    text: page(
      script({
        url: 'https://host.example',
        name: 'Barn',
        '@context': 'http://schema.org',
        '@type': 'WebSite',
      }),
      script({
        ...{ '@context': 'http://schema.org', '@type': 'Event', name: 'Barn dance — Barn' },
        startDate: '2027-04-10T19:30:00-0400',
        endDate: '2027-04-10T22:30:00-0400',
        location: [{ '@type': 'Place', name: 'The Barn', address: '12 Farm Rd\nTroy, NY, 12180' }],
        image: ['http://img.example/a.jpg?format=1500w'],
      }),
    ),
    events: ['Barn dance — Barn | 2027-04-10 19:30 - 22:30 | The Barn'],
  },
  {
    program: 'Wix',
    zone: 'Europe/Rome',
    language: 'en',
    text: page(
      script({
        ...{ '@context': 'http://schema.org', '@type': 'Event', name: 'Aperitivo' },
        description: 'Snacks',
        startDate: '2027-04-10T17:30:00.000Z',
        endDate: '2027-04-10T19:30:00.000Z',
        eventAttendanceMode: 'http://schema.org/OfflineEventAttendanceMode',
        eventStatus: 'http://schema.org/EventScheduled',
        location: { '@type': 'Place', name: 'Bar Centrale', address: 'Piazza 1, Roma' },
        image: { '@type': 'ImageObject', url: 'https://img.example/a.jpg', width: '900', height: '600' },
        offers: {
          '@type': 'AggregateOffer',
          ...{ lowPrice: '0.00', highPrice: '15.00', priceCurrency: 'EUR', offerCount: 2 },
          offers: [
            {
              '@type': 'Offer',
              price: '0.00',
              priceCurrency: 'EUR',
              availability: 'https://schema.org/InStock',
            },
            {
              '@type': 'Offer',
              price: '15.00',
              priceCurrency: 'EUR',
              availability: 'https://schema.org/SoldOut',
            },
          ],
        },
      }),
    ),
    events: ['Aperitivo | 2027-04-10 19:30 - 21:30 | Bar Centrale | 0.00 – 15.00 EUR'],
  },
  {
    program: 'Drupal’s microdata',
    zone: 'Europe/London',
    language: 'en',
    text: page().replace(
      '<body>',
      `<body><article itemscope itemtype="http://schema.org/Event" class="node node--type-event">
<h1 itemprop="name"><span>Lantern walk</span></h1>
<div class="field"><div class="field__label">When</div><div class="field__item"><time datetime="2027-04-10T18:30:00Z" itemprop="startDate">Sat 10 April 2027 - 19:30</time> to <time datetime="2027-04-10T20:00:00Z" itemprop="endDate">21:00</time></div></div>
<div itemprop="location" itemscope itemtype="http://schema.org/Place"><span itemprop="name">Old Mill</span><div itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><span itemprop="streetAddress">1 Mill Lane</span><br><span itemprop="addressLocality">Leeds</span></div></div>
<div itemprop="description"><p>Bring a lantern.</p></div></article>
<nav itemscope itemtype="http://schema.org/BreadcrumbList"><a itemprop="itemListElement" href="/">Home</a></nav>`,
    ),
    events: ['Lantern walk | 2027-04-10 19:30 - 21:00 | Old Mill'],
  },
  {
    program: 'The Events Calendar',
    zone: 'Europe/Berlin',
    language: 'en',
    text: page(
      script([
        {
          ...{ '@context': 'http://schema.org', '@type': 'Event', name: 'Jazz &#8211; late' },
          description: '&lt;p&gt;Two sets.&lt;/p&gt;\\n',
          url: 'https://host.example/event/jazz/',
          eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
          eventStatus: 'https://schema.org/EventScheduled',
          startDate: '2027-04-10T22:00:00+02:00',
          endDate: '2027-04-11T01:00:00+02:00',
          location: { '@type': 'Place', name: 'Keller', address: ADDRESS, telephone: '', sameAs: '' },
          organizer: { '@type': 'Person', name: 'Eva', email: '&#101;va&#64;jazz.example' },
          offers: {
            '@type': 'Offer',
            price: '12',
            priceCurrency: 'EUR',
            url: 'https://host.example/event/jazz/',
          },
          performer: 'Organization',
        },
      ]),
    ),
    events: ['Jazz – late | 2027-04-10 22:00 - 2027-04-11 01:00 | Keller | 12 EUR'],
  },
  {
    program: 'Ticketmaster',
    zone: 'America/Los_Angeles',
    language: 'en',
    text: page(
      script([
        {
          ...{ ...CONTEXT, '@type': 'MusicEvent', name: 'Headliner' },
          startDate: '2027-04-10T19:30:00',
          eventStatus: 'https://schema.org/EventCancelled',
          location: { '@type': 'MusicVenue', name: 'Bowl', address: ADDRESS },
          offers: {
            '@type': 'Offer',
            availability: 'https://schema.org/SoldOut',
            url: 'https://t.example/1',
          },
        },
        {
          ...{ ...CONTEXT, '@type': 'SportsEvent', name: 'Derby' },
          startDate: '2027-04-11',
          eventStatus: 'https://schema.org/EventPostponed',
          location: { '@type': 'StadiumOrArena', name: 'Park', address: ADDRESS },
        },
      ]),
    ),
    events: ['Headliner | 2027-04-10 19:30 | Bowl | canceled', 'Derby | 2027-04-11 | Park | postponed'],
  },
  {
    program: 'Ticket Tailor',
    zone: 'Europe/London',
    language: 'en',
    text: page(
      `<script type="application/ld+json">\n//<![CDATA[\n${JSON.stringify({
        ...CONTEXT,
        '@type': 'EventSeries',
        name: 'Comedy club',
        location: { '@type': 'Place', name: 'The Fox', address: ADDRESS },
        subEvent: [
          { '@type': 'Event', startDate: '2027-04-10T20:00:00+01:00', endDate: '2027-04-10T22:00:00+01:00' },
          { '@type': 'Event', startDate: '2027-04-17T20:00:00+01:00', endDate: '2027-04-17T22:00:00+01:00' },
        ],
      })}\n//]]>\n</script>`,
    ),
    events: [
      'Comedy club | 2027-04-10 20:00 - 22:00 | The Fox',
      'Comedy club | 2027-04-17 20:00 - 22:00 | The Fox',
    ],
  },
  {
    program: 'EventON',
    zone: 'America/New_York',
    language: 'en',
    text: page(
      `<script type="application/ld+json">{"@context": "http://schema.org","@type": "Event","@id": "event_1_0","eventAttendanceMode":"https://schema.org/OfflineEventAttendanceMode","name": "Wine \\'n dine","url": "https://host.example/events/wine/","startDate": "2027-4-10T19-30-4-00","endDate": "2027-4-10T22-00-4-00","image":"","description":"<p>Six wines.</p>","location":[{"@type":"Place","name":"Cellars","address":{"@type": "PostalAddress","streetAddress":"1 Vine St"}}],"eventStatus":"https://schema.org/EventScheduled",}</script>`,
    ),
    events: ["Wine 'n dine | 2027-04-10 19:30 - 22:00 | Cellars"],
  },
  {
    program: 'Yoast’s graph',
    zone: 'Europe/Paris',
    language: 'fr',
    text: page(
      script({
        ...CONTEXT,
        '@graph': [
          { '@type': 'WebPage', '@id': 'https://host.example/', name: 'Agenda', datePublished: '2026-11-01' },
          { '@type': 'Place', '@id': 'https://host.example/#salle', name: 'Salle Pleyel', address: ADDRESS },
          {
            '@type': ['Event', 'TheaterEvent'],
            name: { '@value': 'L’Avare', '@language': 'fr' },
            startDate: '2027-04-10T20:30',
            endDate: '2027-04-10T22:30',
            location: { '@id': 'https://host.example/#salle' },
            isAccessibleForFree: true,
          },
        ],
      }),
    ),
    events: ['L’Avare | 2027-04-10 20:30 - 22:30 | Salle Pleyel | 0'],
  },
  {
    program: 'a listing with a time of doors',
    zone: 'Europe/London',
    language: 'en',
    text: page(
      script({
        ...{ ...CONTEXT, '@type': 'Event', name: 'Folk night', startDate: '2027-04-10', doorTime: '19:30' },
        location: { '@type': 'Place', name: 'The Fox', address: ADDRESS },
      }),
    ),
    events: ['Folk night | 2027-04-10 | The Fox'],
  },
  {
    program: 'a calendar in microdata',
    zone: 'America/New_York',
    language: 'en',
    text: page().replace(
      '<body>',
      `<body><ul><li itemscope itemtype="https://schema.org/Event"><meta itemprop="startDate" content="2027-04-10T19:30:00-04:00"><meta itemprop="endDate" content="2027-04-10T21:00:00-04:00"><a itemprop="url" href="/e/1"><span itemprop="name">Tide talk</span></a><span itemprop="location" itemscope itemtype="https://schema.org/Place"><meta itemprop="name" content="Boat house"><meta itemprop="address" content="2 Quay"></span></li>
<li itemscope itemtype="https://schema.org/Event"><meta itemprop="startDate" content="2027-04-12"><a itemprop="url" href="/e/2"><span itemprop="name">Beach clean</span></a><span itemprop="location">Beach</span></li></ul>`,
    ),
    events: ['Tide talk | 2027-04-10 19:30 - 21:00 | Boat house', 'Beach clean | 2027-04-12 | Beach'],
  },
  {
    program: 'a course on several evenings',
    zone: 'Europe/Berlin',
    language: 'en',
    text: page(
      script({
        ...{ ...CONTEXT, '@type': 'EducationEvent', name: 'Pottery' },
        location: { '@type': 'Place', name: 'Kiln', address: ADDRESS },
        eventSchedule: {
          ...{ '@type': 'Schedule', startDate: '2027-04-06', endDate: '2027-04-27', repeatFrequency: 'P1W' },
          ...{ byDay: 'https://schema.org/Tuesday', startTime: '18:00', endTime: '20:00' },
          scheduleTimezone: 'Europe/Berlin',
        },
      }),
    ),
    events: ['Pottery | 2027-04-06 18:00 - 20:00 | Kiln'],
    said: ['eventSchedule 2027-04-06 2027-04-27 18:00 20:00 P1W Tuesday'],
  },
]
