import { describe, expect, it } from 'vitest'
import { mailParts, repeatedIn, writtenText } from '../../../src/kit/lib/mail-text.ts'

const LONG = 'We meet in the library, and everybody may bring a book. '.repeat(5).trim()

describe('the text of an e-mail', () => {
  it.each([
    'On Mon, 4 Jan 2027, Bob wrote:',
    'Am Mo., 4. Jan. 2027 schrieb Bob:',
    'Le lun. 4 janv. 2027, Bob a écrit :',
    'El lun, 4 ene 2027, Bob escribió:',
  ])('is recognised below a quotation that begins with «%s», also in a long line', wrote => {
    const text = `${wrote}\n> Is it on 1 March?\n\n${LONG}`
    expect(mailParts(text)).toEqual([
      { kind: 'quote', text: `${wrote}\n> Is it on 1 March?\n` },
      { kind: 'text', text: LONG },
    ])
    expect(writtenText(text)).toBe(LONG)
  })

  it.each([
    ['Begin forwarded message:', '> From: Ann <ann@club.example>\n> Subject: Quiz\n> To: Bob\n>\n> '],
    ['Anfang der weitergeleiteten Nachricht:', '> Von: Ann <ann@club.example>\n> Datum: 4. Januar 2027\n> '],
    ['Début du message réexpédié :', '> De: Ann <ann@club.example>\n> Objet: Quiz\n> '],
    [
      '---------- Mensaje reenviado ---------',
      'De: Ann <ann@club.example>\nFecha: 4 ene 2027\nAsunto: Quiz\n',
    ],
    ['----- Forwarded message from Ann <ann@club.example> -----', 'Date: Mon, 4 Jan 2027\nFrom: Ann\n\n'],
  ])('forwarded below «%s» has none of the forwarded headers', (mark, headers) => {
    const text = `${mark}\n\n${headers}Quiz on 1 March\nDate: see above`
    expect(writtenText(text, true).trim()).toBe('Quiz on 1 March\nDate: see above')
    expect(
      mailParts(text, true)
        .map(part => part.text)
        .join('\n'),
    ).toBe(text)
  })

  it('below its own headers is what was written', () => {
    const text = 'From: Ann\nTo: Bob\n\nOn 2 March instead.\n\n> Quiz on 1 March'
    expect(mailParts(text).map(({ kind }) => kind)).toEqual(['text', 'quote'])
    expect(writtenText(text).trim()).toBe('On 2 March instead.')
  })

  it('forwarded by Outlook has none of the forwarded headers', () => {
    const text =
      'FYI\n\nVon: Ann <ann@club.example>\nGesendet: Montag\nAn: Bob\nBetreff: Quiz\n\nQuiz am 1. März'
    expect(writtenText(text, true)).toBe('FYI\n\n\nQuiz am 1. März')
    expect(writtenText(text)).toBe('FYI\n')
  })

  it.each([
    'Hello, our programme:\n\n> 5 March, 8 pm: concert\n> 12 March, 7 pm: reading\n\nBest wishes\n-- \nAnn, 123456',
    '> Concert\n> 5 March, 8 pm',
  ])('has bullets like those of quotations: %j', text => {
    expect(mailParts(text)[0]).toMatchObject({ kind: 'text', text: expect.stringContaining('> 5 March') })
    expect(writtenText(text)).toContain('5 March, 8 pm')
    expect(repeatedIn(text).quotes.map(([from, to]) => text.slice(from, to).slice(0, 1))).not.toContain('>')
  })

  it('has marks of headings', () => {
    const text = 'Library news\n\n>> Film night\n5 March, 8 pm\n\n>> Reading\n12 March'
    expect(mailParts(text)).toEqual([{ kind: 'text', text }])
  })

  it.each([
    'It begins at 7.\n> 5 March, 8 pm: concert\n> 12 March, 8 pm: reading',
    'Bob wrote:\n> 5 March, 8 pm: concert\n> 12 March, 8 pm: reading\n\nThanks!',
    'From: Bob\nTo: Ann\n\n> 5 March, 8 pm: concert\n> 12 March, 8 pm: reading',
    'Thanks!\n>> There is a concert in the hall\n>> on 5 March, 8 pm',
    'Thanks!\n> There is a concert in the hall\n> on 5 March, 8 pm',
    'Thanks!\n> 5 March, 8 pm: concert\n>> 12 March, 8 pm: reading',
  ])('has quotations, not bullets: %j', text => {
    expect(mailParts(text).map(({ kind }) => kind)).toContain('quote')
    expect(writtenText(text)).not.toContain('pm')
  })
})
