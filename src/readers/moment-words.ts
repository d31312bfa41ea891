// The words of days and times that cells of spreadsheets and announcements have in common, in English,
// German, French and Spanish. All languages are read at once: a French text of a Swiss club has German
// weekdays. Words are in lower case without accents.

import { fold } from '../kit/lib/text.ts'

/** Numbers by words: those of the first line are 1, those of the second line 2. */
const numbersByWord = (lines: readonly string[]): ReadonlyMap<string, number> =>
  new Map(lines.flatMap((line, i) => line.split(' ').map((word): [string, number] => [word, i + 1])))

/** Months. They are listed, since asking Intl for them takes longer than reading a text. */
export const MONTHS = numbersByWord([
  'january jan januar janner enero ene janvier janv',
  'february feb febr februar feber febrero fevrier fevr fev',
  'march mar marz maerz mrz marzo mzo mars',
  'april apr abril abr avril avr',
  'may mai mayo',
  'june jun juni junio juin',
  'july jul juli julio juillet juil juill',
  'august aug agosto ago agto aout aou',
  'september sept sep septiembre setiembre set septembre',
  'october oct oktober okt octubre octobre',
  'november nov noviembre novembre',
  'december dec dezember dez diciembre dic decembre',
])

/** Weekdays, Monday is 1. */
const WEEKDAYS = numbersByWord([
  'monday mon montag mo lunes lun lundi lu',
  'tuesday tue tues dienstag di martes mar mardi ma',
  'wednesday wed weds mittwoch mi miercoles mierc mie mercredi merc mer me',
  'thursday thu thur thurs donnerstag do jueves juev jue jeudi jeu je',
  'friday fri freitag fr viernes vie vendredi vendr vend ven ve',
  'saturday sat samstag sonnabend sa sabado sab samedi sam',
  'sunday sun sonntag so domingo dom dimanche dim',
])

/** A German weekday with a part of the day: `Samstagabend`, `mittwochnachmittags`. */
const WITH_PART = /^(.+(?:tag|woch))(?:morgen|vormittag|mittag|nachmittag|abend|nacht)s?$/

/**
 * The weekday that a word names, also in the plural or with a part of the day: `sábados`, `Samstagen`,
 * `Samstagabend`; 0 for any other word.
 */
export function weekdayOf(word: string): number {
  const number =
    WEEKDAYS.get(word) ?? (word.length > 4 ? WEEKDAYS.get(word.replace(/(?:en|s|e)$/, '')) : undefined)
  if (number !== undefined) return number
  const [, weekday] = word.length > 10 ? (WITH_PART.exec(word) ?? []) : []
  if (weekday !== undefined) return weekdayOf(weekday)
  // Rosenmontag, Ostersonntag
  return word.length > 9 && word.endsWith('tag')
    ? (WEEKDAYS.get(/(?:mon|diens|donners|frei|sams|sonn)tag$/.exec(word)?.[0] ?? '') ?? 0)
    : 0
}

/** True for a cell that names a day of the week, also in short: `Sa.` */
export const isWeekdayCell = (cell: string): boolean => weekdayOf(fold(cell).replace(/\.$/, '')) > 0

export const setOfWords = (words: string): ReadonlySet<string> => new Set(words.split(' '))

export const HOUR_WORDS = setOfWords('uhr h hs hrs hr horas hora heures heure')

/** Words that name the half of the day after a time. */
export const HALVES: ReadonlyMap<string, 'am' | 'pm'> = new Map([
  ['am', 'am'],
  ['pm', 'pm'],
  ['abends', 'pm'],
  ['nachmittags', 'pm'],
  ['morgens', 'am'],
  ['vormittags', 'am'],
  ['fruh', 'am'],
  ['mittags', 'pm'],
])
/** Words that name the half of the day after “de la”, “du” or “in the”: `de la tarde`, `in the evening`. */
export const HALVES_OF_DAY: ReadonlyMap<string, 'am' | 'pm'> = new Map([
  ['manana', 'am'],
  ['madrugada', 'am'],
  ['tarde', 'pm'],
  ['noche', 'pm'],
  ['matin', 'am'],
  ['soir', 'pm'],
  ['morning', 'am'],
  ['morgen', 'am'],
  ['afternoon', 'pm'],
  ['evening', 'pm'],
  ['vormittag', 'am'],
  ['nachmittag', 'pm'],
  ['abend', 'pm'],
])

export const AT_NOON = setOfWords('noon midday midi mediodia')
export const AT_MIDNIGHT = setOfWords('midnight mitternacht minuit medianoche')

/** Words between the first and the last day or time, separated by spaces. */
export const UNTIL_WORDS = '- bis to till til until through thru a au al hasta'

/** Words for 1 to 20, also those of dialects for hours and those of days. */
const UP_TO_TWENTY = [
  'one ein eins eine einen einsi un une uno una first erste ersten erster premier primer primero',
  'two zwei zwoi zwo deux dos second zweite zweiten segundo',
  'three drei dru drii trois tres third dritte dritten tercero',
  'four vier vieri quatre cuatro fourth vierte vierten',
  'five funf foifi fufi cinq cinco fifth funfte funften fiver',
  'six sechs sachsi seis sixth',
  'seven sieben sibni sept siete seventh',
  'eight acht achti huit ocho eighth',
  'nine neun nuni neuf nueve ninth',
  'ten zehn zani zahni dix diez tenth tenner',
  'eleven elf elfi onze once',
  'twelve zwolf zwolfi douze doce',
  'thirteen dreizehn treize trece',
  'fourteen vierzehn quatorze catorce',
  'fifteen funfzehn quinze quince',
  'sixteen sechzehn seize dieciseis',
  'seventeen siebzehn diecisiete',
  'eighteen achtzehn dieciocho',
  'nineteen neunzehn diecinueve',
  'twenty zwanzig vingt veinte',
]
/** Words for tens, and for numbers above twenty that are one word. */
const OTHER_NUMBERS: readonly (readonly [number, string])[] = [
  [21, 'veintiuno veintiuna'],
  [22, 'veintidos'],
  [23, 'veintitres'],
  [24, 'veinticuatro'],
  [25, 'veinticinco'],
  [30, 'thirty dreissig trente treinta'],
  [40, 'forty vierzig quarante cuarenta'],
  [50, 'fifty funfzig cinquante cincuenta'],
]
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [...UP_TO_TWENTY.map((words, i) => [i + 1, words] as const), ...OTHER_NUMBERS].flatMap(([number, words]) =>
    words.split(' ').map((word): [string, number] => [word, number]),
  ),
)
/** Words between the tens and the ones: “vingt et un”, “treinta y uno”. */
const AND = setOfWords('et y and')

/**
 * The numbers that folded words say, also as a part of another: `twenty one` says 20, 1 and 21. In whole texts
 * many such words are articles.
 */
export function speltNumbers(words: readonly string[]): number[] {
  const parts = words
    .filter(word => !AND.has(word))
    .flatMap(word => word.split(/und(?=zwanzig$|dreissig$|vierzig$|funfzig$)/))
  const numbers = parts.map(word => NUMBER_WORDS.get(word) ?? 0)
  const sums = numbers.map((number, i) => {
    const next = numbers[i + 1] ?? 0
    const [ten, one] = number < next ? [next, number] : [number, next]
    return one > 0 && one < 10 && ten >= 10 && ten % 10 === 0 ? ten + one : 0
  })
  return [...numbers, ...sums].filter(number => number > 0)
}
