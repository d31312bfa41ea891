import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SPAM_ABOVE } from '../../../src/calendar/intake/spam.ts'
import { declareUser, query } from '../../factories.ts'
import { answeredEvent, answering } from '../../model.ts'
import { openInbox } from './mail.ts'

declareUser('administrator')
// Each test has a day of its own, so that limits count nothing of the others.
let day = 0
beforeEach(() => vi.setSystemTime(Date.UTC(2027, 0, ++day, 10)))

/**
 * What people write in two lines, its day and its price: little for a classifier to go by, and a price in each.
 */
const SHORT = [
  [
    'en',
    'Barn dance',
    'Barn dance with The Reel Thing\nFriday 19 February 2027, 8 pm\nPalace Theatre\nAdmission €8',
    ['Friday 19 February 2027', '2027-02-19'],
    ['€8', 8],
  ],
  [
    'en',
    'Quiz night',
    'Quiz night in the Anchor, Thursday 4 March 2027, 8.30 pm. €5 a head, teams of six. Prizes!',
    ['Thursday 4 March 2027', '2027-03-04'],
    ['€5 a head', 5],
  ],
  [
    'en',
    'Wreath workshop',
    'Make your own wreath on Saturday 6 March 2027 from 2 pm to 5 pm, community hall. €25 including all materials. Book with Mary, 087 123 4567.',
    ['Saturday 6 March 2027', '2027-03-06'],
    ['€25', 25],
  ],
  [
    'en',
    'For your calendar',
    'Spring concert by the Weir Singers, Sunday 7 March 2027 at 3 pm, St Brigid’s Church. Tickets €12 / €10 at the door or www.weirsingers.example',
    ['Sunday 7 March 2027', '2027-03-07'],
    ['€12 / €10', 12, 10],
  ],
  [
    'en',
    'Car boot sale',
    'Car boot sale Sunday 14 March 2027, 10 am, GAA grounds. €10 a car, admission free. Tea and buns.',
    ['Sunday 14 March 2027', '2027-03-14'],
    ['admission free', 0],
  ],
  [
    'de',
    'Frühlingskonzert',
    'Frühlingskonzert des Musikvereins am Samstag, 13. März 2027, 19:30 Uhr in der Stadthalle. Eintritt 12 €, ermäßigt 8 €.',
    ['Samstag, 13. März 2027', '2027-03-13'],
    ['12 €, ermäßigt 8 €', 12, 8],
  ],
  [
    'de',
    'Neuer Termin',
    'Flohmarkt im Pfarrheim\nSonntag, 14. März 2027, 9 bis 14 Uhr\nStandgebühr 10 €, Eintritt frei',
    ['Sonntag, 14. März 2027', '2027-03-14'],
    ['Eintritt frei', 0],
  ],
  [
    'de',
    'Kinderkino',
    'Kinderkino „Die kleine Hexe“ am 20. März 2027 um 15 Uhr im Jugendhaus, Eintritt 3 Euro. Popcorn 1 Euro.',
    ['20. März 2027', '2027-03-20'],
    ['3 Euro', 3],
  ],
  [
    'de',
    'Yoga',
    'Yoga für Einsteiger, Mittwoch 10. März 2027, 18 Uhr, Turnhalle, 60 Euro für 8 Abende',
    ['Mittwoch 10. März 2027', '2027-03-10'],
    ['60 Euro', 60],
  ],
  [
    'fr',
    'Loto',
    'Loto de l’école samedi 13 mars 2027 à 20h30, salle des fêtes. 3 € le carton, 10 € les quatre. Buvette.',
    ['samedi 13 mars 2027', '2027-03-13'],
    ['3 € le carton, 10 €', 3, 10],
  ],
  [
    'fr',
    'Concert',
    'Concert de jazz manouche le 20 mars 2027 à 21h au Grenier à Sel. Entrée 12 €, réduit 8 €.',
    ['20 mars 2027', '2027-03-20'],
    ['12 €, réduit 8 €', 12, 8],
  ],
  [
    'fr',
    'Pour votre agenda',
    'Vide-grenier dimanche 21 mars 2027 de 8h à 17h, place du Foirail. Entrée 2 €. Réservations : 06 12 34 56 78',
    ['dimanche 21 mars 2027', '2027-03-21'],
    ['2 €', 2],
  ],
  [
    'fr',
    'Théâtre',
    '« Le Malade imaginaire » par la troupe du Chat, vendredi 26 mars 2027 à 20h30, théâtre municipal. 15 €.',
    ['vendredi 26 mars 2027', '2027-03-26'],
    ['15 €', 15],
  ],
  [
    'es',
    'Concierto',
    'Concierto de la banda municipal el sábado 13 de marzo de 2027 a las 20:00 en el auditorio. Entradas 6 €.',
    ['sábado 13 de marzo de 2027', '2027-03-13'],
    ['6 €', 6],
  ],
  [
    'es',
    'Teatro',
    'Teatro: La casa de Bernarda Alba. Viernes 19 de marzo de 2027, 20:30 h, Teatro Principal. 10 euros, anticipada 8 euros.',
    ['Viernes 19 de marzo de 2027', '2027-03-19'],
    ['10 euros, anticipada 8 euros', 10, 8],
  ],
  [
    'es',
    'Taller',
    'Taller de cerámica para niños, 20 de marzo de 2027 a las 11:00, Casa de la Cultura. 5 € con materiales. Plazas limitadas.',
    ['20 de marzo de 2027', '2027-03-20'],
    ['5 €', 5],
  ],
  [
    'es',
    'Cena',
    'Cena popular el 27 de marzo de 2027 a las 21:00 en la plaza Mayor. Tique: 12 €, niños 6 €.',
    ['27 de marzo de 2027', '2027-03-27'],
    ['12 €, niños 6 €', 12, 6],
  ],
] as const

/** The titles of those whose subject is none. */
const TITLES = new Map<string, string>([
  ['For your calendar', 'Spring concert by the Weir Singers'],
  ['Neuer Termin', 'Flohmarkt im Pfarrheim'],
  ['Pour votre agenda', 'Vide-grenier'],
])

describe('a short e-mail with a price', () => {
  it.each(SHORT)('in %s about «%s» is no spam, and has a reply', async (_, subject, text, date, cost) => {
    const { AI } = answering({
      [text]: {
        events: [answeredEvent({ title: TITLES.get(subject) ?? subject, date, cost }, { description: text })],
      },
    })
    const inbox = openInbox({ AI })
    expect(await inbox.send({ subject, text })).toBe('taken')
    const [row] = await query(
      'SELECT likeness, cost FROM submissions JOIN events ON events.id = event_id ORDER BY submissions.id DESC LIMIT 1',
    )
    expect(row?.likeness).toBeLessThan(SPAM_ABOVE)
    expect(row?.cost).toMatch(/\d/)
    expect(inbox.mails).toHaveLength(1)
  })
})
