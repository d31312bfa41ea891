import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

/** Start, title and venue. */
function read(text: string) {
  const known = { venues: [], organizers: [], today: '2027-01-14', timezone: 'Europe/Berlin', currency: '€' }
  const { drafts } = readAnnouncement(text, known)
  return drafts.map(({ start_date, title, venue }) => [start_date.slice(0, 16), title, venue?.venue])
}

describe('the weather', () => {
  it.each([
    ['Bei jedem Wetter: Flohmarkt am Samstag, 12. Juni, 8 Uhr', 'Flohmarkt'],
    ['Wanderung auf den Hochkogel, auch bei Regen, Samstag 12.6., 8 Uhr', 'Wanderung auf den Hochkogel'],
    ['Konzert bei Regen oder Sonnenschein, Samstag, 12. Juni, 8 Uhr', 'Konzert'],
    ['Bei schönem Wetter Grillen am Samstag, 12. Juni, 8 Uhr', 'Grillen'],
    ['Bei Wind und Wetter Wanderung am Samstag, 12. Juni, 8 Uhr', 'Wanderung'],
    ['In any weather: walk on Saturday 12 June at 8am', 'walk'],
    ['Bird walk, rain or shine, Saturday 12 June, 8am', 'Bird walk'],
    ['Weather permitting, the picnic is on Saturday 12 June at 8am', 'picnic'],
    ['Par tous les temps : balade le samedi 12 juin à 8h', 'balade'],
    ['Si le temps le permet, apéro-concert le samedi 12 juin à 8h', 'apéro-concert'],
    ['Haga el tiempo que haga: ruta el sábado 12 de junio a las 8:00', 'ruta'],
    ['“Rain or Shine”, Saturday 12 June, 8am', 'Rain or Shine'],
  ])('changes neither title nor date if it makes no difference: %s', (text, title) => {
    expect(read(text)).toEqual([['2027-06-12 08:00', title, undefined]])
  })

  it.each([
    ['Konzert am Samstag, 12. Juni, 8 Uhr. Bei Regen am Sonntag, 13. Juni.', undefined],
    ['Konzert am Samstag, 12. Juni, 8 Uhr, Kurpark. Bei Regen ziehen wir in die Wandelhalle um.', 'Kurpark'],
    ['Concert on Saturday 12 June at 8am. If it rains we move to the church hall.', undefined],
    ['Concert on Saturday 12 June at 8am. In the event of rain we move to the church hall.', undefined],
    [
      'Concert on Saturday 12 June at 8am. In case of rain the band will be moved into the church hall.',
      undefined,
    ],
    ['Concert le samedi 12 juin à 8h. Si le temps est mauvais, rendez-vous à l’église.', undefined],
    ['Concierto el sábado 12 de junio a las 8:00. Si llueve nos trasladamos al teatro municipal.', undefined],
    ['Balade le samedi 12 juin à 8h, même en cas de pluie, départ de la mairie.', 'mairie'],
  ])('names no venue that is only for bad weather: %s', (text, venue) => {
    expect(read(text)).toEqual([['2027-06-12 08:00', expect.any(String), venue]])
  })
})
