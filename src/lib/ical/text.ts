import { BLOCKS, decodeEntities, markup } from '../text.ts'

/** Blocks that people separate by a blank line. */
const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 blockquote pre ul ol dl table figure'.split(' '))

/** The text of an HTML fragment with its lines and paragraphs. */
export function htmlToLines(html: string): string {
  if (html === '') return ''
  let text = ''
  for (const piece of markup(html)) {
    // Single blanks, which are nearly all, stay what they are.
    if (piece.kind === 'text') text += decodeEntities(piece.text).replace(/\s{2,}|[^\S ]/g, ' ')
    else if (piece.name === 'br') text += '\n'
    else if (piece.name === 'li' && !piece.closing) text += '\n• '
    else if (PARAGRAPHS.has(piece.name)) text += '\n\n'
    else if (BLOCKS.has(piece.name) && piece.name !== 'li') text += '\n'
  }
  // Line by line, because one expression for all of it would look at runs of blanks again and again.
  const lines = text.split('\n').map(line => (line.includes('  ') ? line.replace(/ +/g, ' ') : line).trim())
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** A title as plain text: a `<` in it is stored escaped, all else as it is. */
export const plainTitle = (title: string): string => title.replaceAll('&lt;', '<')
