import { memoize } from '../../../kit/lib/memo.ts'
import type { Token } from '../words/tokens.ts'
import { comingDay, type DayMention, daysLater } from './day-mentions.ts'

// Feast days that a text names without a date: “Pancake supper on Shrove Tuesday, 6 pm”.

/** Feasts by the days from Easter Sunday to them; bars stand between names. */
const MOVABLE: Readonly<Record<number, string>> = {
  [-52]: 'weiberfastnacht|schmutziger donnerstag|schmutzigen donnerstag|jueves lardero',
  [-48]: 'rosenmontag|lunes de carnaval',
  [-47]:
    'shrove tuesday|pancake day|faschingsdienstag|fastnachtsdienstag|veilchendienstag|mardi gras|martes de carnaval',
  [-46]: 'ash wednesday|aschermittwoch|mercredi des cendres|miercoles de ceniza',
  [-21]: 'mothering sunday',
  [-7]: 'palm sunday|palmsonntag|dimanche des rameaux|domingo de ramos',
  [-3]: 'maundy thursday|holy thursday|grundonnerstag|jeudi saint|jueves santo',
  [-2]: 'good friday|karfreitag|vendredi saint|viernes santo',
  [-1]: 'holy saturday|karsamstag|samedi saint|sabado santo|sabado de gloria',
  0: 'easter sunday|easter day|ostersonntag|dimanche de paques|domingo de resurreccion|domingo de pascua',
  1: 'easter monday|ostermontag|lundi de paques|lunes de pascua',
  39: 'ascension day|himmelfahrt|jeudi de l ascension|jeudi de ascension',
  49: 'whit sunday|pfingstsonntag|dimanche de pentecote',
  50: 'whit monday|pfingstmontag|lundi de pentecote',
  60: 'fronleichnam',
}
/** Feasts by their month and day. */
const FIXED: Readonly<Record<string, string>> = {
  '01-01': 'new year s day|new years day|neujahrstag|jour de l an',
  '01-06': 'dreikonigstag|dia de reyes',
  '03-17': 'st patrick s day|st patricks day',
  '11-01': 'allerheiligen|todos los santos',
  '12-06': 'nikolaustag',
  '12-24': 'christmas eve|heiligabend|heiligen abend|nochebuena',
  '12-25': 'christmas day|jour de noel|dia de navidad',
  '12-26': 'boxing day|stephanstag|stefanitag',
  '12-31': 'new year s eve|new years eve|silvester|saint sylvestre|nochevieja',
}

/** Easter Sunday of a year, by the Gregorian rule in the form of Oudin (1940). */
function easter(year: number): string {
  const century = Math.trunc(year / 100)
  const golden = year % 19
  const moon =
    (century -
      Math.trunc(century / 4) -
      Math.trunc((century - Math.trunc((century - 17) / 25)) / 3) +
      19 * golden +
      15) %
    30
  const corrected =
    moon -
    Math.trunc(moon / 28) *
      (1 - Math.trunc(moon / 28) * Math.trunc(29 / (moon + 1)) * Math.trunc((21 - golden) / 11))
  const weekday = (year + Math.trunc(year / 4) + corrected + 2 - century + Math.trunc(century / 4)) % 7
  return daysLater(`${year}-03-01`, corrected - weekday + 27)
}

/** A feast by one of its names, and its date in a year. */
type Feast = { words: readonly string[]; dateIn: (year: number) => string }

const feastsNamed = (names: string, dateIn: Feast['dateIn']): Feast[] =>
  names.split('|').map(name => ({ words: name.split(' '), dateIn }))

const feastsByFirstWord = memoize((): ReadonlyMap<string, readonly Feast[]> => {
  const movable = Object.entries(MOVABLE).flatMap(([days, names]) =>
    feastsNamed(names, year => daysLater(easter(year), Number(days))),
  )
  const fixed = Object.entries(FIXED).flatMap(([day, names]) => feastsNamed(names, year => `${year}-${day}`))
  return Map.groupBy([...movable, ...fixed], ({ words: [first = ''] }) => first)
})

/** The feasts that a text names, each on its coming day. */
export function feastsIn(tokens: readonly Token[], today: string): DayMention[] {
  const words = tokens.flatMap(({ kind, low }, at) => (kind === 'word' ? [{ low, at }] : []))
  const year = Number(today.slice(0, 4))
  return words.flatMap(({ low, at }, i) => {
    const feast = feastsByFirstWord()
      .get(low)
      ?.find(one => one.words.every((word, n) => words[i + n]?.low === word))
    if (!feast) return []
    const to = (words[i + feast.words.length - 1]?.at ?? at) + 1
    const said = yearAt(tokens, to)
    const dates = [year, year + 1].map(feast.dateIn).filter(one => one >= today)
    const date = dates.find(one => said === undefined || one.startsWith(said))
    // The feast of another year is over, and no weekday either.
    return [{ ...comingDay(at, to, date ?? today), isPast: date === undefined }]
  })
}

/** The year behind the name of a feast: “Karfreitag 1975”, “Viernes Santo de 1975”. */
function yearAt(tokens: readonly Token[], to: number): string | undefined {
  const year = tokens[tokens[to]?.low === 'de' ? to + 1 : to]
  return /^(?:19|20)\d\d$/.test(year?.text ?? '') ? year?.text : undefined
}
