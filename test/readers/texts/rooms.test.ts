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
