// Kinds of slips that are still read wrong without a word, with the reason. Take away what is mended.

const UNMENDED = 'Not mended yet.'

export const REMAINING: Readonly<Record<string, string>> = Object.fromEntries(
  `
    csv: doubled separator
    csv: lost line end
    csv: lost quote
    csv: lost separator
    csv: misspelt word
    csv: quote before a cell
    csv: white space before a line
    ics: TZID without a value
    ics: a fold that should be none
    ics: blank too many in a fold
    ics: doubled colon
    ics: doubled separator
    ics: empty line
    ics: empty line in a fold
    ics: fold without its blank
    ics: invalid byte in a name
    ics: invalid byte in a value
    ics: line broken without a blank
    ics: lost BEGIN
    ics: lost END
    ics: lost TZID beside that of the start
    ics: lost colon
    ics: lost quote
    ics: lost separator
    ics: misspelt BEGIN or END
    ics: misspelt class
    ics: misspelt component
    ics: misspelt name
    ics: misspelt parameter
    ics: misspelt rule
    ics: misspelt status
    ics: no-break space before a line
    ics: quote in a parameter
    ics: quote in a value
    ics: white space before the colon
    ics: white space beside a separator
    ics: white space in a name
    ics: zone without TZID
    page: case of a key
    page: case of a type
    page: invalid byte
    page: lost line
    page: misspelt key
    page: misspelt script
    page: misspelt type
  `
    .trim()
    .split('\n')
    .map(kind => [kind.trim(), UNMENDED]),
)
