import { describe, expect, it } from 'vitest'
import { mailParts, writtenText } from '../../../src/kit/lib/mail-text.ts'

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
})
