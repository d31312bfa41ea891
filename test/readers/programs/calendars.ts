import type { ProgramFile } from './read.ts'

// Calendars as other programs write them, and what must come out.

const calendar = (head: readonly string[], ...events: readonly (readonly string[])[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', ...head],
    ...events.flatMap((lines, i) => [
      'BEGIN:VEVENT',
      `UID:${i}@host.example`,
      'DTSTAMP:20261101T000000Z',
      ...lines,
      'END:VEVENT',
    ]),
    ...['END:VCALENDAR', ''],
  ].join('\r\n')

const zone = (
  tzid: string,
  standard: string,
  daylight: string,
  month: readonly [string, string],
): string[] => [
  ...['BEGIN:VTIMEZONE', `TZID:${tzid}`],
  ...[
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    `TZOFFSETFROM:${daylight}`,
    `TZOFFSETTO:${standard}`,
    `RRULE:FREQ=YEARLY;${month[1]}`,
    'END:STANDARD',
  ],
  ...[
    'BEGIN:DAYLIGHT',
    'DTSTART:16010101T020000',
    `TZOFFSETFROM:${standard}`,
    `TZOFFSETTO:${daylight}`,
    `RRULE:FREQ=YEARLY;${month[0]}`,
    'END:DAYLIGHT',
  ],
  'END:VTIMEZONE',
]
const EUROPE = ['BYDAY=-1SU;BYMONTH=3', 'BYDAY=-1SU;BYMONTH=10'] as const

export const CALENDARS: readonly ProgramFile[] = [
  {
    program: 'Outlook',
    zone: 'Europe/London',
    language: 'en',
    text: calendar(
      [
        'PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN',
        'METHOD:PUBLISH',
        ...zone('W. Europe Standard Time', '+0100', '+0200', EUROPE),
      ],
      [
        'CLASS:PUBLIC',
        'DTSTART;TZID="W. Europe Standard Time":20270410T193000',
        'DTEND;TZID="W. Europe Standard Time":20270410T210000',
        'SUMMARY;LANGUAGE=de:Probe',
        'LOCATION:Saal',
        'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
      ],
      [
        'CLASS:PRIVATE',
        'DTSTART:20270412T000000',
        'DTEND:20270413T000000',
        'SUMMARY:Vorstand',
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      ],
    ),
    events: ['Probe | 2027-04-10 19:30 - 21:00 | Saal', 'Vorstand | 2027-04-12 |  | private'],
  },
  {
    program: 'iCloud',
    zone: 'Europe/Madrid',
    language: 'en',
    text: calendar(
      [
        'PRODID:-//Apple Inc.//macOS 15.1//EN',
        'CALSCALE:GREGORIAN',
        'X-WR-CALNAME:Home',
        ...zone('Europe/Madrid', '+0100', '+0200', EUROPE),
      ],
      [
        'SUMMARY:Paella',
        'LOCATION:Playa\\nCalle Mar 1\\, Valencia',
        'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Calle Mar 1";X-TITLE=Playa:geo:39.46,-0.32',
        'DTSTART;TZID=Europe/Madrid:20270410T140000',
        'DTEND;TZID=Europe/Madrid:20270410T170000',
        'SEQUENCE:1',
      ],
    ),
    events: ['Paella | 2027-04-10 14:00 - 17:00 | Playa'],
  },
  {
    program: 'Google',
    zone: 'Europe/Berlin',
    language: 'en',
    text: calendar(
      ['PRODID:-//Google Inc//Google Calendar 70.9054//EN', 'METHOD:PUBLISH', 'X-WR-TIMEZONE:America/Denver'],
      [
        'DTSTART:20270411T013000Z',
        'DTEND:20270411T030000Z',
        'SUMMARY:Stars',
        'LOCATION:Hill',
        'STATUS:CONFIRMED',
        'TRANSP:OPAQUE',
      ],
      ['DTSTART;VALUE=DATE:20270412', 'DTEND;VALUE=DATE:20270415', 'SUMMARY:Camp', 'STATUS:TENTATIVE'],
    ),
    events: ['Stars | 2027-04-10 19:30 - 21:00 | Hill', 'Camp | 2027-04-12 to 2027-04-14 |'],
  },
  {
    program: 'Nextcloud',
    zone: 'Europe/Berlin',
    language: 'de',
    text: calendar(
      [
        'PRODID:-//IDN nextcloud.com//Calendar app 5.0//EN',
        ...zone('Europe/Berlin', '+0100', '+0200', EUROPE),
      ],
      [
        'CREATED:20261101T100000Z',
        'SUMMARY:Repair-Café',
        'STATUS:CANCELLED',
        'DTSTART;TZID=Europe/Berlin:20270410T140000',
        'DTEND;TZID=Europe/Berlin:20270410T170000',
        'LOCATION:Werkstatt',
      ],
    ),
    events: ['Repair-Café | 2027-04-10 14:00 - 17:00 | Werkstatt | canceled'],
  },
  {
    program: 'Facebook',
    zone: 'America/New_York',
    language: 'en',
    text: calendar(
      ['PRODID:-//Facebook//NONSGML Facebook Events V1.0//EN', 'METHOD:PUBLISH'],
      [
        'ORGANIZER;CN=Cellar:MAILTO:noreply@facebookmail.com',
        'DTSTART:20270410T233000Z',
        'DTEND:20270411T020000Z',
        'SUMMARY:Open mic',
        'LOCATION:Cellar\\, 1 Vine St',
        'CLASS:PUBLIC',
        'STATUS:CONFIRMED',
        'PARTSTAT:ACCEPTED',
      ],
    ),
    events: ['Open mic | 2027-04-10 19:30 - 22:00 | Cellar'],
  },
  {
    program: 'Exchange’s web pages',
    zone: 'America/New_York',
    language: 'en',
    text: calendar(
      [
        'METHOD:PUBLISH',
        'PRODID:Microsoft Exchange Server 2010',
        'X-WR-CALNAME:Calendar',
        ...zone('Eastern Standard Time', '-0500', '-0400', ['BYDAY=2SU;BYMONTH=3', 'BYDAY=1SU;BYMONTH=11']),
      ],
      [
        'DESCRIPTION:\\n',
        'SUMMARY:Town meeting',
        'DTSTART;TZID=Eastern Standard Time:20270410T193000',
        'DTEND;TZID=Eastern Standard Time:20270410T210000',
        'CLASS:PUBLIC',
        'LOCATION;LANGUAGE=en-US:Hall',
        'X-MICROSOFT-CDO-ALLDAYEVENT:FALSE',
      ],
      [
        'SUMMARY:Holiday',
        'DTSTART;VALUE=DATE:20270531',
        'DTEND;VALUE=DATE:20270601',
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      ],
    ),
    events: ['Town meeting | 2027-04-10 19:30 - 21:00 | Hall', 'Holiday | 2027-05-31 |'],
  },
  {
    program: 'Lotus Notes',
    zone: 'Europe/Zurich',
    language: 'de',
    text: calendar(
      [
        'PRODID:-//Lotus Development Corporation//NONSGML Notes 9.0//EN',
        'METHOD:PUBLISH',
        ...zone('W. Europe', '+0100', '+0200', EUROPE),
      ],
      [
        'CLASS:PUBLIC',
        'DTSTART;TZID="W. Europe":20270410T193000',
        'DTEND;TZID="W. Europe":20270410T210000',
        'SUMMARY:Probe',
        'LOCATION:Saal',
        'X-LOTUS-APPTTYPE:0',
      ],
    ),
    events: ['Probe | 2027-04-10 19:30 - 21:00 | Saal'],
  },
  {
    program: 'Thunderbird',
    zone: 'Europe/Paris',
    language: 'fr',
    text: calendar(
      [
        'PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN',
        ...zone('Europe/Paris', '+0100', '+0200', EUROPE),
      ],
      [
        'SUMMARY:Atelier',
        'DTSTART;TZID=Europe/Paris:20270410T143000',
        'DURATION:PT2H30M',
        'LOCATION:Maison pour tous',
        'CLASS:CONFIDENTIAL',
        'X-MOZ-GENERATION:2',
      ],
    ),
    events: ['Atelier | 2027-04-10 14:30 - 17:00 | Maison pour tous | private'],
  },
]
