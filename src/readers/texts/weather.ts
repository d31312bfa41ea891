import type { Span } from './words/plain.ts'
import { QUOTES } from './words/tokens.ts'

// “Whatever the weather”, and “if it is fine” as one hopes. Neither says anything about an event, unlike “if it
// rains”, after which another day or place follows.

const IN_ANY_WEATHER = [
  /\b(?:[Cc]ome )?[Rr]ain or shine\b/g,
  /\b[Ii]n (?:any weather|all weathers)\b/g,
  /\b(?:[Ww]hatever|[Rr]egardless of) the weather\b/g,
  /\b[Ww]eather permitting\b/g,
  /\b[Ii]f (?:the weather is |it is |it['’]s )?(?:fine|dry)(?=[,;:)])/g,
  /\b(?:[Aa]uch )?[Bb]ei (?:jedem|gutem|schönem|trockenem) Wetter\b/g,
  /\b[Bb]ei (?:jeder Witterung|Wind und Wetter|Regen (?:oder|und) Sonnenschein)\b/g,
  /\b[Aa]uch bei Regen\b/g,
  /\b[Pp]ar (?:tous les temps|tout temps|beau temps)\b/g,
  /\b[Qq]uel(?:le)? que soit (?:le temps|la météo)\b/g,
  /\b[Ss]i (?:le temps|la météo) le permet\b/g,
  /\b[Mm]ême (?:en cas de pluie|s['’]il pleut)\b/g,
  /\b[Hh]aga el tiempo que haga\b/g,
  /\b[Ll]lueva o (?:truene|haga sol)\b/g,
  /\b[Ss]i el (?:tiempo|clima) lo permite\b/g,
  /\b[Aa]unque llueva\b/g,
]

/** Not of a title in quotation marks: “Rain or shine” */
export const anyWeatherIn = (text: string): Span[] =>
  IN_ANY_WEATHER.flatMap(pattern =>
    [...text.matchAll(pattern)].flatMap(({ 0: phrase, index }): Span[] =>
      QUOTES.includes(text[index - 1] ?? ' ') ? [] : [[index, index + phrase.length]],
    ),
  )
