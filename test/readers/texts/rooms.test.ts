import { describe, expect, it } from 'vitest'
import { readAnnouncement } from '../../../src/readers/texts/drafts.ts'

// Rooms of venues that the calendar knows.

const names = [
  'Stadttheater',
  'Cloth Hall Library',
  'Médiathèque Colette-Arnoux',
  'Teatro Olimpia',
  'Parish Hall',
]

const read = (text: string) => {
  const { drafts } = readAnnouncement(text, {
    venues: names.map((name, i) => ({ id: i + 1, name })),
    organizers: [],
    today: '2027-01-14',
    timezone: 'Europe/Berlin',
    currency: '€',
  })
  const [{ room, evidence } = { room: undefined, evidence: {} }] = drafts
  return { room, said: evidence.room && text.slice(...evidence.room) }
}

describe('a room', () => {
  it.each<[text: string, room: string, said?: string]>([
    ['Lesung\nFreitag, 5. Februar 2027, 19.30 Uhr, Stadttheater, Kleiner Saal', 'Kleiner Saal'],
    [
      'Lesung am Freitag, 5. Februar 2027, um 19.30 Uhr im Kleinen Saal des Stadttheater',
      'Kleiner Saal',
      'Kleinen Saal',
    ],
    ['Vortrag, 5. Februar 2027, 19 Uhr, Raum 12, Stadttheater', 'Raum 12'],
    ['Talk on birds\nFriday 5 February 2027, 7 pm, Cloth Hall Library (Meeting Room)', 'Meeting Room'],
    ['Talk on birds, Friday 5 February 2027, 7 pm in the Small Hall of the Cloth Hall Library', 'Small Hall'],
    ['Atelier poésie, vendredi 5 février 2027 à 19 h, Médiathèque Colette-Arnoux, salle 3', 'salle 3'],
    ['Recital de piano, viernes 5 de febrero de 2027, 20:00 h, Teatro Olimpia, Sala B', 'Sala B'],
    ['Chess club\nFriday 5 February 2027, 7 pm\nCloth Hall Library\nFoyer', 'Foyer'],
  ])('is read in %j', (text, room, said = room) => {
    expect(read(text)).toEqual({ room, said })
  })

  it.each([
    // A hall is a venue as often as a room.
    'Talk on birds, Friday 5 February 2027, 7 pm, Parish Hall',
    'Talk on birds, Friday 5 February 2027, 7 pm, Cloth Hall Library, with tea in the old hall next door afterwards',
    // Far from the venue, it may be another one's.
    `Lesung am Freitag, 5. Februar 2027, 19.30 Uhr, Stadttheater. ${'Mit Gästen und Musik aus der Region. '.repeat(4)}Saal 2 ist an diesem Abend geschlossen.`,
    'Concert on Friday 5 February 2027 at 7 pm, Room 4',
  ])('is left out in %j', text => {
    expect(read(text).room).toBeUndefined()
  })
})

describe('a venue with a number in its name', () => {
  const NUMBERED = ['Hall 1', 'Room 1', 'Saal 1', 'Saal 2', 'Kulturfabrik 1910', 'Parish Hall 3']
  const venueOf = (text: string) =>
    readAnnouncement(text, {
      venues: NUMBERED.map((name, i) => ({ id: i + 1, name })),
      organizers: [],
      today: '2027-01-14',
      timezone: 'Europe/Dublin',
      currency: '€',
    }).drafts[0]?.venue

  const places = [
    ['Hall 1', 'Hall 1'],
    ['Hall 1 (upstairs)', 'Hall 1'],
    ['Saal 1', 'Saal 1'],
    ['Saal 2', 'Saal 2'],
    ['Kulturfabrik', 'Kulturfabrik 1910'],
    ['Parish Hall 3', 'Parish Hall 3'],
    ['Town Hall'],
    ['Hall 7'],
    ['Great Hall, Callan'],
    ['Committee Room'],
    ['Room 7'],
    ['Kleiner Saal'],
    ['Saal 3'],
    ['Parish Hall 4'],
  ]
  it.each(places)('is found by its number: %s', (place, known) => {
    const rows = `Date\tTime\tEvent\tVenue\n16/01/2027\t19:30\tKiln lecture\t${place}`
    const venue = venueOf(rows)
    expect(venue?.venue).toBe(known ?? place)
    expect(venue?.id !== undefined).toBe(known !== undefined)
  })

  it.each([
    'Kiln lecture in the Town Hall, 1 March 2027, 7.30pm',
    'Kiln lecture, Town Hall 1 March 2027, 7.30pm',
    'Kiln lecture in the Town Hall, Room 1.30 pm on 1 March 2027',
  ])('is not found by the number of a day or an hour: %s', text => {
    expect(venueOf(text)?.id).toBeUndefined()
  })
})
