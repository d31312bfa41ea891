import { fold } from '../../lib/text.ts'
import { type Html, html } from './html.ts'

// The words of a search in the texts of what it found, whatever their case and accents.

/** A printable character of ASCII, which needs no more folding than lower case. */
const PLAIN = /^[!-~]$/

/** The folded text, and for each of its units where its letter begins and ends in the text. */
function unitsOf(text: string): { folded: string; begins: number[]; ends: number[] } {
  let [folded, at] = ['', 0]
  const [begins, ends]: [number[], number[]] = [[], []]
  for (const letter of text) {
    const units = PLAIN.test(letter) ? letter.toLowerCase() : /\s/.test(letter) ? ' ' : fold(letter)
    for (const _ of units.split('')) {
      begins.push(at)
      ends.push(at + letter.length)
    }
    folded += units
    at += letter.length
  }
  return { folded, begins, ends }
}

/** A text with marks around the words of a search. @param words folded, as `searchWords` returns them */
export function marked(text: string, words: readonly string[]): Html | string {
  // Few texts have one of the words, and most of the work is only for those.
  if (words.length === 0) return text
  const whole = fold(text)
  if (!words.some(word => whole.includes(word))) return text
  const { folded, begins, ends } = unitsOf(text)
  const isMarked = new Uint8Array(text.length)
  for (const word of words)
    for (let i = folded.indexOf(word); i !== -1; i = folded.indexOf(word, i + word.length))
      isMarked.fill(1, begins[i], ends[i + word.length - 1])
  const parts: { text: string; isMarked: boolean }[] = []
  for (let i = 0; i < text.length; ) {
    let end = i + 1
    while (end < text.length && isMarked[end] === isMarked[i]) end++
    parts.push({ text: text.slice(i, end), isMarked: isMarked[i] === 1 })
    i = end
  }
  return html`${parts.map(part => (part.isMarked ? html`<mark>${part.text}</mark>` : part.text))}`
}
