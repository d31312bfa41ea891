import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

// Forms of days and times, and what is left out because nobody can know it. Read on Thursday, 14 January 2027. What is expected is a start,
// its end after an arrow, and the number of further dates; events have semicolons between them.

const ZONES = {
  en: 'Europe/London',
  us: 'America/New_York',
  de: 'Europe/Berlin',
  fr: 'Europe/Paris',
  es: 'Europe/Madrid',
}

function read(text: string, timezone: string): string {
  const { drafts } = readAnnouncement(text, {
    venues: [],
    organizers: [],
    today: '2027-01-14',
    timezone,
    currency: '€',
  })
  const shown = drafts.map(
    ({ start_date, end_date, dates }) =>
      `${start_date.slice(0, 16)}${end_date ? ` → ${end_date.slice(0, 16)}` : ''}${dates ? ` +${dates.length}` : ''}`,
  )
  return shown.join('; ')
}

const DAYS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['en', 'Quiz night, a week on Friday, 8pm, The Crown', '2027-01-22 20:00'],
  ['en', 'Bingo tomorrow week, 7pm', '2027-01-22 19:00'],
  ['en', 'Book group next Friday (22nd), 7.30pm', '2027-01-22 19:30'],
  ['en', 'Choir practice on Saturday the 30th at 7pm', '2027-01-30 19:00'],
  ['en', 'Clean-up on the last Saturday of January, 10am', '2027-01-30 10:00'],
  ['en', 'Saturday 6th February@2pm Valentine craft', '2027-02-06 14:00'],
  ['en', 'Quiz, Sat 20.iii.27, 8pm', '2027-03-20 20:00'],
  ['de', 'Treffen heute in acht Tagen um 19 Uhr', '2027-01-21 19:00'],
  ['de', 'Treffen heute in vierzehn Tagen um 19 Uhr', '2027-01-28 19:00'],
  ['de', 'Am Samstag ist morgen um 10 Uhr Probe', '2027-01-15 10:00'],
  ['fr', 'Réunion d’aujourd’hui en huit à 18h', '2027-01-21 18:00'],
  ['fr', 'Réunion ce soir à 18h30 à la mairie', '2027-01-14 18:30'],
  ['fr', 'Bourse aux vélos samedi prochain, le 23, de 9h à 13h', '2027-01-23 09:00 → 2027-01-23 13:00'],
  ['fr', 'AG le vendredi vingt-deux janvier à dix-huit heures trente', '2027-01-22 18:30'],
  ['fr', 'Nettoyage le dernier samedi de janvier, le 30, à 9h30', '2027-01-30 09:30'],
  ['fr', 'Stage du vendredi 5 mars 18h au dimanche 7 mars 16h', '2027-03-05 18:00 → 2027-03-07 16:00'],
  ['fr', 'Festival les 5-6-7 mars', '2027-03-05 → 2027-03-07'],
  ['es', 'Reunión el próximo día 25, lunes, a las 18:00', '2027-01-25 18:00'],
  ['es', 'Mañana ensayo a las ocho y media en el local', '2027-01-15 20:30'],
  ['es', 'Esta noche a las 21h, monólogos en el bar', '2027-01-14 21:00'],
  [
    'es',
    'AGENDA DE FEBRERO\n\nVie 5 · Los Pálidos · 22:00\nSáb 6 · Jam de blues · 21:30',
    '2027-02-05 22:00; 2027-02-06 21:30',
  ],
]

const TIMES: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['en', 'Ceilidh Sat 6 Feb, 7.30 till late', '2027-02-06 19:30'],
  ['en', 'Dinner Sat 6 Feb, 7 for 7.30', '2027-02-06 19:30'],
  ['en', 'Quiz on Fri 5 Feb at twenty past seven', '2027-02-05 19:20'],
  ['en', 'Panto Sat 6 Feb, curtain up 7.45', '2027-02-06 19:45'],
  ['en', 'Date: 5 February 2027\nTime: 7.30\nPoetry slam', '2027-02-05 19:30'],
  ['en', 'Coffee morning Sat 6th Feb 10-12', '2027-02-06 10:00 → 2027-02-06 12:00'],
  ['en', 'Craft fair Sat 6 Feb 10 - 4', '2027-02-06 10:00 → 2027-02-06 16:00'],
  ['en', 'Choir practice tonight 7.30 in the church hall', '2027-01-14 19:30'],
  ['en', 'Trad session this Saturday night, 9.30', '2027-01-16 21:30'],
  ['en', 'Sat 27 Feb\t11.00\tArdbrack v Gortlee', '2027-02-27 11:00'],
  ['us', 'Jazz brunch, Sunday Jan. 24, 11–2 at The Copper Kettle', '2027-01-24 11:00 → 2027-01-24 14:00'],
  ['de', 'Konzert Fr 5.2. 19.30 Stadthalle', '2027-02-05 19:30'],
  ['de', 'Chorprobe Mittwoch 3.2., viertel acht', '2027-02-03 19:15'],
  ['de', 'Lesung Do 4.2. Punkt acht', '2027-02-04 20:00'],
  ['de', 'Quiz am Freitag, 5. Februar, 20 Uhr, Teams bis 4 Personen', '2027-02-05 20:00'],
  ['de', 'Party am Freitag, 5. Februar, ab 22 Uhr, 6 € bis Mitternacht', '2027-02-05 22:00'],
  ['de', 'Ball am Freitag, 5. Februar, Saaleinlass 19 Uhr', '2027-02-05'],
  ['de', 'Vortrag Do 4.2., 19 Uhr c. t., Hörsaal 1', '2027-02-04 19:15'],
  ['de', 'Kasperl am 5. Februar, 15 + 17 Uhr', '2027-02-05 15:00 +1'],
  ['de', 'Das Konzert vom 30. Januar wird verschoben. Neuer Termin: 3. Februar 19\nUhr.', '2027-02-03 19:00'],
  ['fr', 'Spectacle le 18 février, 19 h 15\nCHF 2.- de réduction', '2027-02-18 19:15'],
  ['fr', 'Repas le dimanche 7 février à midi trente', '2027-02-07 12:30'],
  ['fr', 'Vide-dressing samedi 6 février, 14h > 19h', '2027-02-06 14:00 → 2027-02-06 19:00'],
  ['fr', 'Sortie le 6 février à 9h, retour pour 11h', '2027-02-06 09:00 → 2027-02-06 11:00'],
  ['es', 'Excursión el 6 de febrero. Salida: 7,45 h', '2027-02-06 07:45'],
  ['es', 'Baile el 6 de febrero a las siete y treinta de la noche', '2027-02-06 19:30'],
  ['es', 'Cena el 6 de febrero a las nueve y cuarto de la noche en el bar Tomaset', '2027-02-06 21:15'],
  // The time of all is said once, above or below.
  [
    'en',
    'All films at 7.45pm\n\nWed 27 Jan The Tin Piper\nWed 24 Feb Night Mail to Oban',
    '2027-01-27 19:45; 2027-02-24 19:45',
  ],
  [
    'de',
    '18.02. Duisfurt, Zeche\n19.03. Mühlbeck, Lokschuppen\nBeginn immer 20 Uhr',
    '2027-02-18 20:00; 2027-03-19 20:00',
  ],
  // What is said to begin is the beginning.
  ['de', 'Rennen am 6. Februar\nBesichtigung 9.15 Uhr\nStart 10.00 Uhr', '2027-02-06 10:00'],
  ['de', 'Jassturnier am 5. Februar\nEinschreiben ab 18.45 Uhr / Spielbeginn 19.30 Uhr', '2027-02-05 19:30'],
  ['fr', 'La conférence du 12 février sera à 18 h et non 20 h.', '2027-02-12 18:00'],
  // Several events in a paragraph.
  [
    'de',
    'Heute Abend Spieleabend, 18 bis 22 Uhr 🎲 Und am Samstag (16.1.) ab 15 Uhr Kickerturnier',
    '2027-01-14 18:00 → 2027-01-14 22:00; 2027-01-16 15:00',
  ],
  [
    'en',
    'Table quiz on Friday 29 January at 9pm. Join the workshop on Tuesday 9 February at 6pm.',
    '2027-01-29 21:00; 2027-02-09 18:00',
  ],
  // Open on two days, until another hour on each.
  [
    'en',
    'Model railway exhibition\nSaturday 20 February 10am–5pm\nSunday 21 February 10am–4pm',
    '2027-02-20 10:00 → 2027-02-21 16:00',
  ],
]

/** What may be either, or is of something else. */
const LEFT_OUT: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['es', 'Taller de pan el sábado 6, a las 11 de la mañana', ''],
  ['fr', 'Réunion jeudi en huit à 18h', ''],
  ['fr', 'Chasse aux œufs le dimanche de Pâques à 10 h', ''],
  ['en', 'Egg hunt on Easter Monday at 11am', ''],
  ['en', 'Family Service on 18 June (Luke 2:10-12)', '2027-06-18'],
  ['es', 'Proyección el 25 de febrero. Bono de las tres: 10 €', '2027-02-25'],
  ['fr', 'Concert le 22 novembre, 19h\n35 places disponibles', '2027-11-22 19:00'],
  ['de', 'Kinderball am Faschingsdienstag, 14 Uhr, Turnhalle', ''],
  ['de', 'Frühschoppen am Pfingstmontag, 11 Uhr, Festplatz', ''],
  ['es', 'Charla el viernes próximo a las 20:00', ''],
  ['de', 'Kursnr. 27-1-4051: Yoga, Di, 2. März 2027, 18 Uhr', '2027-03-02 18:00'],
  ['fr', 'Concert samedi 6 mars à 20h. Rés. 05/12/34/56/78', '2027-03-06 20:00'],
  ['en', 'Gala March 13, 20 $ at the door, 7pm', '2027-03-13 19:00'],
  ['de', 'Essen am 7. März um elf Uhr mittags', '2027-03-07 11:00'],
  ['en', 'Purple Rain on Saturday 6 March at 8pm', '2027-03-06 20:00'],
  ['fr', 'Concert « Sous la pluie » le samedi 6 mars à 20h', '2027-03-06 20:00'],
  ['en', 'Nature reserve open day on Sunday 7 March at 11am', '2027-03-07 11:00'],
  ['en', 'Stargazing, Friday 5 March (cloud date: Saturday 6 March), 7pm', '2027-03-05 19:00'],
  ['de', 'Skitag So 7.2., 9 Uhr. Ausweichtermin: So 14.2.', '2027-02-07 09:00'],
  ['es', 'Desfile el viernes 5 de febrero a las 20:30 por 18 de Julio', '2027-02-05 20:30'],
  ['de', 'Der Basar am 5. Dezember im Pfarrsaal war ein voller Erfolg, verkauft wurde von 9 bis 18 Uhr.', ''],
  [
    'en',
    'On 12 January we had a talk on the riots of 8 August that year. Our next meeting is on Tuesday 9 February at 7.30pm.',
    '2027-02-09 19:30',
  ],
  ['de', 'Platzordnung\nDie Plätze sind vom 15. April bis 31. Oktober von 7 bis 21 Uhr bespielbar.', ''],
  ['fr', 'À vendre : motoculteur, visible après 18h, révisé le 30 janvier', ''],
  [
    'en',
    'Recitals at 1.10pm\n\nJan 20 – Philippa Crewe\nJan 27 – Tom Adeyemi\nFeb 10 – no recital',
    '2027-01-20 13:10; 2027-01-27 13:10',
  ],
]

describe('forms of days and times', () => {
  it.each([...DAYS, ...TIMES])('%s: %s', (language, text, expected) => {
    expect(read(text, ZONES[language])).toBe(expected)
  })

  it.each(LEFT_OUT)('leave out what nobody can know: %s: %s', (language, text, expected) => {
    expect(read(text, ZONES[language])).toBe(expected)
  })
})
