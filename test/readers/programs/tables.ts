import type { ProgramFile } from './read.ts'

// Tables as other programs export them, and what must come out.

/** Lines of cells, each in quotation marks. */
const quoted = (...rows: readonly string[][]): string =>
  rows.map(cells => cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')

const OUTLOOK_EN =
  'Subject|Start Date|Start Time|End Date|End Time|All day event|Reminder on/off|Reminder Date|Reminder Time|Meeting Organizer|Required Attendees|Optional Attendees|Meeting Resources|Billing Information|Categories|Description|Location|Mileage|Priority|Private|Sensitivity|Show time as'.split(
    '|',
  )
const OUTLOOK_DE =
  'Betreff|Beginnt am|Beginnt um|Endet am|Endet um|Ganztägiges Ereignis|Erinnerung Ein/Aus|Erinnerung am|Erinnerung um|Besprechungsplanung|Erforderliche Teilnehmer|Optionale Teilnehmer|Besprechungsressourcen|Abrechnungsinformationen|Beschreibung|Kategorien|Ort|Priorität|Privat|Reisekilometer|Vertraulichkeit|Zeitspanne zeigen als'.split(
    '|',
  )
const OUTLOOK_FR =
  'Objet|Début|Début|Fin|Fin|Journée entière|Rappel actif/inactif|Date de rappel|Heure du rappel|Organisateur de la réunion|Participants obligatoires|Participants facultatifs|Ressources de la réunion|Catégories|Critère de diffusion|Description|Disponibilité|Emplacement|Informations facturation|Kilométrage|Priorité|Privé'.split(
    '|',
  )
/** A row of Outlook: title, days and times come first, the other cells by their headings. */
const row = (
  headings: readonly string[],
  first: string,
  more: Readonly<Record<string, string>>,
): string[] => {
  const cells = first.split('|')
  return headings.map((heading, i) => cells[i] ?? more[heading] ?? '')
}

const EVENT_ON =
  'publish_status,event_id,evcal_color,event_name,event_description,event_start_date,event_start_time,event_end_date,event_end_time,all_day,extend_type,event_location,location_name,event_organizer,featured,image_url'

export const TABLES: readonly ProgramFile[] = [
  {
    program: 'Outlook in English',
    zone: 'America/New_York',
    language: 'en',
    text: quoted(
      OUTLOOK_EN,
      row(
        OUTLOOK_EN,
        'Spring concert|4/10/2027|7:30:00 PM|4/10/2027|9:00:00 PM|False|True|4/10/2027|7:15:00 PM',
        {
          ...{ Description: 'Songs of the sea', Location: 'Town hall', Priority: 'Normal', Private: 'False' },
          ...{ Sensitivity: 'Normal', 'Show time as': '2', Categories: 'Music' },
        },
      ),
      row(
        OUTLOOK_EN,
        'Flea market|4/24/2027|12:00:00 AM|4/25/2027|12:00:00 AM|True|False|4/23/2027|6:00:00 PM',
        {
          ...{ Location: 'Market square', Private: 'False', Sensitivity: 'Normal', 'Show time as': '3' },
        },
      ),
      row(OUTLOOK_EN, 'Board|4/26/2027|6:00:00 PM|4/26/2027|7:00:00 PM|False|False', {
        ...{ Location: 'Office', Private: 'True', Sensitivity: 'Private', 'Show time as': '2' },
      }),
    ),
    events: [
      'Spring concert | 2027-04-10 19:30 - 21:00 | Town hall',
      'Flea market | 2027-04-24 | Market square',
      'Board | 2027-04-26 18:00 - 19:00 | Office | private',
    ],
  },
  {
    program: 'Outlook in German',
    zone: 'Europe/Berlin',
    language: 'de',
    text: quoted(
      OUTLOOK_DE,
      row(OUTLOOK_DE, 'Chorprobe|10.4.2027|19:30:00|10.4.2027|21:00:00|Aus|Ein|10.4.2027|19:15:00', {
        ...{ Beschreibung: 'Alle Stimmen', Ort: 'Gemeindehaus', Priorität: 'Normal', Privat: 'Aus' },
        ...{ Vertraulichkeit: 'Normal', 'Zeitspanne zeigen als': '2' },
      }),
      row(OUTLOOK_DE, 'Flohmarkt|24.4.2027|00:00:00|25.4.2027|00:00:00|Ein|Aus|23.4.2027|18:00:00', {
        ...{ Ort: 'Marktplatz', Privat: 'Aus', Vertraulichkeit: 'Normal', 'Zeitspanne zeigen als': '3' },
      }),
      row(OUTLOOK_DE, 'Vorstand|26.4.2027|18:00:00|26.4.2027|19:00:00|Aus|Aus', {
        ...{ Ort: 'Büro', Privat: 'Ein', Vertraulichkeit: 'Privat', 'Zeitspanne zeigen als': '2' },
      }),
    ),
    events: [
      'Chorprobe | 2027-04-10 19:30 - 21:00 | Gemeindehaus',
      'Flohmarkt | 2027-04-24 | Marktplatz',
      'Vorstand | 2027-04-26 18:00 - 19:00 | Büro | private',
    ],
  },
  {
    program: 'Outlook in French',
    zone: 'Europe/Paris',
    language: 'fr',
    text: quoted(
      OUTLOOK_FR,
      row(OUTLOOK_FR, 'Répétition|10/04/2027|19:30:00|10/04/2027|21:00:00|Faux|Vrai|10/04/2027|19:15:00', {
        ...{ Description: 'Toutes les voix', Emplacement: 'Salle des fêtes', Privé: 'Faux' },
        ...{ 'Critère de diffusion': 'Normal', Disponibilité: '2', Priorité: 'Normale' },
      }),
      row(OUTLOOK_FR, 'Brocante|24/04/2027|00:00:00|25/04/2027|00:00:00|Vrai|Faux', {
        ...{ Emplacement: 'Place du marché', Privé: 'Faux', 'Critère de diffusion': 'Normal' },
      }),
      row(OUTLOOK_FR, 'Bureau|26/04/2027|18:00:00|26/04/2027|19:00:00|Faux|Faux', {
        ...{ Emplacement: 'Mairie', Privé: 'Vrai', 'Critère de diffusion': 'Privé' },
      }),
    ),
    events: [
      'Répétition | 2027-04-10 19:30 - 21:00 | Salle des fêtes',
      'Brocante | 2027-04-24 | Place du marché',
      'Bureau | 2027-04-26 18:00 - 19:00 | Mairie | private',
    ],
  },
  {
    program: 'Google Forms in English',
    zone: 'America/Chicago',
    language: 'en',
    text: quoted(
      [
        'Timestamp',
        'Email Address',
        'Name of the event',
        'Date of the event',
        'Start time',
        'End time',
        'Where does it take place?',
        'How much does it cost?',
      ],
      [
        '11/20/2026 14:05:11',
        'ann@club.example',
        'Spring fair',
        '4/17/2027',
        '2:00:00 PM',
        '6:00:00 PM',
        'Riverside Park',
        'Free',
      ],
      [
        '11/21/2026 9:00:02',
        'bob@club.example',
        'Quiz night',
        '4/23/2027',
        '8:00:00 PM',
        '',
        'The Fox',
        '$5',
      ],
    ),
    events: [
      'Spring fair | 2027-04-17 14:00 - 18:00 | Riverside Park | Free',
      'Quiz night | 2027-04-23 20:00 | The Fox | $5',
    ],
  },
  {
    program: 'Google Forms in German',
    zone: 'Europe/Berlin',
    language: 'de',
    text: quoted(
      [
        'Zeitstempel',
        'Titel der Veranstaltung',
        'Datum der Veranstaltung',
        'Beginn (Uhrzeit)',
        'Ende (Uhrzeit)',
        'Wo findet sie statt?',
      ],
      ['20.11.2026 14:05:11', 'Sommerfest', '17.07.2027', '14:00:00', '22:00:00', 'Stadtpark'],
    ),
    events: ['Sommerfest | 2027-07-17 14:00 - 22:00 | Stadtpark'],
  },
  {
    program: 'Airtable',
    zone: 'America/New_York',
    language: 'en',
    text: '\uFEFFName,Start,End,All day,Venue,Status,Notes,Created time\nReading group,4/10/2027 7:30pm,4/10/2027 9:00pm,,Library,Confirmed,Bring the book,11/2/2026 3:04pm\nClean-up day,4/25/2027 12:00am,4/25/2027 12:00am,checked,Canal,Confirmed,,11/2/2026 3:05pm\nTalk,4/26/2027 6:00pm,4/26/2027 7:00pm,,Library,Draft,,11/2/2026 3:06pm\n',
    events: [
      'Reading group | 2027-04-10 19:30 - 21:00 | Library',
      'Clean-up day | 2027-04-25 | Canal',
      'Talk | 2027-04-26 18:00 - 19:00 | Library | draft',
    ],
  },
  {
    program: 'Notion',
    zone: 'Europe/London',
    language: 'en',
    text: 'Name,Date,Place,Tags\n"Open mic","April 10, 2027 7:30 PM → 9:00 PM",Cellar,"Music, Free"\nHarvest supper,"September 25, 2027",Barn,Food\nCamp,"July 2, 2027 → July 4, 2027",Meadow,\n',
    events: [
      'Open mic | 2027-04-10 19:30 - 21:00 | Cellar',
      'Harvest supper | 2027-09-25 | Barn',
      'Camp | 2027-07-02 to 2027-07-04 | Meadow',
    ],
  },
  {
    program: 'a club’s German Excel',
    zone: 'Europe/Berlin',
    language: 'de',
    text: 'Jahresprogramm 2027;;;;;\r\nDatum;Tag;Uhrzeit;Veranstaltung;Ort;Eintritt\r\n10.04.2027;Sa;19:30 Uhr;Frühjahrskonzert;Stadthalle;12,00 €\r\n01.05.2027;Sa;ab 11 Uhr;Maibaum;Dorfplatz;frei\r\n12.06.2027;Sa;18-22 Uhr;Sommernacht;Schulhof;\r\n',
    events: [
      'Frühjahrskonzert | 2027-04-10 19:30 | Stadthalle | 12,00 €',
      'Maibaum | 2027-05-01 11:00 | Dorfplatz | frei',
      'Sommernacht | 2027-06-12 18:00 - 22:00 | Schulhof',
    ],
  },
  {
    program: 'Google Calendar’s template',
    zone: 'America/Los_Angeles',
    language: 'en',
    text: 'Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private\nFinal exam,05/30/2027,10:00 AM,05/30/2027,1:00 PM,False,"50 multiple choice, 2 essays","Columbia, Schermerhorn 614",True\nPicnic,05/31/2027,,05/31/2027,,True,,Lake,False\n',
    events: [
      'Final exam | 2027-05-30 10:00 - 13:00 | Columbia, Schermerhorn 614 | private',
      'Picnic | 2027-05-31 | Lake',
    ],
  },
  {
    program: 'The Events Calendar',
    zone: 'America/New_York',
    language: 'en',
    text: `${quoted(
      [
        'Event Name',
        'Event Excerpt',
        'Event Venue Name',
        'Event Organizer Name',
        'Event Start Date',
        'Event Start Time',
        'Event End Date',
        'Event End Time',
        'All Day Event',
        'Event Time Zone',
        'Hide Event From Event Listings',
        'Event Sticky in Month View',
        'Feature Event',
        'Event Cost',
        'Event Currency Symbol',
        'Event Currency Position',
        'Event ISO Currency Code',
        'Event Category',
        'Event Tags',
        'Event Website',
        'Event Featured Image',
        'Allow Comments',
        'Event Allow Trackbacks and Pingbacks',
        'Event Description',
      ],
      [
        'Gala',
        'A night out',
        'Palace',
        'Friends',
        '2027-04-10',
        '19:30:00',
        '2027-04-10',
        '23:00:00',
        'FALSE',
        'America/Chicago',
        'FALSE',
        'FALSE',
        'TRUE',
        '25',
        '$',
        'prefix',
        'USD',
        'Parties',
        'black tie',
        'https://gala.example/',
        '',
        'FALSE',
        'FALSE',
        '<p>Dress up.</p>',
      ],
      [
        'Expo',
        '',
        'Arena',
        'Friends',
        '2027-04-12',
        '',
        '2027-04-14',
        '',
        'TRUE',
        'America/New_York',
        'FALSE',
        'FALSE',
        'FALSE',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        'FALSE',
        'FALSE',
        '',
      ],
    )}\r\n`,
    events: ['Gala | 2027-04-10 19:30 - 23:00 | Palace | $25', 'Expo | 2027-04-12 to 2027-04-14 | Arena'],
  },
  {
    program: 'EventON',
    zone: 'America/New_York',
    language: 'en',
    text: `${EVENT_ON}\npublish,101,206177,"Wine tasting","<p>Six wines</p>",4/24/2027,07:30:PM,4/24/2027,10:00:PM,no,dl,"1 Vine St",Cellars,Ada,no,\ndraft,102,206177,"Secret party","",4/25/2027,08:00:PM,4/25/2027,11:00:PM,no,dl,"1 Vine St",Cellars,Ada,no,\npublish,103,206177,"Harvest week","",9/13/2027,12:00:AM,9/17/2027,11:59:PM,yes,dl,"1 Vine St",Cellars,Ada,no,\n`,
    events: [
      'Wine tasting | 2027-04-24 19:30 - 22:00 | Cellars',
      'Secret party | 2027-04-25 20:00 - 23:00 | Cellars | draft',
      'Harvest week | 2027-09-13 to 2027-09-17 | Cellars',
    ],
  },
  {
    program: 'Modern Events Calendar',
    zone: 'Europe/Madrid',
    language: 'en',
    text: 'ID,Title,Start Date,Start Time,End Date,End Time,Link,Location,Address,Organizer,Organizer Tel,Organizer Email,Event Cost\n12,Jazz,2027-04-10,7:30 pm,2027-04-10,10:00 pm,https://club.example/jazz/,Sala Sol,Calle Mayor 1,Ana,+34 600,ana@club.example,10\n',
    events: ['Jazz | 2027-04-10 19:30 - 22:00 | Sala Sol | 10'],
  },
  {
    program: 'SharePoint',
    zone: 'America/Denver',
    language: 'en',
    text: '"Title","Start Time","End Time","Location","Category","All Day Event","Recurrence"\r\n"Town meeting","4/13/2027 7:30 PM","4/13/2027 9:00 PM","Hall","Meeting","False","False"\r\n"Holiday","5/31/2027 12:00 AM","5/31/2027 11:59 PM","","Holiday","True","False"\r\n',
    events: ['Town meeting | 2027-04-13 19:30 - 21:00 | Hall', 'Holiday | 2027-05-31 |'],
  },
  {
    program: 'Power Automate',
    zone: 'America/New_York',
    language: 'en',
    text: 'subject,start,end,location,isAllDay\nReview,2027-04-10T23:30:00.0000000,2027-04-11T01:00:00.0000000,Hall,False\nUTC,2027-04-12T23:30:00.0000000Z,2027-04-13T00:30:00.0000000Z,Hall,False\n',
    events: ['Review | 2027-04-10 23:30 - 2027-04-11 01:00 | Hall', 'UTC | 2027-04-12 19:30 - 20:30 | Hall'],
  },
  {
    program: 'a Spanish town hall',
    zone: 'Europe/Madrid',
    language: 'es',
    text: 'Fecha;Hora;Actividad;Lugar;Precio\r\nsábado 10 de abril de 2027;19:30 h;Concierto de primavera;Teatro;Entrada libre\r\ndomingo 11 de abril de 2027;de 11 a 14 h;Mercado;Plaza Mayor;\r\n',
    events: [
      'Concierto de primavera | 2027-04-10 19:30 | Teatro | Entrada libre',
      'Mercado | 2027-04-11 11:00 - 14:00 | Plaza Mayor',
    ],
  },
  {
    program: 'a French association',
    zone: 'Europe/Paris',
    language: 'fr',
    text: 'Date;Horaire;Intitulé;Lieu;Tarif\r\nsam. 10 avril 2027;20h30;Bal folk;Salle des fêtes;8 €\r\ndim. 11 avril 2027;de 14h à 18h;Vide-grenier;Place de la mairie;gratuit\r\n',
    events: [
      'Bal folk | 2027-04-10 20:30 | Salle des fêtes | 8 €',
      'Vide-grenier | 2027-04-11 14:00 - 18:00 | Place de la mairie | gratuit',
    ],
  },
  {
    program: 'a church’s planner',
    zone: 'Europe/Copenhagen',
    language: 'en',
    text: 'Title,Start,End,All day,Location,Visibility\nEvensong,2027-04-10 17:00,2027-04-10 18:00,0,St Mary,Public\nVestry,2027-04-12 19:00,2027-04-12 21:00,0,Vestry,Internal\nRetreat,2027-04-16 00:00,2027-04-18 23:59,1,Abbey,Public\n',
    events: [
      'Evensong | 2027-04-10 17:00 - 18:00 | St Mary',
      'Vestry | 2027-04-12 19:00 - 21:00 | Vestry | private',
      'Retreat | 2027-04-16 to 2027-04-18 | Abbey',
    ],
  },
  {
    program: 'a library’s American Excel',
    zone: 'America/Chicago',
    language: 'en',
    text: 'Date,Day,Time,Event,Location,Cost\r\n"Saturday, April 24, 2027",Sat,7:30 PM - 9:00 PM,Poetry slam,Main branch,$5\r\n4/25/2027,Sun,2-4 p.m.,Seed swap,Garden,free\r\n',
    events: [
      'Poetry slam | 2027-04-24 19:30 - 21:00 | Main branch | $5',
      'Seed swap | 2027-04-25 14:00 - 16:00 | Garden | free',
    ],
  },
  {
    program: 'a booking program',
    zone: 'Europe/London',
    language: 'en',
    text: 'Event Type Name,Start Date & Time,End Date & Time,Location,Event Created Date & Time\nOpen studio,2027-04-10 19:30,2027-04-10 21:00,Studio 4,2026-11-02 10:00\n',
    events: ['Open studio | 2027-04-10 19:30 - 21:00 | Studio 4'],
  },
  {
    program: 'a German club’s software',
    zone: 'Europe/Berlin',
    language: 'de',
    text: '"Bezeichnung";"Beginn";"Ende";"Ort";"Bemerkung";"Erstellt am"\r\n"Training";"10.04.2027 19:30";"10.04.2027 21:00";"Halle 1";"";"01.11.2026 10:00"\r\n"Turnier";"17.04.2027";"18.04.2027";"Halle 2";"";"01.11.2026 10:01"\r\n',
    events: ['Training | 2027-04-10 19:30 - 21:00 | Halle 1', 'Turnier | 2027-04-17 to 2027-04-18 | Halle 2'],
  },
  {
    program: 'Nextcloud’s tables',
    zone: 'Europe/Vienna',
    language: 'de',
    text: 'Titel,Von,Bis,Ganztägig,Ort,Öffentlich\nHofkino,2027-07-10 21:00:00,2027-07-10 23:30:00,nein,Innenhof,ja\nPlanung,2027-07-12 18:00:00,2027-07-12 19:00:00,nein,Büro,nein\nHoffest,2027-07-17 00:00:00,2027-07-18 00:00:00,ja,Innenhof,ja\n',
    events: [
      'Hofkino | 2027-07-10 21:00 - 23:30 | Innenhof',
      'Planung | 2027-07-12 18:00 - 19:00 | Büro | private',
      'Hoffest | 2027-07-17 | Innenhof',
    ],
  },
  {
    program: 'pretix',
    zone: 'Europe/Berlin',
    language: 'en',
    text: 'Event name,Shop live,Event start,Event end,Admission time,Location,Event currency\nChoir night,Yes,2027-04-10T19:30:00+02:00,2027-04-10T22:00:00+02:00,2027-04-10T19:00:00+02:00,Old church,EUR\n',
    events: ['Choir night | 2027-04-10 19:30 - 22:00 | Old church'],
  },
  {
    program: 'Humanitix',
    zone: 'Australia/Sydney',
    language: 'en',
    text: 'Event name,Event date,Event start time,Event end time,Venue,Event status\nSurf film,10 Apr 2027,7:30pm,9:30pm,Bondi Pavilion,Published\nRehearsal,11 Apr 2027,10am,12pm,Bondi Pavilion,Draft\n',
    events: [
      'Surf film | 2027-04-10 19:30 - 21:30 | Bondi Pavilion',
      'Rehearsal | 2027-04-11 10:00 - 12:00 | Bondi Pavilion | draft',
    ],
  },
  {
    program: 'Events Manager',
    zone: 'Europe/Lisbon',
    language: 'en',
    text: 'event_id,event_name,event_start_date,event_start_time,event_end_date,event_end_time,event_all_day,location_name,location_address,location_town\n7,Fado,2027-04-10,21:30:00,2027-04-10,23:30:00,0,Tasca,Rua 1,Lisboa\n8,Feira,2027-04-12,00:00:00,2027-04-13,23:59:59,1,Largo,Rua 2,Lisboa\n',
    events: ['Fado | 2027-04-10 21:30 - 23:30 | Tasca', 'Feira | 2027-04-12 to 2027-04-13 | Largo'],
  },
  {
    program: 'a Spanish association',
    zone: 'Europe/Madrid',
    language: 'es',
    text: 'Título;Desde;Hasta;Lugar;¿Es privado?\r\nBaile;13/04/2027 19:30;13/04/2027 22:00;Casa de cultura;No\r\nJunta;14/04/2027 18:00;14/04/2027 19:00;Local;Sí\r\n',
    events: [
      'Baile | 2027-04-13 19:30 - 22:00 | Casa de cultura',
      'Junta | 2027-04-14 18:00 - 19:00 | Local | private',
    ],
  },
  {
    program: 'a French town',
    zone: 'Europe/Paris',
    language: 'fr',
    text: 'Du;Au;Manifestation;Lieu;Organisateur;Visible au public\r\n10/04/2027;12/04/2027;Salon du livre;Halle;Mairie;Oui\r\n17/04/2027;17/04/2027;Réunion des agents;Mairie;Mairie;Non\r\n',
    events: [
      'Salon du livre | 2027-04-10 to 2027-04-12 | Halle',
      'Réunion des agents | 2027-04-17 | Mairie | private',
    ],
  },
]
