import {
  after,
  around,
  BAD_BYTE,
  before,
  doubled,
  type Kind,
  lost,
  misspelt,
  otherCase,
  put,
  WHITE,
} from './slips.ts'

// The grammar of slips. None of them makes a text that says something else and is right: no other digit, no
// other letter in a title, no separator more in a text.

/** Properties whose values are no texts, in which a separator is a separator. */
const NAMES =
  'BEGIN|END|DTSTART|DTEND|DTSTAMP|DURATION|RRULE|EXDATE|RDATE|RECURRENCE-ID|STATUS|CLASS|TZOFFSETFROM|TZOFFSETTO|VERSION|X-WR-TIMEZONE|CALSCALE|TRANSP'
/** The head of a line, up to its colon, of such a property, and of any. */
const STRICT = `^(?:${NAMES})(?:;[^:\\r\\n]*)?`
const LINE = '^[A-Z][^:\\r\\n]*'
/** Within the value, or anywhere in the line, of such a property. */
const IN_STRICT = `(?<=^(?:${NAMES})\\b[^\\r\\n]*)`

const gm = (source: string) => new RegExp(source, 'gm')

/** Words of iCalendar that must not be taken for one another because of one wrong letter. */
const KNOWN = [
  ...NAMES.split('|'),
  ...'TU TH SU SA MO WE FR DATE DUE EXRULE RELATED URL GEO DAYLIGHT STANDARD VEVENT'.split(' '),
]

const ICS: Kind[] = [
  after('ics: white space after the colon', gm(`(?<=${LINE}):`), ...WHITE),
  before('ics: white space before the colon', gm(`(?<=${LINE}):`), ...WHITE),
  around('ics: white space beside a separator', gm(`${IN_STRICT}[;=,]`), ...WHITE),
  put('ics: white space at the end of a line', gm('(?=\\r\\n(?! ))'), ...WHITE),
  put('ics: a fold that should be none', gm(`(?<=${STRICT}:[^\\r\\n]*\\r\\n)(?=[A-Z])`), ' ', '\t'),
  put('ics: no-break space before a line', /(?<=^|\r\n)(?=[A-Z])/g, '\u00a0'),
  put(
    'ics: white space in a time',
    gm(`${IN_STRICT}(?<=\\d{8})(?=T)|${IN_STRICT}(?<=T\\d{6})(?=Z)`),
    ...WHITE,
  ),
  put('ics: white space in a name', gm('(?<=^(?:DT|RR|EX|SUMM|LOC|BEG|STAT|CL))(?=[A-Z])'), ...WHITE),
  otherCase('ics: case of a name', gm('^[A-Z-]+(?=[;:])')),
  otherCase('ics: case of a parameter', /(?<=;)(?:TZID|VALUE)(?==)/g),
  otherCase(
    'ics: case of a value',
    gm(`(?<=^(?:BEGIN|END|STATUS|CLASS|RRULE)[:;].*)\\b[A-Z]{2,}\\b|(?<=VALUE=)DATE|(?<=\\d)[TZ]`),
  ),
  otherCase('ics: case of a zone', /(?<=TZID="?|TIMEZONE:)[A-Z][\w/ ]+/g),
  misspelt(
    'ics: misspelt name',
    gm(
      '^(?:DTSTART|DTEND|DURATION|RRULE|EXDATE|RDATE|RECURRENCE-ID|STATUS|CLASS|SUMMARY|LOCATION|UID)(?=[;:])',
    ),
    KNOWN,
  ),
  misspelt('ics: misspelt BEGIN or END', gm('^(?:BEGIN|END)(?=:)'), KNOWN),
  misspelt('ics: misspelt component', gm('(?<=^(?:BEGIN|END):)(?:VEVENT|VCALENDAR|VTIMEZONE)'), KNOWN),
  misspelt('ics: misspelt parameter', /(?<=;)(?:TZID|VALUE)(?==)/g, KNOWN),
  misspelt('ics: misspelt type', /(?<=VALUE=)DATE/g, KNOWN),
  misspelt('ics: misspelt status', gm('(?<=^STATUS:)[A-Z]+'), ['CANCELED']),
  misspelt('ics: misspelt class', gm('(?<=^CLASS:)[A-Z]+')),
  misspelt('ics: misspelt rule', gm('(?<=^RRULE:.*)[A-Z]{3,}(?:[=;]|$)'), KNOWN),
  misspelt('ics: misspelt zone', /(?<=TZID="?|TIMEZONE:)(?:Europe|Asia|Clubhouse|Tokyo)[\w/ ]+/g),
  lost('ics: lost quote', /"/g),
  put('ics: quote in a value', gm(`(?<=${STRICT}:)|(?<=${STRICT}:[^\\r\\n]+)(?=\\r\\n)`), '"'),
  put('ics: quote in a parameter', /(?<=;\w+=)(?=\w)|(?<=;\w+=\w[^:"\r\n]*)(?=:)/g, '"'),
  lost('ics: fold without its blank', /(?<=\r\n) /g),
  put(
    'ics: line broken without a blank',
    gm(
      '(?<=^(?:SUMMARY|LOCATION|DTSTART|DTEND|RRULE|EXDATE|UID|RECURRENCE-ID)[;:][^\\r\\n]{4,})(?=[^\\r\\n]{3})',
    ),
    '\r\n',
  ),
  put('ics: blank too many in a fold', gm(`(?<=${STRICT}:[^\\r\\n]{3})(?=[^\\r\\n])`), '\r\n  ', '\r\n\t '),
  put('ics: empty line', /(?<=\r\n)(?! )/g, '\r\n', ' \r\n'),
  put('ics: empty line in a fold', /(?<=\r\n)(?= )/g, '\r\n'),
  put('ics: other line end', /\r\n/g, '\n', '\r'),
  lost('ics: lost VALUE', /;VALUE=DATE/g),
  lost(
    'ics: lost TZID beside that of the start',
    gm('(?<=^(?:EXDATE|RDATE|RECURRENCE-ID|DTEND));TZID=[^:\\r\\n]*'),
  ),
  lost('ics: TZID without a value', /(?<=;TZID=)[^:\r\n]+/g),
  lost('ics: zone without TZID', /(?<=;)TZID=(?=[^:\r\n]+:)/g),
  put(
    'ics: invalid byte in a value',
    gm(`(?<=${LINE}:)(?=[^\\r\\n])|(?<=${LINE}:[^\\r\\n]{3})(?=[^\\r\\n])`),
    BAD_BYTE,
  ),
  put('ics: invalid byte in a name', gm('(?<=^[A-Z]{2})(?=[A-Z-]*[;:])'), BAD_BYTE),
  lost('ics: lost colon', gm(`(?<=${LINE}):`)),
  doubled('ics: doubled colon', gm(`(?<=${STRICT}):`)),
  lost('ics: lost separator', gm(`${IN_STRICT}[;=,]`)),
  doubled('ics: doubled separator', gm(`${IN_STRICT}[;=,]`)),
  lost('ics: lost BEGIN', gm('^BEGIN:\\w+\\r\\n')),
  lost('ics: lost END', gm('^END:\\w+\\r\\n')),
  lost('ics: lost line', gm('^(?:UID|DTSTART|RECURRENCE-ID|TZID|TZOFFSETTO|VERSION|DTSTAMP)[;:].*\\r\\n')),
]

const csv = (separator: string): Kind[] => {
  // What is within quotes is a text.
  const at = new RegExp(`(?<=^(?:[^"]|"[^"]*")*)${separator}`, 'g')
  const white = WHITE.filter(text => text !== separator)
  const cell = (source: string) => new RegExp(`(?<=^|[\\n${separator}])${source}(?=[\\n${separator}])`, 'g')
  return [
    around('csv: white space beside a separator', at, ...white),
    put('csv: white space at the end of a line', /(?=\n(?!und ein))/g, ...white),
    put('csv: white space before a line', /(?<=^|\n)(?!und ein)(?=\S)/g, ...white),
    otherCase('csv: case of a heading', /(?<=^[^\n]*)\p{L}[\p{L} ]+/gu),
    misspelt('csv: misspelt heading', /(?<=^[^\n]*)\p{L}[\p{L} ]+/gu),
    otherCase('csv: case of a word', cell('(?:Yes|No|Ja|Nein|True|False|Cancelled|Abgesagt|Bestätigt)')),
    misspelt('csv: misspelt word', cell('(?:Yes|Nein|True|False|Cancelled|Abgesagt|Bestätigt)'), [
      'Canceled',
      'ein',
    ]),
    misspelt('csv: misspelt zone', /Europe\/Berlin|Asia\/Tokyo/g),
    misspelt('csv: misspelt month', /(?:March|June)(?= \d)/g),
    otherCase('csv: case of a month', /(?:March|June)(?= \d)|(?<=\d )PM/g),
    lost('csv: lost quote', /"/g),
    put('csv: quote before a cell', new RegExp(`(?<=[\\n${separator}])(?=[^"\\n${separator}])`, 'g'), '"'),
    put(
      'csv: quote after a cell',
      new RegExp(
        `(?<=[\\n${separator}](?:[-\\d.:/h ]+|Yes|No|Nein|Ja|True|False))(?=[\\n${separator}])`,
        'g',
      ),
      '"',
    ),
    lost('csv: lost separator', at),
    doubled('csv: doubled separator', at),
    put('csv: invalid byte', /(?<=[\p{L}\d])(?=[\p{L}\d]{2})/gu, BAD_BYTE),
    lost('csv: lost line end', /\n(?!und|$)/g),
    put('csv: empty line', /(?<=\n)(?!und)/g, '\n', ' \n'),
    put('csv: other line end', /\n/g, '\r\n', '\r'),
    lost('csv: lost headings', /^[^\n]*\n/g),
    doubled('csv: doubled mark in a time', /(?<=\d)[-.:/h](?=\d)/g),
    around('csv: white space in a time', /(?<=\d)[-.:/h](?=\d)/g, ...white),
    lost('csv: lost mark in a day', /(?<=\d)[-./](?=\d)/g),
  ]
}

const KEYS = '(?:@context|@type|name|startDate|endDate|eventStatus|location|address)'

const HTML: Kind[] = [
  around('page: white space beside a token', /(?<!https?)[{}[\]:,](?=["\n{[ ])/g, ...WHITE),
  otherCase('page: case of a key', new RegExp(`(?<=")${KEYS}(?=" ?:)`, 'g')),
  misspelt('page: misspelt key', new RegExp(`(?<=")${KEYS}(?=" ?:)`, 'g')),
  misspelt('page: misspelt type', /(?<="@type": ?")\w+/g),
  otherCase('page: case of a type', /(?<="@type": ?")\w+/g),
  misspelt('page: misspelt status', /(?<=schema\.org\/)Event\w+/g, ['EventCanceled']),
  otherCase('page: case of a status', /(?<=schema\.org\/)Event\w+/g),
  lost('page: lost quote', /"(?!en)/g),
  doubled('page: doubled quote', /"(?!en)/g),
  lost('page: lost mark', /(?<=[\]}"]) ?[:,](?=["\n{ ])|(?<=\n)[{}[\]]/g),
  doubled('page: doubled mark', /(?<=[\]}"]) ?[:,](?=["\n{ ])|(?<=\n)[{}[\]]/g),
  put('page: invalid byte', /(?<=(?:name|startDate|endDate|address)": ?"\w+)(?=\w{2})/g, BAD_BYTE),
  doubled('page: doubled mark in a time', /(?<=\d)[-:T](?=\d)/g),
  around('page: white space in a time', /(?<=\d)[-:T](?=\d)/g, ...WHITE),
  lost('page: lost mark in a day', /(?<=\d)[-T](?=\d\d(?!:\d\d"))/g),
  lost('page: lost line', /^"(?:name|startDate)".*\n(?="(?:startDate|endDate))|^"@type": "\w*Event".*\n/gm),
  misspelt('page: misspelt script', /(?<=<)script|application\/ld\+json/g),
  otherCase('page: case of a script', /(?<=<)script|application\/ld\+json/g),
  lost('page: lost end of a script', /<\/script>/g),
]

const SEPARATORS: Record<string, string> = {
  'english.csv': ',',
  'german.csv': ';',
  'french.csv': ';',
  'tabs.csv': '\t',
}

/** The slips in a file. */
export const kindsOf = (file: string): readonly Kind[] =>
  file.endsWith('.ics') ? ICS : file.endsWith('.html') ? HTML : csv(SEPARATORS[file] ?? ',')
