import { beforeEach, describe, expect, it, vi } from 'vitest'
import { declareUser, query } from '../../factories.ts'
import { openInbox } from './mail.ts'

declareUser('administrator')
// Each test has a day of its own, so that limits count nothing of the others.
let day = 0
beforeEach(() => vi.setSystemTime(Date.UTC(2027, 0, ++day, 10)))

async function sendAndGetTitle(subject: string, text: string): Promise<unknown> {
  expect(await openInbox().send({ subject, text })).toBe('taken')
  const [row] = await query('SELECT title FROM events ORDER BY id DESC LIMIT 1')
  return row?.title
}

describe('the title of an e-mail', () => {
  it.each([
    [
      'For your calendar',
      'Jazz in the Garden\nFriday 12 March 2027, 8 pm, Palace Theatre\n€8',
      'Jazz in the Garden',
    ],
    ['Event', 'The Barley Choir\nThe event is on 13 March 2027 at 8 pm.', 'The Barley Choir'],
    ['Bitte veröffentlichen', 'Lesung am Kamin\n14. März 2027, 19 Uhr, Stadtsaal', 'Lesung am Kamin'],
    ['Neuer Termin', 'Kinderfest im Hof\nNeuer Termin: 15. März 2027, 14 Uhr', 'Kinderfest im Hof'],
    ['Pour votre agenda', 'Bal des pompiers\nle 16 mars 2027 à 20h30, salle des fêtes', 'Bal des pompiers'],
    [
      'Fwd: Para vuestra agenda',
      'Cine de verano\n17 de marzo de 2027 a las 21:00, plaza Mayor',
      'Cine de verano',
    ],
    ['News of the association', 'Quiz night for beginners\n18 March 2027, 8 pm', 'Quiz night for beginners'],
  ])('is that of the text below %s', async (subject, text, title) => {
    expect(await sendAndGetTitle(subject, text)).toBe(title)
  })

  it.each([
    [
      'Barn dance',
      'Barn dance with The Reel Thing\nFriday 19 March 2027, 8 pm, Palace Theatre',
      'Barn dance with The Reel Thing',
    ],
    ['Trivia', 'Happy spring! On 20 March 2027 at 8 pm we have trivia in the bar.', 'Trivia'],
    ['Concert', 'Concert de jazz manouche\nle 21 mars 2027 à 20h30', 'Concert de jazz manouche'],
    ['Summer talk', 'On 22 March 2027 at 8 pm, free for all.', 'Summer talk'],
  ])(
    'is the subject %s if the text has it or none, or the whole of what it is a part of',
    async (subject, text, title) => {
      expect(await sendAndGetTitle(subject, text)).toBe(title)
    },
  )

  it('is not taken for a venue', async () => {
    const placed =
      'SELECT venues.name FROM event_venues JOIN venues ON venues.id = target_id WHERE event_id = (SELECT max(id) FROM events)'
    await sendAndGetTitle(
      'Barn dance',
      'Barn dance with callers and fiddles, beginners welcome, on 30 March 2027 at 8 pm.',
    )
    expect(await query(placed)).toEqual([])
    day++
    await sendAndGetTitle('Barn dance', 'Barn dance with callers\n31 March 2027, 8 pm, Tithe Barn, Kilkenny')
    expect(await query(placed)).toEqual([{ name: 'Tithe Barn' }])
  })

  it.each([
    'Barn dance, Friday 2 April 2027, 8 pm, Tithe Barn, Kilkenny\n\nJazz concert, Friday 2 April 2027, 8 pm, Corner Club, Galway',
    'Barn dance\nFriday 2 April 2027, 8 pm\nVenue: Tithe Barn, Kilkenny\n\nJazz concert\nFriday 2 April 2027, 8 pm\nVenue: Corner Club, Galway',
  ])('goes with its own venue if two events begin at the same time', async text => {
    await sendAndGetTitle('Our dates', text)
    const placed = await query(`SELECT title, name, city FROM events JOIN event_venues ON event_id = events.id
      JOIN venues ON venues.id = target_id ORDER BY events.id DESC LIMIT 2`)
    expect(placed).toEqual([
      { title: 'Jazz concert', name: 'Corner Club', city: 'Galway' },
      { title: 'Barn dance', name: 'Tithe Barn', city: 'Kilkenny' },
    ])
  })

  it('is missing if the subject calls the event off', async () => {
    const text = 'Barn dance\nFriday 26 March 2027, 8 pm, Palace Theatre'
    for (const subject of ['Cancelled', 'Abgesagt: Barn dance', 'Annulé', 'Cancelado: Barn dance'])
      expect(await openInbox().send({ subject, text }), subject).toContain(
        'This e-mail cancels or postpones an event',
      )
  })

  it('is in what follows a quotation, also in one long line', async () => {
    const text = `On Monday, Bob wrote:\n> When is the quiz on 1 March 2027 at 8 pm?\n\nPottery for all\n27 March 2027, 8 pm. ${'You need nothing. '.repeat(20)}`
    const joined = text.replace('Pottery for all\n', 'Pottery for all, ')
    expect(await sendAndGetTitle('Event', text)).toBe('Pottery for all')
    day++
    expect(await sendAndGetTitle('Event', joined.replace('27 March', '28 March'))).toBe('Pottery for all')
  })
})
