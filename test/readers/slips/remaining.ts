// Kinds of slips that are still misread silently, each with the reason. Delete those that are fixed.

const MEANT = 'A quotation mark may be meant.'

export const REMAINING: Readonly<Record<string, string>> = {
  'page: lost quote':
    'An attribute without its end takes all up to the next quotation mark, scripts among it.',
  'csv: lost separator':
    'Programs leave out empty cells at the end of a row, so a row that lacks one may be right.',
  'csv: quote before a cell': MEANT,
  'csv: lost quote': MEANT,
  'ics: line broken without a blank':
    'Where the next word begins with a blank, the line is a fold, and the blank is its mark.',
  'ics: lost line':
    'Without RECURRENCE-ID, a date is another version of its event: the one that is left out is named, not the line that is lost.',
}
