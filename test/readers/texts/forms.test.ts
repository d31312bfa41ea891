import { describe, expect, it } from 'vitest'
import type { AnnouncedEvent } from '../../../src/readers/texts/draft/event.ts'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

// Forms of days and times, and what is left out because nobody can know it. Read on Thursday, 14 January
// 2027. What is expected is a start, its end after an arrow, and the number of further dates; events have
// semicolons between them.

const ZONES = {
  en: 'Europe/London',
  us: 'America/New_York',
  de: 'Europe/Berlin',
  fr: 'Europe/Paris',
  es: 'Europe/Madrid',
}

const drafts = (text: string, timezone: string): AnnouncedEvent[] =>
  readAnnouncement(text, { venues: [], organizers: [], today: '2027-01-14', timezone, currency: '€' }).drafts

function read(text: string, timezone: string): string {
  const shown = drafts(text, timezone).map(
    ({ start_date, end_date, dates }) =>
      `${start_date.slice(0, 16)}${end_date ? ` → ${end_date.slice(0, 16)}` : ''}${dates ? ` +${dates.length}` : ''}`,
  )
  return shown.join('; ')
}

/** How long a series goes on, on which of the month it takes place, and words that look like others. */
const LASTING: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['en', 'Yoga every week on Monday at 6pm.', '2027-01-18 18:00'],
  ['en', 'Yoga every week on Monday at 6pm and on Saturday at 9.30am.', '2027-01-16 09:30'],
  ['de', 'Yoga jede Woche am Montag um 18 Uhr.', '2027-01-18 18:00'],
  ['fr', 'Pilates toutes les semaines : le lundi à 18h et le samedi à 9h30.', '2027-01-16 09:30'],
  ['fr', 'Pilates toutes les semaines, le lundi à 18h.', '2027-01-18 18:00'],
  ['en', 'Yoga every Monday at 6pm and every Saturday at 9.30am.', '2027-01-16 09:30'],
  ['fr', 'Yoga tous les lundis à 18h et samedis à 9h30.', '2027-01-16 09:30'],
  ['de', 'Yoga montags um 18 Uhr und donnerstags um 19 Uhr.', '2027-01-14 19:00'],
  ['es', 'Biblioteca: todos los lunes de 16:00 a 19:00 y los sábados de 9:30 a 12:00.', ''],
  [
    'en',
    'Tai Chi every Thursday from 21 January up to and including 25 March, 10.30am.',
    '2027-01-21 10:30 +9',
  ],
  [
    'en',
    'Yoga starts Thursday 21 January at 10.30am and then every Thursday to 25 March.',
    '2027-01-21 10:30 +9',
  ],
  ['en', 'Exhibition from 21 January up to and including 25 March.', '2027-01-21 → 2027-03-25'],
  ['de', 'Ab Februar Spielen immer am 1. Dienstag im Monat um 19 Uhr.', '2027-02-02 19:00'],
  ['en', 'From February, games on the 1st Tuesday of the month at 7pm.', '2027-02-02 19:00'],
  ['fr', 'À partir de février, jeux le 1er mardi du mois à 19h.', '2027-02-02 19:00'],
  [
    'es',
    'La Comisión os espera el miércoles 23 de junio, de 22:00 a 4:00, en la era del pueblo.',
    '2027-06-23 22:00 → 2027-06-24 04:00',
  ],
]

/** Days that a series leaves out, and days for another case. */
const EXCEPTIONS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  // A day that is one of the series as well
  [
    'en',
    'Craft market: first Saturday of each month, February to June, 10am to 2pm. (Yes, 1 May too!)',
    '2027-02-06 10:00 → 2027-02-06 14:00 +4',
  ],
  [
    'de',
    'Markt jeden ersten Samstag im Monat von Februar bis Juni, 10 bis 14 Uhr. Auch am 1. Mai!',
    '2027-02-06 10:00 → 2027-02-06 14:00 +4',
  ],
  [
    'fr',
    'Marché le premier samedi du mois, de février à juin, de 10h à 14h. Y compris le 1er mai.',
    '2027-02-06 10:00 → 2027-02-06 14:00 +4',
  ],
  [
    'es',
    'Mercado el primer sábado de cada mes, de febrero a junio, de diez a dos. El 1 de mayo también.',
    '2027-02-06 10:00 → 2027-02-06 14:00 +4',
  ],
  [
    'de',
    'Kurs jeden Montag vom 1. Februar bis einschließlich 8. März, 12 bis 13 Uhr',
    '2027-02-01 12:00 → 2027-02-01 13:00 +5',
  ],
  // A day on which there is none of something else
  ['de', 'Schulfest am 5. Februar um 15 Uhr. Am Montag, 8. Februar, ist keine Schule.', '2027-02-05 15:00'],
  ['es', 'Fiesta el 5/2 a las 16:30. Y acordaos: el lunes 8 NO hay cole', '2027-02-05 16:30'],
  ['en', 'School disco Friday 5 February, 6pm. Monday 8 February: no school.', '2027-02-05 18:00'],
  [
    'es',
    'Baile todos los viernes de febrero a las 18:30. El viernes 12 no hay baile.',
    '2027-02-05 18:30 +2',
  ],
  ['es', 'Baile todos los viernes de febrero a las 18:30. El día 12 no habrá baile.', '2027-02-05 18:30 +2'],
  ['en', 'Yoga every Tuesday in March at 7pm. No class on the 16th.', '2027-03-02 19:00 +3'],
  ['en', 'Dance every Friday in February at 6.30pm. No dance on Friday 12.', '2027-02-05 18:30 +2'],
  ['fr', 'Bal tous les vendredis de février à 18h30. Pas de bal le 12 février.', '2027-02-05 18:30 +2'],
  ['fr', 'Chorale tous les mardis de mars à 19h, sauf le 16.', '2027-03-02 19:00 +3'],
  ['de', 'Chorprobe jeden Dienstag im März um 19 Uhr. Am 16. fällt sie aus.', '2027-03-02 19:00 +3'],
  ['de', 'Tanz jeden Freitag im Februar um 18.30 Uhr außer am 12. Februar.', '2027-02-05 18:30 +2'],
  [
    'es',
    'Baile el viernes 5 de marzo a las 20 h. Sí, también el viernes 12 de marzo a las 20 h.',
    '2027-03-05 20:00 +1',
  ],
  ['en', 'Yoga every Tuesday in March at 7pm. No children under the 12.', '2027-03-02 19:00 +4'],
  [
    'en',
    'Session every Thursday from 18 March at 9pm. No session Holy Thursday (25 March).',
    '2027-03-18 21:00',
  ],
  ['fr', 'Yoga tous les jeudis à 18h. Pas de cours le jeudi saint (25 mars).', '2027-01-14 18:00'],
  [
    'es',
    'Taller todos los jueves a las 18 h. No hay taller el Jueves Santo (25 de marzo).',
    '2027-01-14 18:00',
  ],
  [
    'es',
    'El Ayuntamiento ha presentado hoy la feria, que será el 16 de abril a las 18 h.',
    '2027-04-16 18:00',
  ],
  ['de', 'Quiz heute und morgen um 20 Uhr', '2027-01-14 20:00 +1'],
  // What is otherwise on a day without its month
  [
    'en',
    'Market on the last Saturday of each month, February to May, 10am. In April on the 17th.',
    '2027-02-27 10:00',
  ],
  [
    'de',
    'Probe jeden Dienstag im März um 19 Uhr. Am 16. beginnen wir schon um 18 Uhr.',
    '2027-03-02 19:00 +3',
  ],
  [
    'es',
    'Baile todos los viernes de febrero a las 18:30. El día 12 empezamos a las 20.',
    '2027-02-05 18:30 +2',
  ],
  [
    'en',
    'Club on the 1st Tuesday of the month, February to May, 7pm, on the 4th floor.',
    '2027-02-02 19:00 +3',
  ],
  ['fr', 'Exposition du 06.03 au 11.04.2027', '2027-03-06 → 2027-04-11'],
  ['fr', '2 > 27 mars 2027, exposition de céramiques', '2027-03-02 → 2027-03-27'],
  ['en', 'The fest is on Fri 6/11 – Sun 6/13 at the county fairgrounds.', '2027-06-11 → 2027-06-13'],
  ['de', 'Am 21. Februar laden wir nach der Messe (10 Uhr) ab 11 Uhr zum Essen ein.', '2027-02-21 11:00'],
  ['en', 'Lunch on Sunday 21 February after the service (10am), from noon in the hall.', '2027-02-21 12:00'],
  [
    'es',
    'Muestra de pintura. Inaugura el 5 de febrero a las 19 h. Hasta el 18 de abril, sábados y domingos.',
    '2027-02-05 → 2027-04-18',
  ],
  // What takes place in or beside an exhibition, and what only speaks of next week
  ['en', 'Tai chi in the exhibition hall, Tuesdays 2 March to 30 March, 10am.', '2027-03-02 10:00 +4'],
  ['de', 'Führung durch die Ausstellung jeden Sonntag, 7. März bis 28. März, 14 Uhr.', '2027-03-07 14:00 +3'],
  ['en', 'Choir every Friday, 7pm. Next week: cake sale in the foyer.', '2027-01-15 19:00'],
  ['en', 'We play chess on Tuesdays at 7pm in the Grange.', '2027-01-19 19:00'],
  // An exhibition and the hours at which it is open
  [
    'de',
    'Ausstellung «Holz» vom 24. Januar bis 11. April. Offen mittwochs und samstags 14–17 Uhr.',
    '2027-01-24 → 2027-04-11',
  ],
  ['fr', 'Exposition du 2 au 28 février, les mercredis et samedis de 14h à 18h.', '2027-02-02 → 2027-02-28'],
  ['es', 'La ruta no es este domingo sino el domingo 24 de enero a las 8:15.', '2027-01-24 08:15'],
  ['es', 'La ruta no es este domingo. Salimos a las 8:15.', ''],
  [
    'es',
    'Fe de erratas: pusimos que la charla era el 12 de febrero. Es el jueves 11 de febrero a las 19:30.',
    '2027-02-11 19:30',
  ],
  ['de', 'Das hat sich geändert: Das Orgelkonzert ist am Sonntag, 21. März, um 17 Uhr.', '2027-03-21 17:00'],
  ['de', 'Yoga jeden Donnerstag ab nächster Woche, 18 Uhr.', '2027-01-21 18:00'],
  ['en', 'Yoga every Monday from next week, 6pm.', '2027-01-18 18:00'],
  ['fr', 'Yoga tous les jeudis à 18h à partir de la semaine prochaine.', '2027-01-21 18:00'],
  ['de', 'Drei Celli, keine Noten: Das Trio improvisiert am 14. März um 17 Uhr.', '2027-03-14 17:00'],
  [
    'en',
    'Star party Saturday 13 March 7.30pm. If cloudy we move to Saturday 20 March, same time.',
    '2027-03-13 19:30',
  ],
  [
    'de',
    'Sternennacht am Samstag, 13. März 2027, ab 19:30 Uhr. Bei geschlossener Wolkendecke weichen wir auf Samstag, 20. März, aus (gleiche Zeit).',
    '2027-03-13 19:30',
  ],
]

/** Spans of hours in words, and numbers that look like them. */
const SPANS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'fr',
    'Vernissage le mercredi 20 janvier à 18 heures. - Mercredi 27 janvier : Atelier, 14 h 30.',
    '2027-01-20 18:00 +1',
  ],
  ['en', 'Yoga on Saturday 6 March, nine to noon.', '2027-03-06 09:00 → 2027-03-06 12:00'],
  [
    'en',
    'Quilting on Saturday 6 March, ten till half past twelve, parish rooms.',
    '2027-03-06 10:00 → 2027-03-06 12:30',
  ],
  ['en', 'Quilting club nine till noon, Saturday 6 March.', '2027-03-06'],
  ['en', 'Talk on Tuesday 2 March at ten to seven.', '2027-03-02 18:50'],
  ['de', 'Kurs Samstag, 6. März, zehn bis halb eins.', '2027-03-06 10:00 → 2027-03-06 12:30'],
  [
    'es',
    '«Cal y canto» podrá verse en el museo del 5 de febrero al 30 de mayo, de martes a domingo de 10 a 14 h (los sábados, también de 17 a 20 h).',
    '2027-02-05 → 2027-05-30',
  ],
  // Of less than an hour
  ['en', 'Yoga on Wednesday 27 January, 6:00-6:45.', '2027-01-27 18:00 → 2027-01-27 18:45'],
  ['en', 'Story time Wednesday 27 January, 10 to 10.45, at the hall.', '2027-01-27 10:00 → 2027-01-27 10:45'],
  ['fr', 'Conférence mercredi 27 janvier, 12 h à 12 h 45.', '2027-01-27 12:00 → 2027-01-27 12:45'],
  ['de', 'Vortrag am Mittwoch, 27. Januar, 12–12.45 Uhr.', '2027-01-27 12:00 → 2027-01-27 12:45'],
  ['es', 'Yoga el miércoles 27 de enero, de 6 a 6:45 de la tarde.', '2027-01-27 18:00 → 2027-01-27 18:45'],
  ['de', 'Flohmarkt am Samstag, 24. April von neun bis zwölf', '2027-04-24 09:00 → 2027-04-24 12:00'],
  ['de', 'Tanztee am Samstag, 24. April, von drei bis sechs im Saal', '2027-04-24 15:00 → 2027-04-24 18:00'],
  ['de', 'Ausflug am Samstag, 24. April, von 10 bis 12 am Bahnhof.', '2027-04-24 10:00 → 2027-04-24 12:00'],
  [
    'de',
    'Ausflug am Samstag, 24. April, zwischen zehn und zwölf am Bahnhof.',
    '2027-04-24 10:00 → 2027-04-24 12:00',
  ],
  ['fr', 'Vide-dressing samedi 24 avril de dix à douze', '2027-04-24 10:00 → 2027-04-24 12:00'],
  ['es', 'Puertas abiertas el sábado 24 de abril de once a dos', '2027-04-24 11:00 → 2027-04-24 14:00'],
  ['en', 'Open house on Saturday 24 April between two and four', '2027-04-24 14:00 → 2027-04-24 16:00'],
  ['en', 'Meet at eight am on Saturday 24 April', '2027-04-24 08:00'],
  ['de', 'Basteln am Samstag, 24. April um 15 Uhr für Kinder von 6 bis 12.', '2027-04-24 15:00'],
  ['de', 'Basteln am Samstag, 24. April, für Kinder von 6 bis 12.', '2027-04-24'],
  ['de', 'Kurs am Samstag, 24. April: Gruppen von drei bis fünf.', '2027-04-24'],
  ['de', 'Wanderung am Samstag 24. April, von zwei bis drei Stunden', '2027-04-24'],
  ['fr', 'Cours samedi 27 février, de 9h à 12h et de 13h30 à 16h30', '2027-02-27 09:00 → 2027-02-27 16:30'],
  ['fr', 'Stage de 9h à 12h puis de 14h à 17h le samedi 27 février', '2027-02-27 09:00 → 2027-02-27 17:00'],
  ['de', 'Nähkurs 9–12 Uhr, danach 14–17 Uhr, Samstag, 27. Februar', '2027-02-27 09:00 → 2027-02-27 17:00'],
  ['en', 'Late brunch 11-2, Sunday 28 February, upstairs', '2027-02-28'],
  ['en', 'Table sale 1-5, Saturday 27 February', '2027-02-27'],
  ['es', 'Verbena de 22 a 2, sábado 27 de febrero', '2027-02-27 22:00 → 2027-02-28 02:00'],
  ['fr', 'Bal 19h, feu 21h, samedi 27 février', '2027-02-27 19:00'],
  ['us', 'Bake-off Saturday 2/27, 11a-2p, free coffee', '2027-02-27 11:00 → 2027-02-27 14:00'],
  ['en', 'Records: buy one for 2p, Saturday 27 February 8pm', '2027-02-27 20:00'],
  ['en', 'Singing day, Saturday 27 February. We start at 10 and perform it at 4.30.', '2027-02-27'],
  [
    'fr',
    'Fête du vendredi 26 février, 18 heures, au dimanche 28 février, 17 heures',
    '2027-02-26 18:00 → 2027-02-28 17:00',
  ],
  ['fr', 'Tournoi samedi 27 février, acceuil 8h15, premier match 9h', '2027-02-27 09:00'],
  ['fr', 'Soirée jeux samedi en 8, 20h', '2027-01-23 20:00'],
  ['de', 'Lesekreis heute in 14 Tagen um 18 Uhr', '2027-01-28 18:00'],
  ['de', 'Lesekreis heute in drei Wochen um 18 Uhr', '2027-02-04 18:00'],
  ['de', 'Lesekreis Samstag in 3 Wochen um 17 Uhr', '2027-02-06 17:00'],
  ['fr', 'Réunion samedi dans trois semaines à 18h', '2027-02-06 18:00'],
  ['es', 'Reunión el viernes dentro de quince días a las 18 h', '2027-01-29 18:00'],
  ['en', 'Book club three weeks today at 6pm', '2027-02-04 18:00'],
  ['en', 'Pottery, four weeks on Tuesdays from 2 March, 7pm', '2027-03-02 19:00 +3'],
  ['en', 'Quiz Thursday week at 8pm', ''],
  ['fr', 'Réunion jeudi dans 15 jours à 18h', ''],
  ['de', 'Spieleabend fällt morgen flach, neuer Versuch am Samstag, 23. Januar, 20 Uhr', '2027-01-23 20:00'],
  ['en', 'Book club two weeks today at 6pm', '2027-01-28 18:00'],
  [
    'es',
    'La junta que teníamos el martes 19 se corrió para el jueves 28 de enero, 19:30 hrs',
    '2027-01-28 19:30',
  ],
  ['de', 'Wer sucht, der findet: Ostereier im Park am 28. März um 11 Uhr', '2027-03-28 11:00'],
  ['de', 'Büro 9–12 Uhr. Konzert 20 Uhr, Samstag, 27. Februar', '2027-02-27 20:00'],
  ['en', '8pm Friday 26 February and 2pm Saturday 27 February: Panto', '2027-02-26 20:00 +1'],
  ['de', 'Sa 6.2.   QUINTETT »Nachtbus«   21 h   15/10 €', '2027-02-06 21:00'],
  [
    'us',
    'Chess open\nSat., February 20\nRegistration: 8:00 to 9:00 a.m., we pair at 9:10.',
    '2027-02-20 09:10',
  ],
  ['en', 'Fête on Saturday 20 February. Concert at 8.', '2027-02-20 20:00'],
  ['fr', 'Aide aux devoirs les lundis. Accueil ouvert du lundi au vendredi de 9h à 12h et de 14h à 18h.', ''],
  ['en', "Regatta on Saturday, March 6. Coaches' meeting 7:15 a.m. First race 8:30 a.m.", '2027-03-06 08:30'],
  ['fr', 'Régate le samedi 6 mars. Réunion des équipages à 9h, première course à 10h30.', '2027-03-06 10:30'],
]

/** Evenings until midnight, and what comes before the event. */
const EVENINGS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['en', 'Ceilidh Saturday 23 January, half seven till midnight', '2027-01-23 19:30 → 2027-01-24 00:00'],
  ['en', 'Party Saturday 23 January, 8 till midnight', '2027-01-23 20:00 → 2027-01-24 00:00'],
  ['de', 'Tanz am Samstag, 23. Januar, von 10 Uhr bis Mitternacht', '2027-01-23 10:00 → 2027-01-24 00:00'],
  ['en', "Swap Sunday 31st January 11 'til 1 in the hall", '2027-01-31 11:00 → 2027-01-31 13:00'],
  [
    'en',
    'Gala on Sunday 21 February. Warm-up for all swimmers is at 12.45 sharp, first race off the blocks at 1.30pm',
    '2027-02-21 13:30',
  ],
  ['de', 'Am 18. Februar erscheint ihr Roman. Lesung am Donnerstag, 11. März, 19:30 Uhr', '2027-03-11 19:30'],
]

/** Days of something else that stand beside the event. */
const UNRELATED_DAYS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  // Farms, and what is closed
  ['fr', 'Ferme du Moulin : traite des chèvres, samedi 6 février à 17h', '2027-02-06 17:00'],
  ['fr', 'La bibliothèque ferme samedi 6 février à 12h.', ''],
  ['fr', 'Loto samedi 30 janvier, caisses dès 18h30, première partie à 20h.', '2027-01-30 20:00'],
  [
    'de',
    'Konjunkturabend\nDienstag, 23. Februar\n17.30 Uhr Türöffnung\n18.00 Uhr Begrüßung',
    '2027-02-23 18:00',
  ],
  [
    'es',
    'Mercadillo el miércoles 27 de enero de 2027\nMañana, de 9:30 a 14:00 · tarde, de 17:00 a 20:30',
    '2027-01-27 09:30 → 2027-01-27 14:00',
  ],
  [
    'es',
    'Con motivo del Día Mundial de los Humedales (2 de febrero) hay el sábado 6 de febrero una salida a las 8:30',
    '2027-02-06 08:30',
  ],
  ['de', 'Konzert (6. März, 20 Uhr) und Lesung am 7. März um 18 Uhr', '2027-03-06 20:00; 2027-03-07 18:00'],
  [
    'de',
    'Das für Samstag, den 23. Januar angekündigte Konzert wird verlegt auf\n\nFreitag, 16. April 2027\nBeginn 20 Uhr',
    '2027-04-16 20:00',
  ],
  [
    'es',
    'Rastrillo domingo 7 de febrero, de 10 a 14 h. Quien quiera donar objetos puede traerlos los días 2, 3 y 4 de febrero de 18 a 20 h.',
    '2027-02-07 10:00 → 2027-02-07 14:00',
  ],
  ['en', 'Gig on 6 February at 8pm. New album out 5 Feb!', '2027-02-06 20:00'],
  ['en', "Girls' night out on 5 February at 8pm", '2027-02-05 20:00'],
  [
    'en',
    'Tuesday 26th January: Open evening, 7pm, school hall\nWednesday 27th January: Last day for permission slips',
    '2027-01-26 19:00',
  ],
]

/** “31-1”, beside its weekday. */
const HYPHENS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['es', '31-1 domingo Vuelta al embalse. Salida a las 8:00', '2027-01-31 08:00'],
  ['es', 'Vuelta al embalse, domingo, 31-1, a las 8:00', '2027-01-31 08:00'],
  ['es', 'Concierto el sábado 6-3 a las 20 h', '2027-03-06 20:00'],
  ['en', 'Pottery, Tuesdays, 7–9pm, from 2 to 16 March', '2027-03-02 19:00 → 2027-03-02 21:00 +2'],
  ['de', 'Turnier am Samstag 10-12, Halle', '2027-01-16 10:00 → 2027-01-16 12:00'],
  [
    'es',
    'Puertas abiertas\n- martes 9 de marzo, a las 9:30 h\n- jueves 11 de marzo, a las 17:00 h',
    '2027-03-09 09:30 +1',
  ],
  [
    'es',
    'CINE DE VERANO\nLos jueves de julio, a las 22:15 h\n\n1 de julio – El faro\n8 de julio – Trenes que no paran\n15 de julio – La herencia\n22 de julio – Noche sin luna',
    '2027-07-01 22:15; 2027-07-08 22:15; 2027-07-15 22:15; 2027-07-22 22:15',
  ],
  ['de', 'Die Sternwarte öffnet am Samstag, 13. März, ab 19:30 Uhr ihre Kuppel.', '2027-03-13 19:30'],
  ['de', 'Der Laden öffnet wieder am Samstag, 13. März, um 9 Uhr.', ''],
]

const DAYS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  // “This” with the number of a later one
  ['es', 'Este sábado 23 es la fiesta, a las 21:30.', '2027-01-23 21:30'],
  ['es', 'Concierto el próximo sábado 23 a las 20 h.', '2027-01-23 20:00'],
  ['es', 'Concierto este sábado 23 de 20 a 22 h.', '2027-01-23 20:00 → 2027-01-23 22:00'],
  ['es', 'Este jueves 28 presenta su novela a las 19:30.', '2027-01-28 19:30'],
  ['fr', 'Bal ce samedi 23 à 21h.', '2027-01-23 21:00'],
  ['en', 'This Saturday 23rd is quiz night, 8pm.', '2027-01-23 20:00'],
  ['en', 'Quiz this Saturday 16 at 8pm.', '2027-01-16 20:00'],
  ['de', 'Diesen Samstag 23. ist Quizabend, 20 Uhr.', '2027-01-23 20:00'],
  ['en', 'Knit & natter this Thursday (21st), 6-9pm', '2027-01-21 18:00 → 2027-01-21 21:00'],
  ['en', 'Knit & natter this Thursday (6-9pm)', '2027-01-14 18:00 → 2027-01-14 21:00'],
  [
    'en',
    'Set dancing starts on Tuesday 2nd February. Six Tuesdays, 8 to 9.30.',
    '2027-02-02 20:00 → 2027-02-02 21:30 +5',
  ],
  ['en', 'Quiz this Saturday 8pm.', '2027-01-16 20:00'],
  ['en', 'Quiz this Saturday 8 till late.', '2027-01-16 20:00'],
  ['en', 'Quiz this Saturday 7-9pm.', '2027-01-16 19:00 → 2027-01-16 21:00'],
  ['fr', 'Bal ce samedi 21h à la salle des fêtes.', '2027-01-16 21:00'],
  ['de', 'Quizabend diesen Samstag 20 Uhr.', '2027-01-16 20:00'],
  // No date of three numbers
  [
    'de',
    'Gottesdienste vom 18. bis 24. Januar\n\nMo 18. 19.00 Bibelrunde\nMi 20. 8.00 Messe\nSo 24. 9.30 Familienmesse',
    '2027-01-18 19:00; 2027-01-20 08:00; 2027-01-24 09:30',
  ],
  ['de', 'Konzert am Dienstag, 24.9.30, Stadthalle', '2030-09-24'],
  ['de', 'Konzert am So. 24. 1. 2027 um 9.30 Uhr', '2027-01-24 09:30'],
  ['de', 'Konzert am Samstagabend um 20 Uhr im Kulturbahnhof.', '2027-01-16 20:00'],
  ['de', 'Am Sonntagmorgen um zehn Uhr Frühschoppen.', '2027-01-17 10:00'],
  ['de', 'Tanz jeden Mittwochabend um 20 Uhr.', '2027-01-20 20:00'],
  ['de', 'Kammerkonzert, 13. III. 2027, 19 Uhr.', '2027-03-13 19:00'],
  ['de', 'Konzert am 13. V. Ebner spielt um 19 Uhr.', ''],
  ['en', 'Harvest supper, last Saturday of March, 6.45 pm.', '2027-03-27 18:45'],
  ['en', 'Talk, 2nd Wednesday in March, 2pm, hall.', '2027-03-10 14:00'],
  ['de', 'Flohmarkt, dritter Samstag im März, 10 Uhr.', '2027-03-20 10:00'],
  ['fr', 'Loto, dernier samedi de mars, 20h.', '2027-03-27 20:00'],
  ['es', 'Caminata el último día de febrero a las 11 h.', '2027-02-28 11:00'],
  ['en', 'Bazaar, weekends of 4/5, 11/12 and 18/19 December, noon to 4.', ''],
  // The number alone
  ['fr', 'Cours de danse le 5, le 12 et le 19 à 18h.', ''],
  ['fr', 'Le 5 à 7 de la chambre de commerce, au Café Bleu. Concert et vin.', ''],
  ['en', 'We came second on the 5th, at last. Concert soon.', ''],
  ['en', 'Whist drive on the 16th at 7.30pm, hall.', '2027-01-16 19:30'],
  ['de', 'Konzert am 25. um 20 Uhr im Pfarrheim.', '2027-01-25 20:00'],
  ['fr', 'Loto le 12 à 20h, salle des fêtes.', '2027-02-12 20:00'],
  ['es', 'Asamblea el día 25 a las 19 h en el salón.', '2027-01-25 19:00'],
  ['en', 'Valentine’s Day dinner on Saturday at 7.30pm.', ''],
  ['en', 'MLK Day concert on Monday at 3pm.', '2027-01-18 15:00'],
  ['de', 'Konzert an Mariä Himmelfahrt um 20 Uhr.', '2027-08-15 20:00'],
  ['de', 'Konzert am Samstag um 20 Uhr in der Pfarrkirche Mariä Himmelfahrt.', '2027-01-16 20:00'],
  // Weeks and eves
  ['de', 'Nächste Woche ist Freitag Kurs um 9 Uhr.', ''],
  ['en', 'Happy Halloween to all! The concert is on Friday at 8pm.', '2027-01-15 20:00'],
  ['en', 'Concert on New Year’s Eve 31 December 2027 at 9pm.', '2027-12-31 21:00'],
  ['en', 'Carols on Christmas Eve the 24th of December 2027 at 6pm.', '2027-12-24 18:00'],
  ['de', 'Konzert am Vorabend 30. April, 20 Uhr.', '2027-04-30 20:00'],
  ['de', 'Ferienlager Montag bis Freitag, 9 Uhr, im Pfarrheim.', ''],
  ['es', 'Taller de lunes hasta viernes, 10 h.', ''],
  ['fr', 'Soirée jeux mercredi, 19h30. Dites-moi avant lundi si vous venez !', '2027-01-20 19:30'],
  ['en', 'Concert on Friday at 8pm. RSVP by Wednesday.', ''],
  ['es', 'El jueves que viene, a las 19 horas, charla en la librería.', '2027-01-21 19:00'],
  ['fr', 'Concert le 3e samedi d’avril à 9h30.', '2027-04-17 09:30'],
  ['fr', 'Concert cet après-midi à 15h.', '2027-01-14 15:00'],
  ['fr', 'Le concert débutera à 17 h le dimanche 21 mars et durera une heure et demie.', '2027-03-21 17:00'],
  ['es', 'Romería el domingo de Pentecostés a las 9 de la mañana.', '2027-05-16 09:00'],
  ['de', 'Nächste Woche Freitag Elternabend, 19:30 Uhr.', '2027-01-22 19:30'],
  ['de', 'Elternabend am Dienstag übernächster Woche, 19:30 Uhr.', '2027-01-26 19:30'],
  ['en', 'Next week, on Friday, cake sale at 2.30pm.', '2027-01-22 14:30'],
  ['es', 'La semana que viene, el viernes, charla a las 19 h.', '2027-01-22 19:00'],
  ['de', 'Konzert am Vorabend des 1. Mai um 20 Uhr.', '2027-04-30 20:00'],
  ['fr', 'Bal la veille du 14 juillet à 21h.', '2027-07-13 21:00'],
  ['en', 'One week from today, at 7pm: talk on knees.', '2027-01-21 19:00'],
  ['en', 'Barn dance a week from Saturday at 8pm.', '2027-01-23 20:00'],
  ['en', 'Three days from Friday 5 March, 8pm each night: opera.', '2027-03-05 20:00'],
  ['en', 'Entries postponed until 30 January. Race on 6 March at 10am.', '2027-03-06 10:00'],
  ['de', 'Der Kurs am 5. März um 19 Uhr entfällt nicht.', '2027-03-05 19:00'],
  [
    'en',
    'The fete kicks off 12 noon Friday 5 March and wraps up 4pm Sunday 7th.',
    '2027-03-05 12:00 → 2027-03-07 16:00',
  ],
  [
    'de',
    'Selbsthilfe jeden zweiten Dienstag im Monat von 17 bis 18:30 Uhr im Lesesaal, das nächste Mal am 9. Februar. Frau Ilg (ab 19 Uhr)',
    '2027-02-09 17:00 → 2027-02-09 18:30',
  ],
  // Days that are counted from a feast
  ['de', 'Konzert am Samstag nach Ostern um 20 Uhr.', '2027-04-03 20:00'],
  ['en', 'Treasure hunt on the Saturday before Easter, 2pm.', '2027-03-27 14:00'],
  ['en', 'Carols on the night before Christmas Eve, 6.30pm.', '2027-12-23 18:30'],
  ['de', 'Zwei Tage vor Heiligabend, 18 Uhr: Krippenspiel.', '2027-12-22 18:00'],
  ['fr', 'Thé dansant le samedi avant Pâques à 15h.', '2027-03-27 15:00'],
  ['fr', 'Concert le lendemain de Noël à 17h.', '2027-12-26 17:00'],
  ['es', 'Carrera el domingo siguiente a San José, a las 10 h.', '2027-03-21 10:00'],
  ['es', 'Hoguera la víspera de San Antón a las 21 h.', '2027-01-16 21:00'],
  // Nobody knows on which.
  ['de', 'Der Kurs beginnt nach Ostern, am Dienstag um 19 Uhr.', ''],
  ['de', 'Chorprobe am Freitag um 20 Uhr, die letzte vor Weihnachten.', '2027-01-15 20:00'],
  ['en', 'Film: The Night Before Christmas, Saturday at 5pm.', '2027-01-16 17:00'],
  ['de', 'Flurputzete am 20. März um neun am Morgen.', '2027-03-20 09:00'],
  // Feasts
  ['en', 'Remembrance Sunday service at the war memorial, 10.50 a.m.', '2027-11-14 10:50'],
  ['en', 'Village fete on August bank holiday Monday, 1pm to 5pm.', '2027-08-30 13:00 → 2027-08-30 17:00'],
  ['en', 'Village fete on the bank holiday Monday, 1pm to 5pm.', ''],
  ['en', 'Mother’s Day concert, 3pm, St Anne’s.', '2027-03-07 15:00'],
  ['us', 'Mother’s Day concert, 3 pm, Grange.', '2027-05-09 15:00'],
  ['us', 'MLK Day concert at 3 pm, Grange.', '2027-01-18 15:00'],
  ['de', 'Erstkommunion am Weißen Sonntag, Beginn 9.30 Uhr.', '2027-04-04 09:30'],
  ['de', 'Basar am 1. Advent, 14–18 Uhr.', '2027-11-28 14:00 → 2027-11-28 18:00'],
  ['de', 'Gottesdienst am Buß- und Bettag, 19 Uhr.', '2027-11-17 19:00'],
  ['fr', 'Concert le jour de Noël à 17h.', '2027-12-25 17:00'],
  ['es', 'Feria del libro, sábado 2/20, 10:00 h.', '2027-02-20 10:00'],
  ['es', 'Feria del libro, sábado 2/21, 10:00 h.', ''],
  [
    'es',
    'Encuentro de corales el domingo 21 de marzo en horario de mañana: 10-14 h.',
    '2027-03-21 10:00 → 2027-03-21 14:00',
  ],
  ['fr', 'Balade photo samedi 6 mars à 10h.', '2027-03-06 10:00'],
  ['fr', 'Mardi 16 février, 18h, soirée du club photo.', '2027-02-16 18:00'],
  // A point behind a day of an English text ends its sentence
  [
    'us',
    'Stitch club is Tuesdays, 10 a.m. to noon, beginning January 19. No fee.',
    '2027-01-19 10:00 → 2027-01-19 12:00',
  ],
  ['en', 'Talks on March 12, 19 & 26. No booking. 7pm.', '2027-03-12 19:00 +2'],
  ['us', 'Roller derby, Sat 3.20.27, 6pm', '2027-03-20 18:00'],
  // Numbers of rooms
  ['en', 'Seminar on 12 February, 12:15, Quarry Building B2.07.', '2027-02-12 12:15'],
  ['de', 'Konzert am Freitag, 12.2., Saal B2.07. 19 Uhr.', '2027-02-12 19:00'],
  ['de', 'Konzert Sa6.2. 19 Uhr', '2027-02-06 19:00'],
  ['de', 'Lesung morgen in 14 Tagen um 16 Uhr im Museum.', '2027-01-29 16:00'],
  ['es', 'Lectura mañana en quince días a las 19 h.', '2027-01-29 19:00'],
  // Where and when it was written, without a year
  ['de', 'Bärenwil, 14. Januar. Heute in acht Tagen, um 16 Uhr, liest Anna Frey.', '2027-01-21 16:00'],
  ['de', 'Bern, 14. Januar, 19 Uhr: Konzert im Kornhaus.', '2027-01-14 19:00'],
  // Months in Roman numbers, which are no hours of a scan
  ['de', 'Konzerte: 23.I., 30.I. und 6.II.2027, 20 Uhr.', '2027-01-23 20:00 +2'],
  ['de', 'Treffen am 4.II. Wir essen um 19 Uhr.', '2027-02-04 19:00'],
  ['es', 'Torneo: 23-I, 30-I y 6-II (todos sábados), a las 10:00 h.', '2027-01-23 10:00 +2'],
  ['es', 'La sección 3-I se reúne el 5 de febrero a las 18 h.', '2027-02-05 18:00'],
  // Short weekdays, and the last of a list
  ['es', 'Baile de disfraces el vier 5/2 a las 18 h.', '2027-02-05 18:00'],
  ['fr', 'Bal costumé merc 10/2 à 18h.', '2027-02-10 18:00'],
  ['de', 'Vier Konzerte, das erste am 5. Februar um 18 Uhr.', '2027-02-05 18:00'],
  ['fr', 'Rencontres à 14h30 les mardis 2/2, 2/3 et 6/4.', '2027-02-02 14:30 +2'],
  // Scans
  ['es', 'Baile el sábado 6 de rnarzo a las 20 h.', '2027-03-06 20:00'],
  [
    'de',
    'Ostermarkt\nSamstag 20. März 10 - 18 Uhr\nSonntag 21. März 10 - 17 Uhr\nBasteln am Samstag um 14 Uhr.',
    '2027-03-20 10:00 → 2027-03-20 18:00 +1',
  ],
  [
    'de',
    'Jana Voss kommt mit »Ich war’s nicht« am Donnerstag, 15. April. Beginn ist um 19.30 Uhr.',
    '2027-04-15 19:30',
  ],
  [
    'en',
    'Films start 7.45pm.\nFri 22 January THE NIECE\nFri 12 February PAPER LANTERNS\nFri 5 March NO TRAIN TO TRIESTE',
    '2027-01-22 19:45; 2027-02-12 19:45; 2027-03-05 19:45',
  ],
  [
    'fr',
    'Scène ouverte vendredi 29 janvier. On commence à 20h. Cinq minutes par passage.',
    '2027-01-29 20:00',
  ],
  ['en', 'Gala on Saturday 13 March. Warm-up is from 1.15pm, first race at 2pm.', '2027-03-13 14:00'],
  [
    'en',
    'The Lantern Players on 6 March at 8pm\nBox office opens Monday 1st February, 10am',
    '2027-03-06 20:00',
  ],
  [
    'es',
    'El viernes 29 de enero el museo abre de 20:00 a 00:00 h. A las 20:30, visita guiada.',
    '2027-01-29 20:00 → 2027-01-30 00:00',
  ],
  [
    'en',
    'NOTICE is given that the AGM will be held on Monday 15 February at 7.30pm.\nMinutes, apologies, treasurer’s report',
    '2027-02-15 19:30',
  ],
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
  ['en', 'Due to illness the talk on 4 February has been cancelled.', '2027-02-04'],
  ['en', 'Yoga on the last Thursday of each month at 7pm', '2027-01-28 19:00'],
  ['fr', 'Yoga le dernier jeudi du mois à 19h', '2027-01-28 19:00'],
  ['es', 'Club de lectura el último jueves de cada mes a las 19:00', '2027-01-28 19:00'],
  ['es', 'Visita guiada el próximo sábado a las 11:00', '2027-01-16 11:00'],
  [
    'us',
    'Flea Market, Friday, April 30, noon to 6, Saturday, May 1, 8 to 5, and Sunday, May 2, 9 to 3',
    '2027-04-30 12:00 → 2027-04-30 18:00 +2',
  ],
  ['us', 'Garage sale, Fri & Sat June 4–5, 8 till 3', '2027-06-04 → 2027-06-05'],
  ['us', 'Your workshop has been changed from January 27 to January 28 at 5:45 p.m.', '2027-01-28 17:45'],
  [
    'us',
    'Artisan Market, 1st and 3rd Saturday, May thru October, 8 AM–1 PM',
    '2027-05-01 08:00 → 2027-05-01 13:00 +11',
  ],
  ['en', 'Film club: 22 Jan "The Keeper", 5 Feb "Midnight at Marlow". All 7.45pm.', '2027-01-22 19:45 +1'],
  ['en', 'Yoga: 10 weeks from Fri 15 Jan, 6–7pm. Not 12 Feb.', '2027-01-15 18:00 → 2027-01-15 19:00 +9'],
  ['en', 'The play runs 15th–24th April (no show Sunday or Monday), 8pm.', '2027-04-15 → 2027-04-24'],
  ['es', 'La merienda es el domingo que viene, día 24, a las cinco y media', '2027-01-24 17:30'],
  // The last day of a stretch, with its preposition
  ['de', 'Klangtage vom 3. bis zum 6. Mai, täglich um 19 Uhr in der Scheune', '2027-05-03 19:00 +3'],
  // Weekdays from one to another, on which a run takes place
  ['de', 'Das Stück läuft vom 6. bis 9. Mai, Do–Sa um 20 Uhr, So schon um 17 Uhr.', '2027-05-06 20:00 +3'],
  [
    'fr',
    'La pièce se joue du 6 au 9 mai, du jeudi au samedi à 20h30, dimanche à 17h.',
    '2027-05-06 20:30 +3',
  ],
  ['en', 'Open-air theatre: Thursdays to Sundays, 3–13 June, 8 p.m.', '2027-06-03 20:00 +7'],
  ['de', 'Theater im Park: donnerstags bis sonntags, 3. bis 13. Juni, 20 Uhr', '2027-06-03 20:00 +7'],
  ['en', 'Musical 3–20 May, 8pm. Box office Mon–Fri from 9am.', '2027-05-03'],
  ['en', 'Summer camp 3–17 July, the coach leaves on Saturday at 9am.', '2027-07-03 → 2027-07-17'],
  ['de', 'Den ganzen März über sonntags um 11 Uhr: Führung im Museum', '2027-03-07 11:00 +3'],
  // A programme by weekdays
  [
    'de',
    'Kleinkunsttage vom 7. bis 9. Mai. Freitag um 19 Uhr spielt das Duo Pfeffer, Sonntag ist von 11 bis 14 Uhr Matinee.',
    '2027-05-07 19:00 → 2027-05-09 14:00',
  ],
  [
    'fr',
    'Festival du 7 au 9 mai. Ouverture officielle le vendredi à 18h, concert le samedi à 20h, clôture le dimanche à 17h.',
    '2027-05-07 18:00 → 2027-05-09 17:00',
  ],
  [
    'de',
    'Theatertage vom 6. bis 9. Mai. Karten am Donnerstag ab 9 Uhr und am Freitag ab 14 Uhr.',
    '2027-05-06 → 2027-05-09',
  ],
  // One day, and not another one
  ['de', 'Das Konzert ist am 14., nicht am 13. Februar, um 19 Uhr.', '2027-02-14 19:00'],
  ['en', 'The talk is on the 12th and not the 13th of February, at 7pm.', '2027-02-12 19:00'],
  ['fr', 'La soirée jeux, c’est vendredi et pas samedi, 19h30.', '2027-01-15 19:30'],
  ['es', 'La reunión es el viernes y no el sábado, a las 19 h.', '2027-01-15 19:00'],
  // A day to which something is put off
  ['en', 'The talk has been postponed until Thursday 11 February at 7pm.', '2027-02-11 19:00'],
  ['es', 'La charla queda aplazada hasta el 11 de febrero a las 19 h.', '2027-02-11 19:00'],
  [
    'es',
    'Donde decía «jueves 4 de marzo» debe decir «jueves 11 de marzo»: charla a las 19 h.',
    '2027-03-11 19:00',
  ],
  ['es', 'El baile previsto para el 5 de marzo se traslada al 9 de abril a las 21 h.', '2027-04-09 21:00'],
  ['fr', 'Le récital du samedi 6 mars, annulé, sera joué le samedi 20 à 20h.', '2027-03-20 20:00'],
  // Feasts
  ['fr', 'Pour la fête des mères, brunch à 11 h au Moulin', '2027-05-30 11:00'],
  ['es', 'El día de la Inmaculada, belén viviente de 17 a 20 h', '2027-12-08 17:00 → 2027-12-08 20:00'],
  ['es', 'Presentación del poemario. Jueves 28-I, 19:30 h.', '2027-01-28 19:30'],
  [
    'es',
    'La excursión pasa del 31 de enero al domingo 21 de febrero, salida a las 7.45 h',
    '2027-02-21 07:45',
  ],
  [
    'es',
    'Obra del 4 al 14 de marzo, de jueves a sábado a las 20.30 h y domingos a las 19 h',
    '2027-03-04 20:30 +7',
  ],
  ['es', 'Concierto el domingo próximo a las 12 h', '2027-01-17 12:00'],
  [
    'fr',
    'Stage\nDébut : vendredi 9 avril à 18 h – Fin : dimanche 11 avril à 16 h',
    '2027-04-09 18:00 → 2027-04-11 16:00',
  ],
  [
    'de',
    'Offene Ateliers am 17./18. April, Samstag 14 bis 19 Uhr, Sonntag 11 bis 17 Uhr',
    '2027-04-17 14:00 → 2027-04-17 19:00 +1',
  ],
  ['fr', 'Programme de février\nVENT (1h52)\nmer. 3 à 20h30, dim. 7 à 17h', '2027-02-03 20:30 +1'],
  ['de', 'Milonga am 20. Februar\n20:30 Schnupperstunde\n21:30 Milonga', '2027-02-20 21:30'],
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

/** Days that another one replaces. */
const REPLACED: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'fr',
    'Récital reporté : il aura lieu le vendredi 12 mars à 20h au lieu du 26 février.',
    '2027-03-12 20:00',
  ],
  [
    'es',
    'Recital aplazado: será el viernes 12 de marzo a las 20 h en vez del 26 de febrero.',
    '2027-03-12 20:00',
  ],
  [
    'de',
    'Lesung verschoben: Sie ist am Freitag, 12. März, um 20 Uhr statt am 26. Februar.',
    '2027-03-12 20:00',
  ],
  ['de', 'Die Lesung findet statt am Freitag, 12. März, um 20 Uhr.', '2027-03-12 20:00'],
  [
    'en',
    'Recital postponed: it will be on Friday 12 March at 8pm rather than 26 February.',
    '2027-03-12 20:00',
  ],
  // Whatever the verb
  [
    'fr',
    'Notre concert annoncé pour le 6 février glisse au samedi 20 février, même heure, 20h30.',
    '2027-02-20 20:30',
  ],
  [
    'de',
    'Unser Konzert, angekündigt für den 6. Februar, rutscht auf Samstag, 20. Februar, 20 Uhr.',
    '2027-02-20 20:00',
  ],
  ['en', 'Our concert planned for 6 February slips to Saturday 20 February, 8pm.', '2027-02-20 20:00'],
  // What was printed by mistake
  [
    'de',
    'Im Blatt stand 17 Uhr: Das Konzert am Sonntag, 14. März, beginnt um 16.45 Uhr.',
    '2027-03-14 16:45',
  ],
  [
    'fr',
    "Le bulletin a imprimé 17 h : c'est bien à 16 h 45 que commencera le concert du dimanche 14 mars.",
    '2027-03-14 16:45',
  ],
  ['en', 'Bingo is back this Friday week, 29th January, at 8.30pm.', '2027-01-29 20:30'],
  [
    'en',
    "The concert can't go ahead on 13 February. The vicar has offered us Saturday 6 March instead.",
    '2027-03-06',
  ],
  [
    'en',
    'Our evening on Friday 22nd January cannot go ahead. Isla will now be with us on Friday 12th March at 8pm instead.',
    '2027-03-12 20:00',
  ],
  [
    'de',
    'Das Konzert am 13. Februar kann nicht stattfinden. Wir weichen auf Samstag, 6. März aus.',
    '2027-03-06',
  ],
  ['de', 'Die für den 5. März geplante Lesung findet am 6. März um 19 Uhr statt.', '2027-03-06 19:00'],
  ['de', 'Lesung geplant am 5. März um 19 Uhr, weitere am 6. März um 19 Uhr.', '2027-03-05 19:00 +1'],
  [
    'fr',
    'Le concert du 13 février ne peut pas avoir lieu. Nous proposons le samedi 6 mars à la place.',
    '2027-03-06',
  ],
  ['fr', 'Le concert prévu le 30 janvier à 20h aura bien lieu.', '2027-01-30 20:00'],
  [
    'es',
    'Se ha decidido aplazar la Feria, prevista para el 23 y 24 de enero.\n\nLa Feria se celebrará el 20 y 21 de febrero en la plaza.',
    '2027-02-20 → 2027-02-21',
  ],
  [
    'es',
    'Con motivo de las obras, previsto para el lunes 8 de febrero, se convoca una reunión que tendrá lugar el jueves 4 de febrero, a las 19:00 horas.',
    '2027-02-04 19:00',
  ],
  // To the number of a day: to an earlier one in its month, unless it is put off
  ['en', 'The AGM on 17 February has been moved to the 10th.', '2027-02-10'],
  ['en', 'The AGM on 17 February has been brought forward to the 10th.', '2027-02-10'],
  ['en', 'The AGM on 17 February is postponed to the 10th.', '2027-03-10'],
  ['en', 'The match on 27 January has been moved to the 6th.', '2027-02-06'],
  ['de', 'Die Sitzung vom 17. Februar wird auf den 10. vorverlegt.', '2027-02-10'],
  ['de', 'Die Sitzung am 27. Februar wird auf den 6. verschoben.', '2027-03-06'],
  ['fr', 'La réunion du 17 février est avancée au 10.', '2027-02-10'],
  ['fr', 'La réunion du 17 février est reportée au 3.', '2027-03-03'],
  ['es', 'La charla del 17 de febrero se adelanta al 10 a las 19 h.', '2027-02-10 19:00'],
  ['es', 'La reunión del 17 de febrero se aplaza al 3.', '2027-03-03'],
  // But to no house
  ['fr', 'Le concert du 17 février à 20h est déplacé au 12, rue du Port.', '2027-02-17 20:00'],
  ['es', 'La charla del 17 de febrero a las 19 h se traslada al 3 de la calle Mayor.', '2027-02-17 19:00'],
  // What goes ahead, beside what is called off
  ['en', 'The concert on 20 March is cancelled, the concert on 17 April goes ahead.', '2027-04-17'],
  ['fr', 'Le concert du 20 mars est annulé, celui du 17 avril a lieu.', '2027-04-17'],
  ['es', 'La cena del 20 de marzo se cancela, la del 17 de abril se mantiene.', '2027-04-17'],
  [
    'de',
    'Der Flohmarkt am 20. März findet nicht statt, der am 27. März findet wie geplant um 10 Uhr statt.',
    '2027-03-27 10:00',
  ],
]

/** Several weekdays before as many days. */
const SEVERAL: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['de', 'Markt Sa/So 20./21. März, jeweils 10–18 Uhr', '2027-03-20 10:00 → 2027-03-20 18:00 +1'],
  ['de', 'Markt Sa + So 20. + 21. März, 10–18 Uhr', '2027-03-20 10:00 → 2027-03-20 18:00 +1'],
  [
    'de',
    'Markt am Samstag und Sonntag, 20. und 21. März, 10–18 Uhr',
    '2027-03-20 10:00 → 2027-03-20 18:00 +1',
  ],
  ['de', 'Festival von Freitag bis Sonntag, 5. bis 7. März', '2027-03-05 → 2027-03-07'],
  ['de', 'Festival Fr–So, 5.–7. März', '2027-03-05 → 2027-03-07'],
  ['en', 'Play: Fri/Sat 5/6 March, 8pm, parish hall', '2027-03-05 20:00 +1'],
  ['en', 'Fair, Saturday and Sunday, March 20 and 21, 10am-4pm', '2027-03-20 10:00 → 2027-03-20 16:00 +1'],
  ['en', 'Tuesday and Thursday, 2 and 4 March, 7pm: first aid course', '2027-03-02 19:00 +1'],
  ['fr', 'Marché sam. & dim. 20 & 21 mars de 10h à 18h', '2027-03-20 10:00 → 2027-03-20 18:00 +1'],
  ['fr', 'Fête du village vendredi, samedi et dimanche 5, 6 et 7 mars', '2027-03-05 → 2027-03-07'],
  ['es', 'Mercado sábado y domingo 20 y 21 de marzo, de 10 a 18 h', '2027-03-20 10:00 → 2027-03-20 18:00 +1'],
  // A course on two weekdays
  [
    'es',
    'Taller lunes y miércoles, del 1 al 24 de febrero, de 18:00 a 20:00 h',
    '2027-02-01 18:00 → 2027-02-01 20:00 +7',
  ],
]

const TIMES: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  // Moved to another hour
  ['en', 'The talk on 17 February at 7pm has been moved to 8pm.', '2027-02-17 20:00'],
  ['de', 'Die Führung am 17. Februar, 19 Uhr, wird auf 18 Uhr vorverlegt.', '2027-02-17 18:00'],
  ['de', 'Das Training (Montag, 18. Januar, 18 Uhr) verschiebt sich auf 19 Uhr.', '2027-01-18 19:00'],
  ['fr', 'La conférence du 17 février à 19h est repoussée à 20h.', '2027-02-17 20:00'],
  ['es', 'La charla del 17 de febrero a las 19 h se retrasa a las 20 h.', '2027-02-17 20:00'],
  ['en', 'The concert on 20 March at 7pm has been moved to St Mary’s.', '2027-03-20 19:00'],
  ['en', 'Concert on 20 March at 7pm. Doors moved to 6.30pm.', '2027-03-20 19:00'],
  // Lengths
  ['en', 'Starting seeds: 20 February, 10.30am. What to sow eight weeks ahead.', '2027-02-20 10:30'],
  ['es', 'Salida el domingo 7 de febrero a las 8 h, unas seis horas.', '2027-02-07 08:00'],
  ['es', 'Carrera el 28 de febrero. Calentamiento 6:40 am. Disparo de salida 7:00 am.', '2027-02-28 07:00'],
  ['es', 'Curso de 20 horas: sábado 13 de febrero, de 10 a 14 h.', '2027-02-13 10:00 → 2027-02-13 14:00'],
  ['es', 'Taller de 8 horas el sábado 13 de febrero', '2027-02-13'],
  ['es', 'Feria el 5 de febrero de 8 horas a 20 horas.', '2027-02-05 08:00 → 2027-02-05 20:00'],
  // Twelve at the end of a span
  ['en', 'Workshop from 9 to 12 in the morning on 20 March.', '2027-03-20 09:00 → 2027-03-20 12:00'],
  [
    'en',
    'Workshop from half ten to half twelve in the morning on 20 March.',
    '2027-03-20 10:30 → 2027-03-20 12:30',
  ],
  ['en', 'Workshop 20 March 9-12 am.', '2027-03-20 09:00 → 2027-03-20 12:00'],
  ['en', 'Dance from 9 to 12 in the evening on 20 March.', '2027-03-20 21:00 → 2027-03-21 00:00'],
  ['en', 'Disco 20 March 9-12am.', '2027-03-20 21:00 → 2027-03-21 00:00'],
  ['en', 'Disco 20 March 9pm-12am.', '2027-03-20 21:00 → 2027-03-21 00:00'],
  ['en', 'Fireworks on 14 August, twenty-five past nine in the evening.', '2027-08-14 21:25'],
  ['en', 'Supper for twenty to thirty people on Friday 5 March, 8pm.', '2027-03-05 20:00'],
  ['en', 'At 7.45 this evening a choir from Riga sings at the school.', '2027-01-14 19:45'],
  ['en', 'Join our concert on 5 March at 7pm. This evening of 12 songs is for all.', '2027-03-05 19:00'],
  [
    'es',
    'Excursión a las salinas, jueves 25 de febrero. El autobús sale a las 8 y cuarto del puerto.',
    '2027-02-25 08:15',
  ],
  ['de', 'Ausflug am 25. Februar. Der Bus fährt um halb acht am Rathaus ab.', '2027-02-25 07:30'],
  ['en', 'Ramble on Sunday 7 March, 10am, 2 hrs, from the church.', '2027-03-07 10:00'],
  ['en', 'Supper on Burns Night, 7pm, at the school.', '2027-01-25 19:00'],
  ['en', 'Workshop, Saturday 13 February, nine-thirty till one.', '2027-02-13 09:30 → 2027-02-13 13:00'],
  ['us', 'Talk at a quarter of seven in the evening on Tuesday, February 9.', '2027-02-09 18:45'],
  ['en', 'Quiz at 8.15pm, fish and chips beforehand at 7, Friday 26 February.', '2027-02-26 20:15'],
  ['en', 'Auction on Saturday 6 March; viewing from 6pm, first lot at 7.', '2027-03-06 19:00'],
  ['en', 'Silence, 8pm Friday 12 March to 8am Saturday 13 March.', '2027-03-12 20:00 → 2027-03-13 08:00'],
  ['en', '8pm, Saturday 6 March: dance at Home Farm with a hog roast at 9.', '2027-03-06 20:00'],
  [
    'en',
    'Star evening, Friday 19 February, 1830–2000, meet at Gate 3.',
    '2027-02-19 18:30 → 2027-02-19 20:00',
  ],
  ['en', 'Talk on Bath 1830–1850, Saturday 6 March 7pm.', '2027-03-06 19:00'],
  ['en', 'Organ recital, Wed 24-2-27, 1pm.', '2027-02-24 13:00'],
  [
    'de',
    'Nähkurs am 4., 11. und 18. Februar, je 19 bis 21.30 Uhr.',
    '2027-02-04 19:00 → 2027-02-04 21:30 +2',
  ],
  ['de', 'Krabbelgruppe mittwochs von 9.30 bis 11 Uhr.', '2027-01-20 09:30 → 2027-01-20 11:00'],
  ['es', 'Misa del Gallo el 24 de diciembre de 2027, a las doce de la noche.', '2027-12-24'],
  // In words
  ['en', 'Talk on Saturday 6 March at seven thirty, village hall.', '2027-03-06 19:30'],
  ['en', 'Walk on Saturday 6 March, ten-fifteen in the morning.', '2027-03-06 10:15'],
  ['en', 'Farmers’ market on Saturday 6 March, nine to one.', '2027-03-06 09:00 → 2027-03-06 13:00'],
  [
    'en',
    'Games on Saturday 6 March, 10 in the morning to 10 at night.',
    '2027-03-06 10:00 → 2027-03-06 22:00',
  ],
  ['en', 'Walk on Saturday 6 March, setting off from the chapel at eleven.', '2027-03-06 11:00'],
  ['us', 'Blood drive Thursday, March 4, 10:30a-3:30p.', '2027-03-04 10:30 → 2027-03-04 15:30'],
  ['de', 'Fackelwanderung am Samstag, 6. März, um fünf vor halb sieben abends.', '2027-03-06 18:25'],
  ['de', 'Konzert am Samstag, 6. März, zehn nach halb acht.', '2027-03-06 19:40'],
  ['es', 'Charla el sábado 6 de marzo a las siete treinta de la tarde.', '2027-03-06 19:30'],
  ['es', 'Paseo el sábado por la mañana, a las 9, desde la fuente.', '2027-01-16 09:00'],
  ['es', 'Feria de empleo, martes 23 de febrero, 9:00 h.', '2027-02-23 09:00'],
  ['fr', 'Soirée le vendredi 26 février à dix-neuf heures quarante-cinq.', '2027-02-26 19:45'],
  ['fr', 'Soirée le vendredi 26 février à vingt heures cinquante.', '2027-02-26 20:50'],
  ['de', 'Lesung am 26. Februar um neunzehn Uhr fünfzig.', '2027-02-26 19:50'],
  ['es', 'Recital el 26 de febrero a las siete y treinta y cinco de la tarde.', '2027-02-26 19:35'],
  ['es', 'Recital el 26 de febrero a las diez para las siete de la noche.', '2027-02-26 18:50'],
  ['es', 'Recital el 26 de febrero a las diez para las familias.', '2027-02-26 10:00'],
  ['es', 'Boda el sábado 12 de junio a las doce y media de la mañana.', '2027-06-12 12:30'],
  ['es', 'Baile el sábado 6 de febrero de 9 a 12 de la noche.', '2027-02-06 21:00 → 2027-02-07 00:00'],
  ['es', 'Feria el domingo 24 de enero, de 12 m. a 5 p. m.', '2027-01-24 12:00 → 2027-01-24 17:00'],
  ['es', 'Carrera el domingo 24 de enero a las 10 h en la piscina de 12 m.', '2027-01-24 10:00'],
  ['fr', 'Atelier le 20 mars à neuf heures et demie.', '2027-03-20'],
  ['de', 'Kurs am 20. März um neun.', '2027-03-20'],
  ['es', 'Concierto el 20 de marzo a las nueve y media.', '2027-03-20 21:30'],
  // Past noon by the clock of twelve hours
  [
    'us',
    'Open studio Friday, April 9, 10 to 6, and Saturday, April 10, 9 to 3.',
    '2027-04-09 10:00 → 2027-04-09 18:00 +1',
  ],
  ['en', 'Felting class Friday 12 March, 9.30 to 6.30 in the hall.', '2027-03-12 09:30 → 2027-03-12 18:30'],
  ['en', 'Disco Saturday 6 March, 10-2.', '2027-03-06'],
  // Several hours of which the last has the unit
  ['de', 'Führungen am Montag, 22. März um 14, 15 und 16 Uhr.', '2027-03-22 14:00 +2'],
  ['en', 'Guided tours on Monday 22 March at 2, 3 and 4 pm.', '2027-03-22 14:00 +2'],
  ['en', 'Guided tours on Monday 22 March at 11 and 2 pm.', '2027-03-22 11:00 +1'],
  ['fr', 'Visites guidées le lundi 22 mars à 14, 15 et 16 h.', '2027-03-22 14:00 +2'],
  ['es', 'Visitas guiadas el lunes 22 de marzo a las 11, 12 y 13 h.', '2027-03-22 11:00 +2'],
  ['de', 'Lesung am 22. März in der Mühlgasse 14, 15 und 16 Uhr.', '2027-03-22 15:00 +1'],
  // What begins before the event
  ['en', 'The annual meeting is on 16 February at 7pm. Sign-in begins 6:30pm.', '2027-02-16 19:00'],
  ['fr', 'Le trail a lieu le dimanche 14 mars à 10h. L’enregistrement commence à 8h30.', '2027-03-14 10:00'],
  [
    'es',
    'La carrera es el domingo 14 de marzo a las 10 h. El registro empieza a las 8:30 h.',
    '2027-03-14 10:00',
  ],
  ['en', 'Open water swim, Sunday 7 Feb. Rego 6.30 to 7.30am. First swim goes at 8.', '2027-02-07 08:00'],
  ['en', 'Concert on 5 March. Afterparty 10pm. Show starts 8pm.', '2027-03-05 20:00'],
  // Each day, and once more on one of them
  ['de', 'Puppenspiel vom 18. bis 20. Februar, täglich um 16 Uhr.', '2027-02-18 16:00 +2'],
  ['de', 'Puppenspiel: Do 18. bis Sa 20. Februar täglich 16 Uhr, Sa auch 19.30 Uhr.', '2027-02-18 16:00 +3'],
  ['en', 'Puppets: Thu 18 to Sat 20 February, daily 4 pm, Sat also 7.30 pm.', '2027-02-18 16:00 +3'],
  [
    'fr',
    'Marionnettes : du 18 au 20 février tous les jours à 16 h, le samedi aussi à 19 h 30.',
    '2027-02-18 16:00 +3',
  ],
  [
    'es',
    'Títeres: del 18 al 20 de febrero, todos los días a las 16 h, el sábado también a las 19:30 h.',
    '2027-02-18 16:00 +3',
  ],
  [
    'en',
    'Musical, Tues 23 – Sat 27 February, 8pm nightly, plus matinee on the Saturday, 2.30.',
    '2027-02-23 20:00 +5',
  ],
  [
    'de',
    'Theater vom 4. bis 6. März, täglich um 20 Uhr, am Samstag auch für Kinder um 15 Uhr.',
    '2027-03-04 20:00 +2',
  ],
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
  ['es', 'Carrera el 7 de marzo: 10:00 h 10 km, 10:30 h 5 km', '2027-03-07 10:00'],
  ['es', 'Jornada el 8 de marzo\nDe 10:00 a 14:00 h\n\n10:30 Charla', '2027-03-08 10:00 → 2027-03-08 14:00'],
  ['fr', 'Stage du 5 mars à 18h au 7 mars à 16h', '2027-03-05 18:00 → 2027-03-07 16:00'],
  [
    'es',
    'Retiro del viernes 5 de marzo (4 p. m.) al domingo 7 de marzo (2 p. m.)',
    '2027-03-05 16:00 → 2027-03-07 14:00',
  ],
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
    '2027-02-20 10:00 → 2027-02-20 17:00 +1',
  ],
]

/** Hardly anything begins at night, unless the text says so. */
const AT_NIGHT: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['fr', 'LES OIES, 1h42, mercredi 20 janvier', '2027-01-20'],
  ['de', 'Film am 6. März, 1 h 28, Kino Krone', '2027-03-06'],
  ['de', 'Konzert am 6. März um 2.30 Uhr', '2027-03-06'],
  ['de', 'Kaffee am 6. März, halb drei', '2027-03-06 14:30'],
  ['de', 'Mittagstisch am 6. März um halb eins', '2027-03-06 12:30'],
  // In the morning, and in the morning or in the evening
  ['de', 'Frauenfrühstück am 6. März um halb neun', '2027-03-06 08:30'],
  ['de', 'Basteln am Samstagvormittag, 6. März, um neun', '2027-03-06 09:00'],
  ['fr', 'Petit-déjeuner le 6 mars à neuf heures et demie', '2027-03-06 09:30'],
  ['de', 'Familiengottesdienst am 7. März um halb zehn', '2027-03-07'],
  ['fr', 'Vide-grenier le 7 mars dès huit heures', '2027-03-07'],
  ['es', 'Mercadillo el 7 de marzo a las nueve y media', '2027-03-07'],
  ['en', 'Car boot sale on 7 March from 8', '2027-03-07'],
  ['de', 'Nachtwanderung am 6. März um halb neun', '2027-03-06 20:30'],
  ['en', 'Lunch on 6 March at quarter to one', '2027-03-06 12:45'],
  ['fr', 'Rencontre le 6 mars à 0 h moins dix', '2027-03-06 23:50'],
  ['de', 'Treffen am 6. März von halb drei bis fünf Uhr', '2027-03-06 14:30 → 2027-03-06 17:00'],
  ['de', 'Treffen am 6. März von 3 bis 5 Uhr', '2027-03-06 15:00 → 2027-03-06 17:00'],
  ['de', 'Morgestraich am 15. Februar um 4 Uhr früh', '2027-02-15 04:00'],
  ['de', 'Osternacht am 28. März um 5 Uhr', '2027-03-28 05:00'],
  ['en', 'Sunrise walk, Saturday 6 March, 5.30am', '2027-03-06 05:30'],
  ['es', 'Baile el 6 de marzo a las 2 de la madrugada', '2027-03-06 02:00'],
  ['fr', 'Bal samedi 6 mars, 21h-2h', '2027-03-06 21:00 → 2027-03-07 02:00'],
]

/** What begins before the event, and a house that is open around it. */
const BEFORE_AND_AROUND: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'es',
    'Asamblea el martes 19 de enero, 1a convocatoria 7:30 pm y si no hay quórum 2a a las 8:00 pm.',
    '2027-01-19 19:30',
  ],
  [
    'es',
    'Junta general: martes 19 de enero. Primera convocatoria: 19.00 horas. Segunda convocatoria: 19.30 horas.',
    '2027-01-19 19:00',
  ],
  ['es', 'Asamblea el 6 de marzo a las 10 h en única convocatoria.', '2027-03-06 10:00'],
  // The place and the day of an event, and not of a letter
  ['fr', 'Valmont, 16 janvier 2027 – concert à 20h. Prochain concert le 20 mars à 20h.', '2027-01-16 20:00'],
  [
    'de',
    'Lindenau, 16. Januar 2027: Konzert um 20 Uhr. Das nächste Konzert ist am 20. März.',
    '2027-01-16 20:00',
  ],
  ['en', 'Open mic, Fri 5 March: sign-up 6:30, music 7pm', '2027-03-05 19:00'],
  [
    'fr',
    'Bourse aux jouets : dépôt vendredi 12 mars de 16h à 19h, vente samedi 13 mars de 9h à 16h, retrait des invendus dimanche 14 mars de 10h à 11h.',
    '2027-03-13 09:00 → 2027-03-13 16:00',
  ],
  [
    'fr',
    'Marche dimanche 17 janvier à 8 heures et demie, retour vers 16 h.',
    '2027-01-17 08:30 → 2027-01-17 16:00',
  ],
  ['fr', 'Brocante le dimanche 25 avril. On remballe à 12h30, ouverture dès 8h.', '2027-04-25'],
  ['en', 'Petra Okon reads on Wednesday 3 March: drinks from 6.30pm, reading from 7pm', '2027-03-03 19:00'],
  ['en', 'Drinks and nibbles on Friday 5 March at 6pm, raffle at 8pm', '2027-03-05 18:00'],
  ['fr', 'Bal folk samedi 6 mars : initiation à 20h, bal à 21h – 8 €', '2027-03-06 21:00'],
  ['fr', 'Initiation à la vannerie samedi 6 mars à 14h, goûter à 16h', '2027-03-06 14:00'],
  ['de', 'Tanzabend am 6. März: Schnupperkurs 19 Uhr, Tanz ab 20 Uhr', '2027-03-06 20:00'],
  ['de', 'Umzug am 7. März: Aufstellung 13 Uhr, Abmarsch 14 Uhr', '2027-03-07 14:00'],
  ['es', 'Carrera el 7 de marzo\nEntrega de números: desde las 8:00\nPartida: 9:30', '2027-03-07 09:30'],
  [
    'en',
    'Museum Late on Thursday 4 March. The galleries stay open from 6pm to 10pm. At 7.30pm the curator talks.',
    '2027-03-04 18:00 → 2027-03-04 22:00',
  ],
  [
    'fr',
    'Samedi 6 mars, la bibliothèque reste ouverte de 17 h à 22 h.\n\n18 h 15 : contes',
    '2027-03-06 17:00 → 2027-03-06 22:00',
  ],
  [
    'de',
    'Konzert am Samstag, 6. März, 19 Uhr. Die Abendkasse ist von 18 bis 20 Uhr geöffnet.',
    '2027-03-06 19:00',
  ],
  ['fr', 'Stage les 20 et 21 mars, pique-nique le midi', '2027-03-20 → 2027-03-21'],
  [
    'us',
    'Pancake breakfast with sausages, oj and coffee, at the Cedar Fork Fire Department, Sun Jan 24, 7:30 to 11',
    '2027-01-24 07:30 → 2027-01-24 11:00',
  ],
  ['us', 'Dance at the Legion, Saturday, March 6, 7:30 to 11', '2027-03-06 19:30 → 2027-03-06 23:00'],
  ['en', 'Trivia night, Friday 12 February, 6pm for a 6.30 start', '2027-02-12 18:30'],
  ['en', 'Concert on Saturday 13 February. Doors open at 6.45 pm for a 7.30 pm start.', '2027-02-13 19:30'],
  ['en', 'Flower show, Saturday 14 August. Exhibits to be staged between 8.00 and 10.30 am.', '2027-08-14'],
  ['fr', 'Concert samedi 6 mars. On ouvre à 18h, ça joue à 21h.', '2027-03-06 21:00'],
  ['fr', 'Randonnée dimanche 31 janvier, environ 4h30 de marche. Départ : 9h', '2027-01-31 09:00'],
  [
    'de',
    'Skirennen am 21. Februar. Gestartet wird um 10 Uhr. Die Preisverteilung beginnt um 15 Uhr.',
    '2027-02-21 10:00',
  ],
  [
    'es',
    'Donación el lunes 25 de enero en el Centro Norte 10-14 y 17-21h',
    '2027-01-25 10:00 → 2027-01-25 14:00',
  ],
  [
    'fr',
    'Réunion publique le lundi 8 mars à 18h30. Plans consultables du 1er au 19 mars.',
    '2027-03-08 18:30',
  ],
  [
    'de',
    'Ball am 30. Jänner, 20 Uhr\nTisch reservieren: 0660 555 01 23 (ab 18. Jänner, 17–19 Uhr)',
    '2027-01-30 20:00',
  ],
  // Performances do not last until the last day.
  ['fr', 'Opéra du 4 au 20 mars, jeudi à samedi, 20h', '2027-03-04 20:00 +8'],
  [
    'de',
    'Ausstellung vom 4. bis 20. März, Mi–So 11–17 Uhr. Eröffnung: Do, 4. März, 19 Uhr',
    '2027-03-04 → 2027-03-20',
  ],
  ['de', 'Sonntags im März ist das Museum geöffnet. Führung am 7. März um 15 Uhr.', '2027-03-07 15:00'],
]

/** What may be either, or is of something else. */
const LEFT_OUT: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['es', 'Taller de pan el sábado 6, a las 11 de la mañana', ''],
  ['fr', 'Réunion jeudi en huit à 18h', ''],
  ['en', 'Family Service on 18 June (Luke 2:10-12)', '2027-06-18'],
  ['es', 'Proyección el 25 de febrero. Bono de las tres: 10 €', '2027-02-25'],
  ['fr', 'Concert le 22 novembre, 19h\n35 places disponibles', '2027-11-22 19:00'],
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

/** Of chats, what stands before each message is nothing that takes place. */
const CHATS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'de',
    '[14.01., 08:47] Anna: Morgen Spieleabend um 19 Uhr!\n[14.01., 08:50] Ben: bin dabei',
    '2027-01-15 19:00',
  ],
  ['us', '[1/14/27, 8:47:05 PM] Jo: Quiz on Friday, March 5 at 8pm', '2027-03-05 20:00'],
  [
    'es',
    '14/01/2027, 08:47 - Ana: bingo el sábado 6 de marzo a las 19:00\n14/01/2027, 08:50 - Pepe: voy',
    '2027-03-06 19:00',
  ],
  // A list of dates looks like one message.
  ['de', '06.03.2027, 20:00 - Konzert: Die Gailtaler', '2027-03-06 20:00'],
]

/** What another text or an earlier message says falsely. */
const CORRECTIONS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['en', 'The quiz is on Friday, not Thursday, at 8pm.', '2027-01-15 20:00'],
  ['de', 'Das Quiz ist am Freitag, 5. März, und nicht am Samstag; Beginn 20 Uhr.', '2027-03-05 20:00'],
  ['fr', 'Le loto est vendredi et non jeudi, à 20 h.', '2027-01-15 20:00'],
  [
    'en',
    'Sorry! It’s the 28th, not the 21st.\n\n> Winter walk, Sunday 21 February, 10.15am',
    '2027-02-28 10:15',
  ],
  [
    'de',
    'Das Quartett ist krank. Neuer Termin ist der 19.2., die Uhrzeit bleibt.\n\n> Am 5. Januar schrieb Ute:\n> Freitag, 29.1., 20:30 Uhr, Stadthalle: Quartett Morgenrot',
    '2027-02-19 20:30',
  ],
  [
    'en',
    'The band has the flu. The new date is 19 February, same time.\n\nOn Mon 11 Jan Jo Bell wrote:\n> Friday 29 January, 8.30pm, Village Hall: jazz night',
    '2027-02-19 20:30',
  ],
  [
    'fr',
    'Le trio est malade. La nouvelle date est le 19 février, même heure.\n\n> Vendredi 29 janvier, 20h30, salle des fêtes : concert du trio',
    '2027-02-19 20:30',
  ],
  [
    'de',
    'Wir beginnen erst um 19 Uhr.\n\nAm 13.01.2027 um 17:42 schrieb Anna:\n> Infoabend am Montag, 1. März, 20 Uhr',
    '2027-03-01 19:00',
  ],
  [
    'en',
    'Sorry, the talk is 7pm to 9pm, not 8pm. Jo\n\nOn 12 Jan 2027, Jo wrote:\n> Talk on bees, Thursday 4 March, 8pm to 10pm',
    '2027-03-04 19:00 → 2027-03-04 21:00',
  ],
  [
    'de',
    'Fast richtig: wir fangen erst um 18 Uhr an.\n\nAm 12.01.2027 um 08:15 schrieb Renate:\n> Konzert am Sonntag, 14. März, 17 Uhr',
    '2027-03-14 18:00',
  ],
  // Of two times nobody knows which one it is.
  [
    'fr',
    'Le bal est à 21h et non à 20h30, initiation vers 20h.\n\nLe 13 janv. 2027, Yann a écrit :\n> Bal folk le samedi 30 janvier à 20h30',
    '2027-01-30',
  ],
  [
    'en',
    'Can you publish this by 5pm? Thanks\n\nOn 12 Jan 2027, Jo wrote:\n> Talk on bees, Thursday 4 March, 8pm',
    '2027-03-04 20:00',
  ],
  [
    'es',
    'Fe de erratas: en el cartel pone viernes 5 de marzo, pero el concierto es el sábado 6 de marzo a las 20:00',
    '2027-03-06 20:00',
  ],
  [
    'de',
    'Berichtigung: Im Plakat steht Freitag, 5. März, das Konzert ist aber am Samstag, 6. März, um 19 Uhr',
    '2027-03-06 19:00',
  ],
  [
    'es',
    'El concierto del viernes 5 de marzo se pasa al viernes 12 de marzo a las 20:00',
    '2027-03-12 20:00',
  ],
  ['en', 'The walk on Sunday 7 March is put back a week to Sunday 14 March, 10am', '2027-03-14 10:00'],
  [
    'en',
    '4 March talk postponed\n\nThe talk is moved from Thursday 4 March to Thursday 11 March. Same time (7.45pm).',
    '2027-03-11 19:45',
  ],
  [
    'en',
    'We must postpone the talk planned for 21 January at 7pm. New date: Thursday 18 February, 7pm.',
    '2027-02-18 19:00',
  ],
  [
    'es',
    'Hemos tenido que aplazar la charla del 21 de enero a las 19 h. Nueva fecha: jueves 18 de febrero a las 19 h.',
    '2027-02-18 19:00',
  ],
  [
    'fr',
    'Nous sommes contraints de reporter la causerie prévue ce jeudi 21 janvier à 19h. Elle se tiendra finalement le jeudi 18 février à 19h.',
    '2027-02-18 19:00',
  ],
  ['fr', 'La conférence aura lieu le jeudi 4 mars à 20h et non le vendredi 5 mars', '2027-03-04 20:00'],
  ['es', 'La charla es el jueves 4 de marzo a las 19 h y no el viernes 5 de marzo', '2027-03-04 19:00'],
  ['de', 'Der Vortrag ist am 4. März um 19 Uhr, nicht am 5. März', '2027-03-04 19:00'],
  ['fr', 'Rencontre avec la reporter Anna Roux le samedi 6 mars à 20h', '2027-03-06 20:00'],
  [
    'fr',
    'Soirée initialement prévue le 28 janvier, elle aura lieu le 11 février à 19h30',
    '2027-02-11 19:30',
  ],
]

/** What takes place several times: the start of each, with the end of the first one. */
const SERIES: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'en',
    'Puppet show: Thursdays through Saturdays, June 10–19, 8 p.m.',
    '06-10 20:00, 06-11 20:00, 06-12 20:00, 06-17 20:00, 06-18 20:00, 06-19 20:00',
  ],
  [
    'de',
    'Puppentheater: donnerstags bis samstags, 10. bis 19. Juni, 20 Uhr.',
    '06-10 20:00, 06-11 20:00, 06-12 20:00, 06-17 20:00, 06-18 20:00, 06-19 20:00',
  ],
  [
    'en',
    'Yoga, Mondays at 7pm, 24 May to 7 June. No class on Memorial Day (31 May).',
    '05-24 19:00, 06-07 19:00',
  ],
  [
    'de',
    'Italienisch: 4 Abende, dienstags, 19.00 Uhr, Beginn: 16. März. Am 23. und 30. März ist kein Kurs.',
    '03-16 19:00, 04-06 19:00, 04-13 19:00, 04-20 19:00',
  ],
  [
    'en',
    'Quiz every Tuesday at 8pm from 2 February to 23 February (none on 16 February)',
    '02-02 20:00, 02-09 20:00, 02-23 20:00',
  ],
  [
    'es',
    'Taller de yoga: martes, del 2 al 16 de febrero\nHorario: 9.30',
    '02-02 09:30, 02-09 09:30, 02-16 09:30',
  ],
  [
    'en',
    'Story time, Tuesdays in March, 10am',
    '03-02 10:00, 03-09 10:00, 03-16 10:00, 03-23 10:00, 03-30 10:00',
  ],
  [
    'en',
    'Tuesdays in March (2, 9 & 23), 10–10.30am: story time',
    '03-02 10:00–10:30, 03-09 10:00, 03-23 10:00',
  ],
  [
    'de',
    'Mittwochs im März, 19 Uhr: Andacht',
    '03-03 19:00, 03-10 19:00, 03-17 19:00, 03-24 19:00, 03-31 19:00',
  ],
  [
    'es',
    'Taller de cerámica los jueves de febrero a las 18 h',
    '02-04 18:00, 02-11 18:00, 02-18 18:00, 02-25 18:00',
  ],
  ['fr', 'Yoga, le mardi de 18h30 à 19h45, du 2 au 16 mars', '03-02 18:30–19:45, 03-09 18:30, 03-16 18:30'],
  [
    'fr',
    'Reliure, 3 séances, le mercredi de 18h à 20h\ndu 3 mars au 24 mars (pas de séance le 10 mars)',
    '03-03 18:00–20:00, 03-17 18:00, 03-24 18:00',
  ],
  [
    'us',
    'Storytime\nWednesdays, 10:30-11:15 a.m.\nFebruary 3 - February 24 (no storytime 2/17, school vacation)',
    '02-03 10:30–11:15, 02-10 10:30, 02-24 10:30',
  ],
  // A time right after a day is not that of the next one.
  [
    'de',
    'Der Film läuft am 5. März (18 Uhr), 7. und 9. März (jeweils 20 Uhr)',
    '03-05 18:00, 03-07 20:00, 03-09 20:00',
  ],
  [
    'en',
    'The play is on Fri 5 & Sat 6 March at 7.30pm, Mon 8, Tue 9 March at 5pm',
    '03-05 19:30, 03-06 19:30, 03-08 17:00, 03-09 17:00',
  ],
  // A matinee comes on top of the evening.
  [
    'en',
    'Panto: Thursday 4 to Saturday 6 March, evenings 7.30pm, Saturday matinee 2.30pm',
    '03-04 19:30, 03-05 19:30, 03-06 14:30, 03-06 19:30',
  ],
  // The opening of an exhibition is on one day.
  [
    'fr',
    'Exposition « Encres » du 5 au 28 mars, médiathèque. Vernissage vendredi 5 mars à 18h30. Fermé le lundi.',
    '03-05',
  ],
  // An exhibition is open on each day.
  ['es', 'Exposición del 5 al 28 de febrero\nDe lunes a viernes, de 17:00 a 20:00 h', '02-05'],
]

/** Days on which something is handed in, closed or over, and deadlines. */
const OTHER_DAYS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  // The reason for a day, when things are handed in, the latest day of something, and what was advertised
  [
    'es',
    'La fiesta será el sábado 6 de marzo a las 21 hs, porque el 20 de febrero nos coincide con el corso.',
    '2027-03-06 21:00',
  ],
  ['fr', 'Loto le 6 mars à 20h, car le 27 février la salle est prise.', '2027-03-06 20:00'],
  ['en', 'Quiz on 5 March at 8pm, car boot sale on 6 March at 9am.', '2027-03-05 20:00; 2027-03-06 09:00'],
  [
    'fr',
    'Bourse samedi 20 février, de 9 h à 13 h\nDépôt des articles le vendredi 19 de 16 h à 19 h',
    '2027-02-20 09:00 → 2027-02-20 13:00',
  ],
  ['fr', 'Dépôt-vente le vendredi 19 mars à 9h et le samedi 20 mars à 9h.', '2027-03-19 09:00 +1'],
  [
    'fr',
    'Le conseil se réunira le lundi 25 janvier à 19 heures.\nQuestions à déposer au plus tard le 22 janvier, 12h.',
    '2027-01-25 19:00',
  ],
  ['fr', 'Une semaine plus tard, le 22 janvier, concert à 20h.', '2027-01-22 20:00'],
  [
    'en',
    'The Spring Concert, advertised in the Mercury for Saturday 20 March, will now take place on 3 April, 7pm.',
    '2027-04-03 19:00',
  ],
  [
    'en',
    'Advertised in the Mercury: Spring Concert on Saturday 20 March and Saturday 3 April at 7pm.',
    '2027-03-20 19:00 +1',
  ],
  [
    'es',
    'FESTIVAL DE LA COMETA, 20, 21 y 22 de agosto\nViernes 20: 16:00 desfile\nDomingo 22: 11:00 final / 16:00 premiación y cierre',
    '2027-08-20 16:00 → 2027-08-22',
  ],
  [
    'es',
    'Oficina: apertura y cierre el 5 de marzo a las 10 h. Concierto el 6 de marzo a las 20 h.',
    '2027-03-06 20:00',
  ],
  [
    'de',
    'Lindenau, 14. Januar 2027. Die Stadt lädt zur Bürgerversammlung am Dienstag, 2. Februar 2027, um 19 Uhr ein.',
    '2027-02-02 19:00',
  ],
  [
    'es',
    'Valdeorca, 14 de enero de 2027.- Julián Otero presentará su novela el viernes 29 de enero a las 19.30 horas.',
    '2027-01-29 19:30',
  ],
  [
    'fr',
    'Valmont, le 15 janvier 2027 – La ville invite à une réunion publique le mardi 2 février 2027 à 19h.',
    '2027-02-02 19:00',
  ],
  [
    'de',
    'Zum Archivtag am 12. September kamen viele. Wir laden zu einem Erzählabend am 18. Februar in die Schule ein. Um 19 Uhr geht es los.',
    '2027-02-18 19:00',
  ],
  [
    'en',
    'Garage sale this Sat at ours. From 9am till 1. If it is raining we will do it Sunday same time instead.',
    '2027-01-16 09:00 → 2027-01-16 13:00',
  ],
  // Points within the hours of a market
  [
    'es',
    'Mercado de Pascua\nSábado 27 y domingo 28 de marzo\nDe 11 a 20 h\n\nEl sábado a las 18 h, taller para niños.',
    '2027-03-27 11:00 → 2027-03-27 20:00 +1',
  ],
  [
    'de',
    'Ostermarkt\nSamstag, 27. und Sonntag, 28. März\n11 bis 20 Uhr\n\nAm Samstag um 18 Uhr Basteln für Kinder.',
    '2027-03-27 11:00 → 2027-03-27 20:00 +1',
  ],
  [
    'fr',
    'Du 4 au 6 juin, festival des Notes. Trois jours de chanson.\n\nVendredi, dès 19h30 : Lise\nSamedi, dès 15h : spectacles\nDimanche à 11h : concert',
    '2027-06-04 19:30 → 2027-06-06',
  ],
  [
    'de',
    'Annahme der Ware: Fr 5.3. und Sa 6.3., 15–19 Uhr. Basar: Sonntag, 7.3., 10–14 Uhr',
    '2027-03-07 10:00 → 2027-03-07 14:00',
  ],
  [
    'fr',
    'Réception des articles : vendredi 5 mars, 17h-19h\nVente : samedi 6 mars, 9h-12h\nRestitution : samedi 6 mars, 16h',
    '2027-03-06 09:00 → 2027-03-06 12:00',
  ],
  [
    'en',
    'Drop-off: Friday 5 March, 5–7pm\nSale: Saturday 6 March, 9am–noon',
    '2027-03-06 09:00 → 2027-03-06 12:00',
  ],
  [
    'de',
    'Kinderkleiderbasar, Samstag, 6. März. Annahme 8–9 Uhr, Verkauf 9–14 Uhr, Auszahlung 16–16.30 Uhr',
    '2027-03-06 09:00 → 2027-03-06 14:00',
  ],
  [
    'de',
    'Basar am 6. März: 8–9 Uhr Annahme, 9–14 Uhr Verkauf, 16 Uhr Auszahlung',
    '2027-03-06 09:00 → 2027-03-06 14:00',
  ],
  [
    'de',
    'Kleiderbörse Fr 5. März: Annahme 16–18 Uhr; Sa 6. März: Verkauf 9–12 Uhr',
    '2027-03-06 09:00 → 2027-03-06 12:00',
  ],
  [
    'en',
    'Bike jumble, Saturday 6 March\nDrop off: 8-9.30am\nSale: 10am-1pm\nCollection of unsold bikes: 1.30-2pm',
    '2027-03-06 10:00 → 2027-03-06 13:00',
  ],
  [
    'fr',
    'Bourse aux vêtements samedi 6 mars : dépôt 8h-9h, vente 9h-14h, reprise 16h-16h30',
    '2027-03-06 09:00 → 2027-03-06 14:00',
  ],
  [
    'es',
    'Mercadillo, sábado 6 de marzo. Entrega de 8 a 9 h, venta de 10 a 14 h, recogida de lo no vendido de 16 a 17 h.',
    '2027-03-06 10:00 → 2027-03-06 14:00',
  ],
  // What is handed in is all that takes place.
  ['de', 'Schadstoffsammlung am 6. März, Annahme 8–12 Uhr', '2027-03-06 08:00 → 2027-03-06 12:00'],
  ['es', 'Entrega de premios el sábado 6 de marzo a las 18 h', '2027-03-06 18:00'],
  ['de', 'Blumenmarkt am 6. März im Depot um 14 Uhr, Musik ab 20 Uhr', '2027-03-06 14:00'],
  ['en', 'Opening reception: Friday 5 March, 6pm', '2027-03-05 18:00'],
  ['en', 'Story time, Friday 5 March, 10am\nRegistration opens February 19 at 9 a.m.', '2027-03-05 10:00'],
  ['en', 'Registration is open for our sewing course on Saturday 6 March at 7pm', '2027-03-06 19:00'],
  ['en', 'A walk through the woods on Saturday 6 March at 2pm', '2027-03-06 14:00'],
  ['en', 'Lunch prices remain $3.10 through June 4', ''],
  ['en', 'Film night Fri 5 Mar, 7pm\n15–19 Mar HALF TERM', '2027-03-05 19:00'],
  ['es', '- 12 de febrero: Kermés, 11:00 h\n- 19 de febrero: fecha límite para el pago', '2027-02-12 11:00'],
  [
    'es',
    'El libro se presentó el pasado 4 de diciembre. Charla el 5 de marzo a las 19 h',
    '2027-03-05 19:00',
  ],
  [
    'fr',
    'MERCI !\n\nLe comité tient à remercier les bénévoles du Téléthon des 4 et 5 décembre, qui a rapporté 412 €.',
    '',
  ],
  ['de', 'Am 6. März bleibt die Bücherei wegen Inventur zu.', ''],
  [
    'de',
    'Lesung am Freitag, 5. März, 19 Uhr.\n\nAm Montag, 8. März, ab 14 Uhr haben wir zu.',
    '2027-03-05 19:00',
  ],
  ['de', 'Wir singen ab und zu, diesmal am Freitag, 5. März, um 19 Uhr', '2027-03-05 19:00'],
  ['de', 'Badezeiten in den Winterferien (1. bis 5. Februar):\nAm 30. Januar bleibt das Bad zu.', ''],
  ['de', 'Bücherflohmarkt, 5.–7. März: Fr 15–19 Uhr, Sa 10–18 Uhr, So 10–16 Uhr', '2027-03-05 → 2027-03-07'],
  [
    'es',
    'PISCINA MUNICIPAL\nTemporada: 15 de diciembre al 7 de marzo\nMartes a viernes 12 a 20 h. Sábados 10 a 21 h. Lunes cerrado.\nMayores $ 180.',
    '',
  ],
  ['es', 'Teatro. Temporada del 5 al 7 de marzo, 20:00 h\nBoletos: $200', '2027-03-05 20:00'],
  [
    'de',
    'Konzert am Samstag, 6. März, 19:30 Uhr. Geprobt wird seit Oktober jeden Dienstag ab 20 Uhr.',
    '2027-03-06 19:30',
  ],
  ['de', 'Seit 2019 jeden Dienstag um 20 Uhr: Tanzkreis', '2027-01-19 20:00'],
  // A cinema without a film on one of its days
  [
    'es',
    'Cineclub, 20.30 h\nmié 3 feb La casa\nmié 10 feb sin sesión\nmié 17 feb Nieve',
    '2027-02-03 20:30; 2027-02-17 20:30',
  ],
  // Films, each with its days
  ['fr', 'La rivière\nmer 20 janvier : 20h30 – sam 23 janvier : 18h', '2027-01-20 20:30 +1'],
]

/** Days and times that are only for those who help, sing or travel, and those on which a house is closed. */
const OF_FEW: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'en',
    'Spring concert, Saturday 20 March, 7.30pm. A note for singers: rehearsals restart Thurs 21 Jan at 7.30pm.',
    '2027-03-20 19:30',
  ],
  ['de', 'Konzert am 20. März um 19 Uhr. Generalprobe am 19. März um 18 Uhr.', '2027-03-20 19:00'],
  ['de', 'Chorprobe am Donnerstag, 21. Januar, 19.30 Uhr, Pfarrheim', '2027-01-21 19:30'],
  [
    'en',
    'Chili Cook-Off, Saturday 6 Feb, 4:30–7:00 pm. Proceeds go to the trip to Lake Osweko (20–22 May).',
    '2027-02-06 16:30 → 2027-02-06 19:00',
  ],
  ['de', 'Zeltlager (1. bis 15. Juli) in Lindach. Anmeldung bis 1. Juni.', '2027-07-01 → 2027-07-15'],
  [
    'de',
    'Dorffest am 11. Juni um 18 Uhr. Aufbauhelfer treffen sich bereits am Mittwoch, 9. Juni, ab 16 Uhr.',
    '2027-06-11 18:00',
  ],
  ['de', 'Helferfest am 6. Februar um 18 Uhr im Pfarrheim', '2027-02-06 18:00'],
  [
    'de',
    'Führung am 14. Februar um 11 Uhr. Das Museum ist sonntags geöffnet, am 21. Februar ausnahmsweise ab 10 Uhr.',
    '2027-02-14 11:00',
  ],
  [
    'de',
    'Tag der offenen Tür am 23. Jänner von 9 bis 12 Uhr\nAnmeldung für das Schuljahr 2027/28: 15. bis 26. Februar, 8–12 Uhr',
    '2027-01-23 09:00 → 2027-01-23 12:00',
  ],
  [
    'es',
    'Taller el viernes 26 de febrero a las 17.30 h. El sábado 27 cerramos por obras.',
    '2027-02-26 17:30',
  ],
  [
    'fr',
    'Suite à la fuite constatée ce matin, le bal est reporté. Il aura lieu le dimanche 14 mars à 15h.',
    '2027-03-14 15:00',
  ],
  [
    'de',
    'Heute Morgen Markt von 8 bis 12 Uhr. Konzert am 5. Februar um 20 Uhr.',
    '2027-01-14 08:00 → 2027-01-14 12:00; 2027-02-05 20:00',
  ],
  [
    'es',
    'El concierto empieza a las 20:00 y no a las 19:30.\n\n---- Mensaje original, 13/01/2027 ----\nCONCIERTO\nSábado 30 de enero, 19:30 h',
    '2027-01-30 20:00',
  ],
  ['en', 'Ride, Sun 21 Feb. Signing on from 8.15, first group away at 9am.', '2027-02-21 09:00'],
  [
    'en',
    'Street sale, Saturday 24 April, 9 till noon. Folks start showing up at 7:30.',
    '2027-04-24 09:00 → 2027-04-24 12:00',
  ],
  [
    'fr',
    'Atelier pendant la pause de midi du lundi 8 mars, de 12h30 à 13h30',
    '2027-03-08 12:30 → 2027-03-08 13:30',
  ],
  ['fr', 'Slam le jeudi 4 février à 19h45, à la Bobine : le bar est fermé ce soir-là.', '2027-02-04 19:45'],
]

/** Courses in plain sentences: the start and the number of further dates. */
const COURSES: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  // Of so many evenings, without those of a bracket
  [
    'de',
    'Nähkurs, 4 Abende, dienstags 18–19 Uhr, ab 16. März. In den Osterferien (30.3. und 6.4.) ist kein Kurs.',
    '2027-03-16 18:00 → 2027-03-16 19:00 +3',
  ],
  ['de', 'Nähkurs, 9 x donnerstags, 18 Uhr, Beginn: 18. Februar.', '2027-02-18 18:00 +8'],
  [
    'en',
    'Yoga course, 6 Tuesdays, 7pm, starting 2 March. No class in the Easter holidays (30 March and 6 April).',
    '2027-03-02 19:00 +5',
  ],
  [
    'fr',
    'Cours de yoga, 8 séances, le mardi à 18h, à partir du 2 février. Pas de cours pendant les vacances (16 et 23 février).',
    '2027-02-02 18:00 +7',
  ],
  // What takes place then, and holidays of which nobody knows the days
  ['en', 'Easter holiday workshops (30 March and 6 April), 10am, no booking needed.', '2027-03-30 10:00 +1'],
  ['de', 'Yogakurs, 8 Abende, dienstags 18 Uhr, ab 2. März, nicht in den Osterferien.', '2027-03-02 18:00'],
  ['fr', 'Cours de danse tous les mardis à 19h.', '2027-01-19 19:00'],
  ['fr', 'Cours de danse tous les mardis à 19h, du 19 janvier au 9 mars.', '2027-01-19 19:00 +7'],
  ['en', 'Dance lesson every Tuesday at 7pm from 19 January to 9 March.', '2027-01-19 19:00 +7'],
  ['es', 'Clase de baile los martes a las 19 h del 19 de enero al 9 de marzo.', '2027-01-19 19:00 +7'],
  ['us', 'Chess Tuesdays 7 pm, Jan 19 – Mar 9', '2027-01-19 19:00 +7'],
  ['us', 'Chess Tuesdays 7 pm, Jan 19 – Mar 9 (skipping Feb 16)', '2027-01-19 19:00 +6'],
  ['us', 'Art show, Mar 9 to Apr 10.', '2027-03-09 → 2027-04-10'],
  [
    'de',
    'Yoga dienstags um 19 Uhr vom 19. Januar bis 9. März – kein Kurs am 16. Februar',
    '2027-01-19 19:00 +6',
  ],
  ['en', 'Pottery, Tuesdays and Thursdays in February, 6–8pm', '2027-02-02 18:00 → 2027-02-02 20:00 +7'],
  ['es', 'Taller de barro, martes y jueves de febrero a las 18 h', '2027-02-02 18:00 +7'],
  ['fr', 'Poterie les mardis et jeudis de février à 18h', '2027-02-02 18:00 +7'],
  ['de', 'Töpfern dienstags und donnerstags im Februar, 18 Uhr', '2027-02-02 18:00 +7'],
  ['es', 'Taller los martes y los jueves de febrero a las 18 h', '2027-02-02 18:00 +7'],
  // As many as are said, without those that are left out
  [
    'fr',
    'Cours de poterie : 8 mardis à partir du 19 janvier, sauf le 9 février, à 19h',
    '2027-01-19 19:00 +7',
  ],
  ['en', 'Pottery course, eight Tuesdays from 19 January at 7pm (not 9 February)', '2027-01-19 19:00 +7'],
  ['es', 'Pintura, cinco sábados desde el 6 de marzo a las 10 h', '2027-03-06 10:00 +4'],
  ['de', 'Malen, fünf Samstage ab 6. März, 10 Uhr', '2027-03-06 10:00 +4'],
  ['de', 'Töpferkurs, 12 Abende ab 24. Februar (nicht am 24. und 31. März), 19 Uhr', '2027-02-24 19:00 +11'],
  ['en', 'Yoga at 7 Tuesdays from 19 January', '2027-01-19 19:00'],
  ['en', '8 Mondays Street, concert on 20 February at 7pm', '2027-02-20 19:00'],
  // One weekend, of which nobody says the dates
  ['en', 'Market, first Saturday and Sunday of March, 9am', ''],
  ['de', 'Jazz am letzten Freitag und Samstag im Februar um 20 Uhr', ''],
  ['fr', 'Brocante le premier samedi et dimanche de mars à 9h', ''],
  ['es', 'Fiesta el primer sábado y domingo de marzo a las 12 h', ''],
  ['de', 'Fest am Samstag und Sonntag im März um 10 Uhr', ''],
]

/** What is called off on one day and takes place on another: the start, and whether it is called off. */
const RESCHEDULED: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'es',
    'El recital «Luces», anunciado para el domingo 24 de enero a las 12:30, NO se celebra.',
    '2027-01-24 12:30 canceled',
  ],
  [
    'en',
    'The committee meeting called for Tuesday 19 January at 6.30 pm has been postponed. It will meet instead on TUESDAY 2nd FEBRUARY 2027 at 7.00 pm.',
    '2027-02-02 19:00',
  ],
  [
    'fr',
    'Le spectacle prévu le mercredi 20 janvier à 15h est reporté au mercredi 10 mars, même heure.',
    '2027-03-10 15:00',
  ],
  [
    'de',
    'Der Kurs am 20. Januar um 19 Uhr muss ausfallen und wird am 27. Januar nachgeholt.',
    '2027-01-27 19:00',
  ],
  [
    'de',
    'Der Kurs am 20. und 27. Januar muss ausfallen und wird am 3. Februar um 19 Uhr nachgeholt.',
    '2027-02-03 19:00',
  ],
  ['en', 'The class on 20 January is cancelled and is made up for on 27 January at 7pm.', '2027-01-27 19:00'],
  [
    'en',
    'The talk on 20 January has to be cancelled and will now be held on 27 January at 7pm.',
    '2027-01-27 19:00',
  ],
  ['en', 'The concert on 6 March is cancelled. New date: 10 March at 8pm.', '2027-03-10 20:00'],
  ['fr', 'Le cours du 20 janvier est annulé et reporté au 27 janvier à 19h.', '2027-01-27 19:00'],
  ['fr', 'Annulé ! Concert du 6 mars. Nouvelle date : samedi 13 mars à 20h.', '2027-03-13 20:00'],
  ['es', 'La clase del 20 de enero se suspende y se recupera el 27 de enero a las 19 h.', '2027-01-27 19:00'],
  [
    'de',
    'Der Ausflug am 6. März fällt leider aus, die Sitzung am 10. März um 20 Uhr findet aber statt.',
    '2027-03-10 20:00',
  ],
  [
    'en',
    'The walk on Saturday 6 March is cancelled. The talk at 8pm on 10 March goes ahead.',
    '2027-03-10 20:00',
  ],
  ['de', 'Der Kurs am 20. Januar um 19 Uhr fällt aus und wird nachgeholt.', '2027-01-20 19:00 canceled'],
  [
    'en',
    'The class on 20 January at 7pm is cancelled. The next class is on 27 January.',
    '2027-01-20 19:00 canceled',
  ],
  [
    'de',
    'Der 6. März ist ausverkauft, die Vorstellung am 10. März um 20 Uhr ist abgesagt.',
    '2027-03-10 20:00 canceled',
  ],
  ['de', 'Die Konzerte am 6. und 10. März um 20 Uhr sind abgesagt.', '2027-03-06 20:00 canceled'],
]

/**
 * Weekdays and feasts that a run or a series leaves out: without the date of a feast, only its first day is
 * given.
 */
const WITHOUT: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['fr', 'Spectacle du 5 au 14 mars, tous les jours sauf le lundi, à 20h30', '2027-03-05 20:30 +8'],
  ['de', 'Theater vom 5. bis 14. März, täglich außer montags, 20 Uhr', '2027-03-05 20:00 +8'],
  ['de', 'Krippenspiel vom 5. bis 14. März, täglich außer Sonntag und Montag, 17 Uhr', '2027-03-05 17:00 +6'],
  ['en', 'Panto from 5 to 14 March, nightly at 7.30pm (not Mondays)', '2027-03-05 19:30 +8'],
  ['en', 'Circus 5 to 14 March daily at 3pm, no show on Mondays', '2027-03-05 15:00 +8'],
  ['es', 'Teatro del 5 al 14 de marzo, todos los días menos los lunes, a las 20 h', '2027-03-05 20:00 +8'],
  [
    'fr',
    'Exposition du 5 au 28 février, tous les jours sauf le lundi, de 14h à 18h',
    '2027-02-05 → 2027-02-28',
  ],
  ['en', 'Play 5 to 14 March daily at 7.30pm', '2027-03-05 19:30 +9'],
  ['fr', 'Atelier tous les jours du 1er au 7 mars à 14h, pas d’inscription le lundi', '2027-03-01 14:00'],
  ['en', 'Quiz every Friday from 5 March to 9 April at 8pm, not on Good Friday', '2027-03-05 20:00'],
  [
    'de',
    'Chorprobe jeden Montag vom 1. März bis 26. April um 19 Uhr, nicht am Ostermontag',
    '2027-03-01 19:00',
  ],
  ['de', 'Yoga donnerstags vom 4. März bis 29. April, 18 Uhr (nicht in den Ferien)', '2027-03-04 18:00'],
  ['fr', 'Cours tous les jeudis du 4 mars au 20 mai à 18h, sauf le jeudi de l’Ascension', '2027-03-04 18:00'],
  ['es', 'Baile los jueves del 4 de marzo al 29 de abril a las 18 h, excepto festivos', '2027-03-04 18:00'],
  [
    'de',
    'Chorprobe jeden Montag vom 1. März bis 26. April um 19 Uhr, auch am Ostermontag',
    '2027-03-01 19:00 +8',
  ],
  ['en', 'Dance class Tuesdays 2 to 30 March at 7pm, no partner needed', '2027-03-02 19:00 +4'],
  [
    'de',
    '- Yoga dienstags vom 2. bis 30. März um 19 Uhr, nicht in den Ferien\n- Pilates mittwochs vom 3. bis 31. März um 18 Uhr',
    '2027-03-02 19:00; 2027-03-03 18:00 +4',
  ],
]

/** What recurs in some months alone: the start and the number of further dates. */
const SEASONS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'de',
    'Wochenmarkt von Mai bis September jeden Samstag 8–12 Uhr',
    '2027-05-01 08:00 → 2027-05-01 12:00 +21',
  ],
  [
    'en',
    "Farmers' market every Saturday from May to September, 8am–noon",
    '2027-05-01 08:00 → 2027-05-01 12:00 +21',
  ],
  ['fr', 'Marché tous les samedis de mai à septembre, 8h-12h', '2027-05-01 08:00 → 2027-05-01 12:00 +21'],
  ['fr', 'Visite guidée d’avril à octobre, le premier dimanche, à 15h', '2027-04-04 15:00 +6'],
  ['fr', 'Marché le samedi de 8h à 12h, de mai à septembre', '2027-05-01 08:00 → 2027-05-01 12:00 +21'],
  [
    'es',
    'Mercado de junio a septiembre, los viernes, de 9 a 14 h',
    '2027-06-04 09:00 → 2027-06-04 14:00 +16',
  ],
  ['en', 'Open garden every Sunday in May and June, 2pm', '2027-05-02 14:00 +8'],
  ['de', 'Stadtführung Mai bis Oktober, jeden ersten Sonntag im Monat, 14 Uhr', '2027-05-02 14:00 +5'],
  ['us', 'Concerts on the green, Wednesdays June-August at 7 p.m.', '2027-06-02 19:00 +12'],
  ['de', 'Fastenandacht im März, jeden Dienstag, 19 Uhr', '2027-03-02 19:00 +4'],
  ['en', 'Yoga every Monday at 6pm from March', '2027-03-01 18:00'],
  // It is going on.
  ['de', 'Lesekreis von Oktober bis März jeden Mittwoch um 19 Uhr', '2027-01-20 19:00 +10'],
  [
    'de',
    'Markt von März bis November jeden Samstag 8–12 Uhr, nicht im August',
    '2027-03-06 08:00 → 2027-03-06 12:00 +34',
  ],
  // When these begin is not said.
  ['en', 'Market every Saturday from mid-May to September, 9am', ''],
  ['de', 'Alle 14 Tage samstags von Mai bis September, 10 Uhr: Lauftreff', ''],
  ['de', 'Jeden zweiten Samstag von Mai bis September, 10 Uhr: Lauftreff', ''],
  // Months of something else
  ['de', 'Chorprobe jeden Dienstag um 20 Uhr. Im Mai singen wir in Rom.', '2027-01-19 20:00'],
  ['fr', 'Vernissage vendredi à 18h. Exposition de mai à septembre.', '2027-01-15 18:00'],
  ['en', 'Choir practice every Thursday until May, 7.30pm', '2027-01-14 19:30'],
  ['fr', 'Ouvert tous les samedis de mai à septembre de 10h à 18h.', ''],
  [
    'de',
    'Konzert am 1. Mai um 19 Uhr. Von Juni bis August jeden Freitag um 20 Uhr Serenade.',
    '2027-05-01 19:00',
  ],
]

/** What a programme says of its beginning, its end, and of something else. */
const POINTS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  // From when on there is none of something
  [
    'de',
    'Repair-Café am 6. Februar von 14 bis 17 Uhr. Ab 16 Uhr nehmen wir keine Sachen mehr an.',
    '2027-02-06 14:00 → 2027-02-06 17:00',
  ],
  [
    'en',
    'Every first Saturday of the month, 2pm to 5pm, next on 6 February. No items after 4pm.',
    '2027-02-06 14:00 → 2027-02-06 17:00',
  ],
  [
    'fr',
    'Le premier samedi du mois de 14h à 17h, prochain rendez-vous le 6 février. À partir de 16h nous ne prenons plus rien.',
    '2027-02-06 14:00 → 2027-02-06 17:00',
  ],
  [
    'es',
    'Taller el primer sábado de mes de 17 a 20 h, el próximo el 6 de febrero. A partir de las 19 h ya no aceptamos objetos.',
    '2027-02-06 17:00 → 2027-02-06 20:00',
  ],
  ['en', 'Gig on Saturday 23 January. From 9pm, no cover charge.', '2027-01-23 21:00'],
  // The hour at which something begins
  ['en', 'Quiz on Monday 25 January. Come from 6.30pm, the quiz kicks off at 7pm sharp.', '2027-01-25 19:00'],
  [
    'en',
    'Burns Night, Monday 25 January. Come from 6.30 for a dram, we pipe in the haggis at 7 sharp.',
    '2027-01-25 19:00',
  ],
  ['en', 'Jam on 24 January. Band on at 7pm. Amps off at 10.30pm sharp.', '2027-01-24 19:00'],
  ['de', "Konzert am 6. März. Kommt ab 18.30 Uhr auf ein Glas, los geht's Punkt 19 Uhr.", '2027-03-06 19:00'],
  ['fr', 'Concert le 6 mars. Venez dès 18h30 boire un verre, le concert à 19h pile.', '2027-03-06 19:00'],
  [
    'es',
    'Concierto el 6 de marzo. Venid desde las 18:30, el concierto a las 19 en punto.',
    '2027-03-06 19:00',
  ],
  // A line that says the end
  [
    'de',
    'Ball, Samstag, 13. März\n18.30 Uhr Einlass\n20.00 Uhr Beginn\n1.00 Uhr Ende',
    '2027-03-13 20:00 → 2027-03-14 01:00',
  ],
  [
    'en',
    'Ball on Saturday 13 March\n6.30pm Doors\n8pm Start\n1am Finish',
    '2027-03-13 20:00 → 2027-03-14 01:00',
  ],
  [
    'fr',
    'Bal samedi 13 mars\n18h30 ouverture des portes\n20h début du bal\n1h fin',
    '2027-03-13 20:00 → 2027-03-14 01:00',
  ],
  [
    'es',
    'Baile, sábado 13 de marzo\n18:30 apertura de puertas\n20:00 comienzo\n01:00 fin',
    '2027-03-13 20:00 → 2027-03-14 01:00',
  ],
  // Points below the weekdays of a feast, but not hours
  [
    'de',
    'FEST\nam Samstag, 8. und Sonntag, 9. Mai\n\nSamstag: 17 Uhr Bieranstich\nSonntag: 9.30 Uhr Feldmesse, 14 Uhr Spiele. Festende um 17 Uhr.',
    '2027-05-08 17:00 → 2027-05-09 17:00',
  ],
  [
    'fr',
    'FÊTE\nsamedi 8 et dimanche 9 mai\n\nSamedi : 17h jeux, 20h bal\nDimanche : 9h30 messe, 14h jeux. Fin à 17h.',
    '2027-05-08 17:00 → 2027-05-09 17:00',
  ],
  [
    'es',
    'FIESTA\nsábado 8 y domingo 9 de mayo\n\nSábado: 17 h pregón, 20 h baile\nDomingo: 9:30 h misa. Fin a las 17 h.',
    '2027-05-08 17:00 → 2027-05-09 17:00',
  ],
  [
    'de',
    'Flohmarkt 8. und 9. Mai\nSamstag: 10–17 Uhr\nSonntag: 11–16 Uhr',
    '2027-05-08 10:00 → 2027-05-08 17:00 +1',
  ],
  // The first and the last hour of a stay
  [
    'es',
    'Retiro del viernes 12 al domingo 14 de marzo. Empezamos el viernes a las 18:00 y terminamos el domingo a las 16:00.',
    '2027-03-12 18:00 → 2027-03-14 16:00',
  ],
  [
    'en',
    'Retreat, Friday 12 to Sunday 14 March. We start on Friday at 6pm and finish on Sunday at 4pm.',
    '2027-03-12 18:00 → 2027-03-14 16:00',
  ],
  [
    'de',
    'Seminar vom 12. bis 14. März. Wir beginnen am Freitag um 18 Uhr und enden am Sonntag um 16 Uhr.',
    '2027-03-12 18:00 → 2027-03-14 16:00',
  ],
  [
    'fr',
    'Stage du vendredi 12 au dimanche 14 mars. On commence le vendredi à 18h et on termine le dimanche à 16h.',
    '2027-03-12 18:00 → 2027-03-14 16:00',
  ],
  // Hours of an office, below lines with the days
  [
    'fr',
    'Jeudi 4, vendredi 5 et samedi 6 février à 20 h 30\nDimanche 7 février à 16 h\n\nRéservations (du mardi au vendredi, 14 h – 18 h)',
    '2027-02-04 20:30 +3',
  ],
  [
    'es',
    'Jueves 4 y viernes 5 de febrero a las 20:30\nDomingo 7 de febrero a las 18 h\n\nReservas (de martes a viernes, 17 a 19 h)',
    '2027-02-04 20:30 +2',
  ],
  // Brackets between a course and its hours
  [
    'es',
    'Días: martes, del 2 al 23 de febrero (el 9 de febrero, martes de Carnaval, no hay clase)\nHorario: 17:00 - 19:00',
    '2027-02-02 17:00 → 2027-02-02 19:00 +2',
  ],
  [
    'de',
    'Dienstags, 2. bis 23. Februar (nicht am 9. Februar)\nUhrzeit: 17–19 Uhr',
    '2027-02-02 17:00 → 2027-02-02 19:00 +2',
  ],
  // How often a course takes place
  [
    'de',
    'Beginn Di., 26.01.2027, 19:00 – 21:15 Uhr\nAnzahl Termine 1',
    '2027-01-26 19:00 → 2027-01-26 21:15',
  ],
  [
    'de',
    'Kurs, Beginn Di., 26.01.2027, 19:00 – 21:15 Uhr\nTermine: 6',
    '2027-01-26 19:00 → 2027-01-26 21:15 +5',
  ],
  ['en', 'Course starts Tue 26 January, 7pm – 9pm\nSessions: 6', '2027-01-26 19:00 → 2027-01-26 21:00 +5'],
]

/** Lists with their month or their hour in a heading, and what makes one event of lines. */
const LISTS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  // Two events in a sentence, of which one has a name alone
  [
    'es',
    'Arrancamos marzo: el viernes 5, a las 7:30 de la noche, joropo con el Trío Limón, y el domingo 7, a las 11 a. m., los títeres de «La rana».',
    '2027-03-05 19:30; 2027-03-07 11:00',
  ],
  [
    'de',
    'Im Saal: am Freitag, 5. März, 20 Uhr, die Lerchen, und am Sonntag, 7. März, 11 Uhr, Lesung mit Eva Blau',
    '2027-03-05 20:00; 2027-03-07 11:00',
  ],
  ['en', 'Jane Eyre, Fri 5 Feb 7.30pm in the hall, Sat 6 Feb 2.30pm matinee.', '2027-02-05 19:30 +1'],
  [
    'es',
    'MÚSICA / FEBRERO\n\nJUE 4 - 21H\nNADIA LIRIO. Entrada libre\n\nVIE 12 - 22H\nLOS IMPUNTUALES. 5 €',
    '2027-02-04 21:00; 2027-02-12 22:00',
  ],
  [
    'de',
    'KONZERTE IM FEBRUAR\n\nDO 4 - 21 UHR\nNadia Lirio. Eintritt frei\n\nFR 12 - 22 UHR\nLos Impuntuales. 5 €',
    '2027-02-04 21:00; 2027-02-12 22:00',
  ],
  [
    'fr',
    'CONCERTS / FÉVRIER\n\nJEU 4 - 21H\nNadia Lirio. Entrée libre\n\nVEN 12 - 22H\nLes Ponctuels. 5 €',
    '2027-02-04 21:00; 2027-02-12 22:00',
  ],
  [
    'en',
    'GIGS IN FEBRUARY\n\nTHU 4 - 9PM\nNadia Lirio. Free\n\nFRI 12 - 10PM\nThe Lates. £5',
    '2027-02-04 21:00; 2027-02-12 22:00',
  ],
  ['de', 'Ab Februar neue Öffnungszeiten:\nMontag 15 – 18 Uhr\nMittwoch 9 – 12 und 15 – 19 Uhr', ''],
  [
    'en',
    'Meetings are held at 7.45 pm unless stated otherwise. Coffee from 7.15 pm.\n\nWed 20 January\nTalk: The Lost Mills\n\nWed 17 March\nTalk: Rationing',
    '2027-01-20 19:45; 2027-03-17 19:45',
  ],
  [
    'es',
    'Las charlas son a las 20 h, salvo indicación contraria. Café desde las 19:30.\n\nMiércoles 20 de enero\nCharla: Los molinos\n\nMiércoles 17 de marzo\nCharla: El queso',
    '2027-01-20 20:00; 2027-03-17 20:00',
  ],
  [
    'de',
    'Alle Vorträge um 19 Uhr.\n\nDi, 9. Februar: „Gletscher“\nMi (Achtung!), 24. März: „Maschinen“\nDo, 15. April: „Käfer“',
    '2027-02-09 19:00; 2027-03-24 19:00; 2027-04-15 19:00',
  ],
  [
    'fr',
    'THÉÂTRE – samedi 6 février, 20h30\n« Les Voisins »\n\nEXPOSITION – du 12 février au 6 mars\n« Gens de rivière », photographies\nHall – vernissage vendredi 12 février à 18h30\n\nMUSIQUE – dimanche 28 février, 16h\nConcert',
    '2027-02-06 20:30; 2027-02-12 → 2027-03-06; 2027-02-28 16:00',
  ],
  [
    'fr',
    'LES GIVRÉES\n5 · 6 · 7 février\n\nVendredi 20h30 : ouverture\nSamedi 15h : contes\nDimanche 16h30 : soupe',
    '2027-02-05 20:30 → 2027-02-07',
  ],
  [
    'de',
    'Theater\n5., 6. und 7. Februar\nFreitag: 20 Uhr\nSamstag: 20 Uhr\nSonntag: 17 Uhr',
    '2027-02-05 20:00 +2',
  ],
  [
    'en',
    'WEEKEND AHEAD\n\nFRI 15 – The Low Tides, live music, 9pm\nSAT 16 – DJ Marko, 10pm\nSUN 17 – Trad session, 6pm',
    '2027-01-15 21:00; 2027-01-16 22:00; 2027-01-17 18:00',
  ],
  [
    'es',
    'Por el corte de la carretera, la peregrinación en autobús, que íbamos a hacer el sábado 6 de febrero, queda aplazada hasta nuevo aviso.',
    '2027-02-06',
  ],
]

/** Halves of the day and ends of spans that other words and numbers tell. */
const HALVES: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['fr', 'Dans quinze jours, à 20 heures, concert à la chapelle.', '2027-01-28 20:00'],
  ['de', 'In zwei Wochen um 19 Uhr Konzert.', '2027-01-28 19:00'],
  ['es', 'Concierto dentro de una semana, a las 18 h.', '2027-01-21 18:00'],
  ['en', 'In two weeks you will learn to dance. Course on 5 March at 8pm.', '2027-03-05 20:00'],
  ['de', 'Film „In zwei Wochen um acht“, Samstag, 6. März, 20 Uhr', '2027-03-06 20:00'],
  ['de', 'Spieletreff am Freitag, 5. März um halb acht am Bahnhof', '2027-03-05 19:30'],
  ['de', 'Lesung am Dienstag, 9. März, Viertel nach sieben am Abend', '2027-03-09 19:15'],
  ['de', 'Lesung am Dienstag, 9. März, um 3 Uhr am Nachmittag', '2027-03-09 15:00'],
  ['de', 'Nähtreff am 11. Februar, von halb sieben bis neun', '2027-02-11 18:30 → 2027-02-11 21:00'],
  ['de', 'Frühstück am 6. März von sieben bis neun', '2027-03-06 07:00 → 2027-03-06 09:00'],
  ['us', 'Bingo Thursday, Jan 28, 6:00–7:30 in the gym', '2027-01-28 18:00 → 2027-01-28 19:30'],
  ['en', 'Quiz 4 March, 7:45-10:15', '2027-03-04 19:45 → 2027-03-04 22:15'],
  ['en', 'Breakfast Saturday 6 March 7-9', '2027-03-06 07:00 → 2027-03-06 09:00'],
  ['en', 'Playgroup Tuesday 2 March, 9.30 to 11.30', '2027-03-02 09:30 → 2027-03-02 11:30'],
  ['en', 'Repair Café, 13 Feb, 2 til 4', '2027-02-13 14:00 → 2027-02-13 16:00'],
  ['en', 'Cake sale Saturday 13 Feb! 10-12 at the mill', '2027-02-13 10:00 → 2027-02-13 12:00'],
  ['en', 'Jam session on Sat 23 January, 7ish', '2027-01-23 19:00'],
  ['en', 'Barbecue Sat 23 January, about 20ish people, 2pm', '2027-01-23 14:00'],
  ['en', 'Supper Saturday 16 January. Arrive 6.45 for a 7pm start.', '2027-01-16 19:00'],
  ['en', 'Concert: doors 6.45, Saturday 6 February, first note 7.30', '2027-02-06 19:30'],
  ['en', 'Gig Friday 12 February, first set 8pm', '2027-02-12 20:00'],
  ['es', 'Milonga el jueves 4 de febrero de 22 a 2.', '2027-02-04 22:00 → 2027-02-05 02:00'],
  ['es', 'Baile el sábado 6 de febrero, 22.30 h. A las 00.30 concurso.', '2027-02-06 22:30'],
  ['fr', 'Bal le samedi 6 février de 21 à 3', '2027-02-06 21:00 → 2027-02-07 03:00'],
  ['fr', 'Midi-concert mercredi 10 mars (12h15–13h)', '2027-03-10 12:15 → 2027-03-10 13:00'],
  ['fr', 'Fête vendredi 5 mars midi-minuit', '2027-03-05 12:00 → 2027-03-06 00:00'],
]

/** Numbers that tell which weekday, or to which day something is moved. */
const NUMBERED: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['es', 'Jazz los tres últimos viernes de febrero, 21 h.', '2027-02-12 21:00 +2'],
  ['fr', 'Jazz les deux premiers vendredis de mars à 21h.', '2027-03-05 21:00 +1'],
  ['de', 'Jazz an den letzten drei Freitagen im Februar, 21 Uhr.', '2027-02-12 21:00 +2'],
  ['en', 'Jazz on the first two Fridays in March, 9pm.', '2027-03-05 21:00 +1'],
  ['fr', 'Fête du village le premier week-end de juillet.', '2027-07-03 → 2027-07-04'],
  ['es', 'Fiesta del pueblo el primer fin de semana de julio.', '2027-07-03 → 2027-07-04'],
  ['de', 'Dorffest am letzten Wochenende im Juni.', '2027-06-26 → 2027-06-27'],
  ['en', 'Village festival, first weekend of August.', ''],
  ['fr', 'Loto le lundi de la fête de la moisson à 13 h.', ''],
  ['fr', 'Loto le 5 du mois prochain à 20h.', '2027-02-05 20:00'],
  ['es', 'Merienda el día 5 del mes que viene, a las 18:15.', '2027-02-05 18:15'],
  ['de', 'Stammtisch am 5. nächsten Monats um 19 Uhr.', '2027-02-05 19:00'],
  ['de', 'Stammtisch am 21. d. M. um 19 Uhr.', '2027-01-21 19:00'],
  ['en', 'Quiz on the 5th of next month at 8pm.', '2027-02-05 20:00'],
  ['fr', 'Loto le 12 de ce mois à 20h.', ''],
  ['de', 'Konzert nächsten Freitag (also den 22.) ab 19:30', '2027-01-22 19:30'],
  ['de', 'Konzert kommenden Freitag, den 22., um 19:30', '2027-01-22 19:30'],
  ['de', 'Konzert diesen Freitag, 20 Uhr', '2027-01-15 20:00'],
  ['fr', 'Concert vendredi prochain, soit le 22, à 20 h', '2027-01-22 20:00'],
  ['es', 'Fiesta el próximo viernes, o sea el 22, a las 20 h', '2027-01-22 20:00'],
  ['en', 'Quiz next Friday, that’s the 22nd, 8pm', '2027-01-22 20:00'],
  ['en', 'Puppet show on Sunday the twenty-first of February at 3pm', '2027-02-21 15:00'],
  ['us', 'Puppet show on Sunday, February twenty-first at 3pm', '2027-02-21 15:00'],
  ['de', 'Kasperltheater am Sonntag, dem einundzwanzigsten Februar, um 15 Uhr', '2027-02-21 15:00'],
  ['es', 'Concierto el domingo 28/feb a las 12 h', '2027-02-28 12:00'],
  ['es', 'Taller los cuatro martes de febrero (2, 9, 16 y 23), 18 h', '2027-02-02 18:00 +3'],
  ['en', 'The talk on 6 March has moved to the 20th, 7pm', '2027-03-20 19:00'],
  ['en', 'The talk on 6 March will now be on 20 March at 7pm', '2027-03-20 19:00'],
  ['de', 'Der Vortrag am 27. Februar wird auf den 6. verschoben, 19 Uhr', '2027-03-06 19:00'],
  ['de', 'Der Kurs sollte am 6. März stattfinden, ist nun aber am 20. März um 11 Uhr.', '2027-03-20 11:00'],
  ['fr', 'Le stage qui devait avoir lieu le 6 mars aura lieu le 20 à 11h.', '2027-03-20 11:00'],
  ['es', 'El taller que iba a ser el 6 de marzo será finalmente el 20 a las 11 h.', '2027-03-20 11:00'],
  ['es', 'La exposición del 6 al 20 de marzo será inaugurada el 6', '2027-03-06 → 2027-03-20'],
  ['en', 'Concerts on 6 March and now on 13 March at 8pm', '2027-03-06 20:00 +1'],
]

/** Days and times of something else beside those of an event. */
const UNRELATED_DAYS_AND_TIMES: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'es',
    'El club celebra su fiesta el sábado 6 de febrero a las 18 h, no os la perdáis.',
    '2027-02-06 18:00',
  ],
  ['de', 'Wir treffen uns am 8. Februar um 17.30 Uhr. Fragen gern nach 19 Uhr.', '2027-02-08 17:30'],
  [
    'de',
    'Die Gruppe trifft sich jeden Montag um 17.30 Uhr. Nächstes Treffen: 8. Februar. Fragen gern nach 19 Uhr.',
    '2027-02-08 17:30',
  ],
  ['de', 'Party am 6. März kurz nach 20 Uhr', '2027-03-06 20:00'],
  [
    'es',
    'Milonga desde el 4 de febrero, todos los jueves de 22 a 1. Antes, 20.30, clase.',
    '2027-02-04 22:00 → 2027-02-05 01:00',
  ],
  [
    'de',
    'Fest am Sonntag, 24. Januar ab 10 Uhr. Kuchen bitte am Samstag bis 17 Uhr abgeben.',
    '2027-01-24 10:00',
  ],
  ['de', 'Hauskonzert am 6. Februar!! ab 19h offen, Musik um 8', '2027-02-06 20:00'],
  ['us', 'Fun Run April 10. Packet pick-up 7:15, race 8:30 a.m. $20 thru March 1.', '2027-04-10 08:30'],
  [
    'en',
    'Repair Café 13 February, 2 to 4. Last repairs accepted at 3.30.',
    '2027-02-13 14:00 → 2027-02-13 16:00',
  ],
  ['en', 'Summer fair, 5 June, 2pm. Last year, on 6 June, we raised £90.', '2027-06-05 14:00'],
  ['de', 'Dorffest, 5. Juni, 14 Uhr. Letztes Jahr waren wir am 6. Juni 200 Leute.', '2027-06-05 14:00'],
  ['fr', 'Fête le 5 juin à 14h. L’an dernier, le 6 juin, nous étions 200.', '2027-06-05 14:00'],
  ['en', 'Like last year, the fair is on 6 June at 2pm.', '2027-06-06 14:00'],
  ['en', 'Our cook, who retires on 31 March, comes to the tea on Sunday 7 March at 3pm.', '2027-03-07 15:00'],
  ['fr', 'Le curé, qui part le 31 mars, est invité au goûter le dimanche 7 mars à 15h.', '2027-03-07 15:00'],
  ['en', 'Sold out on 21 January, so there is an extra concert on 18 March at 8pm.', '2027-03-18 20:00'],
  [
    'es',
    'Agotadas las entradas del 21 de enero, otra función el 18 de marzo a las 20 h.',
    '2027-03-18 20:00',
  ],
  ['en', 'The February meeting is on Friday at 8pm', ''],
  ['fr', 'Réunion de février, vendredi à 20h', ''],
]

/** Stays, and series of which the last day is said. */
const STAYS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  // An end that is said in words of its own
  [
    'en',
    'Kite camp. It begins on Friday 12 March at 5pm and finishes on Sunday 14 March at 2pm.',
    '2027-03-12 17:00 → 2027-03-14 14:00',
  ],
  [
    'es',
    'Feria del queso. Empieza el viernes 12 de marzo a las 17 h y termina el domingo 14 a las 14 h.',
    '2027-03-12 17:00 → 2027-03-14 14:00',
  ],
  ['de', 'Zeltlager von Freitag, 5. März, 18 Uhr, bis Sonntag, 7. März.', '2027-03-05 18:00 → 2027-03-07'],
  [
    'en',
    'Kite camp, 12–14 March. Kicks off 6pm Friday, winds up 4pm Sunday.',
    '2027-03-12 18:00 → 2027-03-14 16:00',
  ],
  [
    'fr',
    'Stage de chant du 12 au 14 mars. Ça commence à 18h le vendredi et finit à 16h le dimanche.',
    '2027-03-12 18:00 → 2027-03-14 16:00',
  ],
  [
    'en',
    'Craft fair: Saturday & Sunday 3–4 April, 10am to 4pm both days.',
    '2027-04-03 10:00 → 2027-04-03 16:00 +1',
  ],
  [
    'es',
    'Festival: 9, 10 y 11 de abril. Arranca el viernes a las 19 y termina el domingo a las 22.',
    '2027-04-09 19:00 → 2027-04-11 22:00',
  ],
  [
    'fr',
    'Festival du jeudi 18 au samedi 20 février. Jeudi 19h : chants. Samedi 20h : bal jusqu’à 1 h du matin.',
    '2027-02-18 19:00 → 2027-02-21 01:00',
  ],
  [
    'en',
    'Book festival 7–9 May. We open on Friday at 6pm and close on Sunday.',
    '2027-05-07 18:00 → 2027-05-09',
  ],
  [
    'en',
    'Pottery: five Wednesday evenings starting 3 February, 7 to 9pm. No class on the 17th, so we finish on 10 March.',
    '2027-02-03 19:00 → 2027-02-03 21:00 +4',
  ],
  [
    'de',
    'Ukulele: 6 Abende, immer dienstags 18:30 bis 20 Uhr. Beginn 2. Februar, in den Ferien (9.2.) ist Pause, letzter Abend 16. März.',
    '2027-02-02 18:30 → 2027-02-02 20:00 +5',
  ],
  [
    'de',
    'Theater: am Fr 26.2. um 20 Uhr Premiere. Weitere Vorstellungen: Sa 27.2. und Sa 6.3., jeweils 20 Uhr.',
    '2027-02-26 20:00 +2',
  ],
]

/** Words that the reader once knew in one language only. */
const WORDS_OF_EACH_LANGUAGE: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  ['de', 'Di 16. März    Rund um den See, 3 Std.        Treff: 09.20 Bushof', '2027-03-16 09:20'],
  ['de', 'Kreuzweg jeden Freitag um 17:30 (ab 12.2., letztmals 19.3.)', '2027-02-12 17:30 +5'],
  ['fr', 'Randonnée le dimanche 31 janvier, rendez-vous 8h45, on part à 9h pétantes.', '2027-01-31 09:00'],
  [
    'es',
    'Se coló un error: el concierto aparece el sábado 20 de febrero y es el sábado 27 de febrero a las 19:00.',
    '2027-02-27 19:00',
  ],
]

/** Answers that say on which day the event of the e-mail below is, or on which somebody can come. */
const ANSWERS: readonly (readonly [keyof typeof ZONES, string, string])[] = [
  [
    'es',
    'Fe de erratas: el torneo NO es el viernes, es el SÁBADO 20.\n\n> Torneo. Viernes 19 de febrero, 16:30 h.',
    '2027-02-20 16:30',
  ],
  [
    'es',
    'La reunión es el martes 9 de febrero, no el 6. Hora y sitio, los mismos.\n\n> Reunión el 6 de febrero a las 18 h',
    '2027-02-09 18:00',
  ],
  [
    'en',
    'Sorry! The talk is on the THURSDAY, the 25th.\n\n> Talk on Friday 26 February at 7.15pm',
    '2027-02-25 19:15',
  ],
  [
    'de',
    'Nicht am Freitag, sondern am Samstag!\n\n> Konzert am Freitag, 5. März, 20 bis 22 Uhr',
    '2027-03-06 20:00 → 2027-03-06 22:00',
  ],
  ['fr', 'Pardon, c’est samedi 6 et non vendredi.\n\n> Concert vendredi 5 mars à 20h', '2027-03-06 20:00'],
  [
    'es',
    'Me confundí: a las 18 h hay catequesis, así que el recital empieza a las 19:30.\n\n> Recital el sábado 6 de marzo, 18:00',
    '2027-03-06 19:30',
  ],
  ['es', 'Corrijo el día: es el domingo 7.\n\n> Recital el sábado 6 de marzo, 18:00', '2027-03-07 18:00'],
  [
    'es',
    'Perdón, la excursión es el domingo 7, no el sábado.\n\n> Excursión el 6 de febrero a las 8:15 h',
    '2027-02-07 08:15',
  ],
  ['en', 'Thanks! I can’t come on Saturday.\n\n> Concert Saturday 6 March at 8pm', '2027-03-06 20:00'],
  ['fr', 'Oui pour dimanche !\n\n> Repas dimanche 7 mars à 12h', '2027-03-07 12:00'],
  [
    'en',
    'They double booked us, so it’s the Saturday after instead.\n\n> Concert on Saturday 6 March, 8pm to 10pm',
    '2027-03-13 20:00 → 2027-03-13 22:00',
  ],
  ['en', 'Sorry, one week later, same time.\n\n> Concert Saturday 6 March at 8pm', '2027-03-13 20:00'],
  ['es', 'Perdón, es el sábado siguiente.\n\n> Recital el viernes 5 de marzo, 18:00', '2027-03-06 18:00'],
  ['en', 'Can’t come, but a week later I’m free.\n\n> Concert Saturday 6 March at 8pm', '2027-03-06 20:00'],
  [
    'en',
    'I’ll bring the chairs on Saturday after lunch.\n\n> Concert Sunday 7 March, 8pm',
    '2027-03-07 20:00',
  ],
  // The new hour is not sure, and the old one false.
  [
    'fr',
    'Elle ne peut pas avant 18h15, donc on décale un peu.\n\n> Réunion le mardi 26 janvier à 17h30',
    '2027-01-26',
  ],
  [
    'de',
    'Korrektur: Wir können erst um 19.45 Uhr anfangen, Schluss ist um halb zehn.\n\n> Konzert am Freitag, 5. März, 19 bis 21 Uhr',
    '2027-03-05',
  ],
  [
    'en',
    'Sorry, can’t do it. The week after I’m away.\n\n> Concert Saturday 6 March at 8pm',
    '2027-03-06 20:00',
  ],
  [
    'en',
    'Sorry, the following Saturday we rehearse.\n\n> Concert Saturday 6 March at 8pm',
    '2027-03-06 20:00',
  ],
  [
    'es',
    'Perdón, la semana siguiente hay otro ensayo, pero el concierto es el mismo día.\n\n> Concierto el sábado 6 de marzo a las 20:00',
    '2027-03-06 20:00',
  ],
  [
    'en',
    'Sorry, forgot to say: the bar opens at 6.30.\n\n> Quiz night Friday 5 March, 8pm',
    '2027-03-05 20:00',
  ],
  [
    'de',
    'Kleine Korrektur: Einlass ist um 19 Uhr.\n\n> Konzert am Freitag, 5. März, 20 Uhr',
    '2027-03-05 20:00',
  ],
  ['en', 'Could you send me the text by 5pm?\n\n> Concert Saturday 6 March at 8pm', '2027-03-06 20:00'],
  ['en', 'Quiz on Friday at 8pm, who’s in?\n\n> Concert Saturday 6 March at 8pm', '2027-01-15 20:00'],
]

describe('forms of days and times', () => {
  it.each(SERIES)('of a series: %s: %s', (language, text, expected) => {
    const [draft] = drafts(text, ZONES[language])
    const short = (moment: string): string => moment.slice(5, 16)
    const end = draft?.dates && draft.end_date ? `–${draft.end_date.slice(11, 16)}` : ''
    expect(
      `${[`${short(draft?.start_date ?? '')}${end}`, ...(draft?.dates ?? []).map(short)].join(', ')}`,
    ).toBe(expected)
  })

  it.each(RESCHEDULED)('of what is called off or rescheduled: %s: %s', (language, text, expected) => {
    const [draft, ...others] = drafts(text, ZONES[language])
    expect(others).toEqual([])
    const status = draft?.event_status === undefined ? '' : ` ${draft.event_status}`
    expect(`${draft?.start_date.slice(0, 16)}${status}`).toBe(expected)
  })

  it.each(SEVERAL)('of several weekdays are contradicted by none: %s: %s', (language, text, expected) => {
    expect(read(text, ZONES[language])).toBe(expected)
    expect(
      readAnnouncement(text, {
        venues: [],
        organizers: [],
        today: '2027-01-14',
        timezone: ZONES[language],
        currency: '€',
      }).ignored,
    ).toEqual([])
  })

  it.each([
    ...DAYS,
    ...EXCEPTIONS,
    ...SPANS,
    ...HYPHENS,
    ...UNRELATED_DAYS,
    ...EVENINGS,
    ...REPLACED,
    ...TIMES,
    ...COURSES,
    ...SEASONS,
    ...WITHOUT,
    ...CHATS,
    ...CORRECTIONS,
    ...BEFORE_AND_AROUND,
    ...AT_NIGHT,
    ...LASTING,
    ...POINTS,
    ...LISTS,
    ...HALVES,
    ...NUMBERED,
    ...UNRELATED_DAYS_AND_TIMES,
    ...STAYS,
    ...ANSWERS,
    ...WORDS_OF_EACH_LANGUAGE,
  ])('%s: %s', (language, text, expected) => {
    expect(read(text, ZONES[language])).toBe(expected)
  })

  it.each([...OTHER_DAYS, ...OF_FEW])(
    'leave out days of other matters: %s: %s',
    (language, text, expected) => {
      expect(read(text, ZONES[language])).toBe(expected)
    },
  )

  it.each(LEFT_OUT)('leave out what nobody can know: %s: %s', (language, text, expected) => {
    expect(read(text, ZONES[language])).toBe(expected)
  })
})
