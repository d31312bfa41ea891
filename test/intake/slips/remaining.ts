// Kinds of slips that are still read wrong without a word, with the reason. Take away what is mended.

const UNMENDED = 'Not mended yet.'
const MEANT = 'A quotation mark may be meant.'
const SHORT = 'Programs leave out empty cells at the end of a row, so a row that lacks one may be right.'

export const REMAINING: Readonly<Record<string, string>> = {
  'page: misspelt script': 'A script of another type is that of another program.',
  'page: case of a key': UNMENDED,
  'page: misspelt key': UNMENDED,
  'page: invalid byte': UNMENDED,
  'page: lost line': UNMENDED,
  'csv: lost separator': SHORT,
  'csv: quote before a cell': MEANT,
  'csv: lost quote': MEANT,
}
