import type { WhatWords } from './what-words.ts'
import type { WhenWords } from './when-words.ts'
import type { WhereWords } from './where-words.ts'

/**
 * The words of one language by what they say: in lower case without accents, words separated by spaces,
 * phrases by bars. Some have numbers: `five=5`. Every language has the same keys. “Before”, “after”,
 * “between” and “beside” at the head of a description say where the words of a key stand.
 */
export type Words = Readonly<GeneralWords & WhenWords & WhatWords & WhereWords>

type GeneralWords = {
  /** Words that may stand between a weekday, a day and a month: `der 5. Juni`, `on the 5th of June`. */
  small: string
  /** Before a weekday, which is then the coming one. */
  coming: string
  /** With a weekday, which is then the next one, or the one after it. */
  next: string
  /** Before the weekday of something that takes place each week. */
  every: string
  /** Words that say that each day of a run has a performance at the same time. */
  eachTime: string
  /** Around a time that is not the beginning: doors, deadlines, opening hours. */
  notTheBeginning: string
  /** Around a time that is the beginning. */
  beginning: string
  /** Before a day that is not the event's, such as a deadline. */
  notTheDay: string
  /** Words of sentences whose days and times are not those of the event. */
  otherMatters: string
  /** Words that say on their own that an event is off: “abgesagt”, “annulé”. */
  cancelled: string
  /** Phrases that say that an event is off. */
  calledOff: string
  /** Phrases that mean “called off” after a negation: “not going ahead”. */
  takingPlace: string
  /** Words for an event that is put off or moved: “verschoben”, “reporté”. */
  postponed: string
  /** Words beside the date that replaces another. */
  newDate: string
  /** Beside “postponed”, to say that there is no new date. */
  noDateYet: string
  /** Between what is denied and what is true: “nicht am 5., sondern am 6.” */
  but: string
  /** Phrases of sentences that say what happens if it rains. */
  conditional: string
  /** “not”, “no”, “never”, also where they follow the verb: “ne … pas”. */
  negations: string
  /** Words beside a day that is sold out while others are not. */
  full: string
  /** Words for what costs nothing: “Eintritt frei”, “gratuit”. */
  free: string
  /** Words for what people give as they like: “Kollekte”, “donations”. */
  collected: string
  /** Words before an amount that is admission. */
  admission: string
  /** Who pays an amount, which is admission unless another price is meant. */
  audience: string
  /** Around an amount that is not admission. */
  notAdmission: string
  /** The beginnings of letters and mails. */
  greetings: string
  /** Numbers in words: `five=5`. */
  numbers: string
  /** Which weekday of a month: `second=2`, the last one is -1. */
  ordinals: string
  /** After an ordinal and a weekday: “the first Monday of the month”. */
  ofMonth: string
  /** Phrases for every other week. */
  fortnight: string
  /** What a course is counted in: “8 Abende”. */
  meetings: string
  /** Words that begin or end the names of places. */
  places: string
  /** Words for kinds of buildings, which count beside a word of a known name: “Riverside Café”. */
  houses: string
  /** Other words for places where something takes place. */
  sites: string
  /** Words of streets that are named after a place: “Am Markt 1”, “rue Saint-Martin”. */
  streets: string
  /** Words of lines that say what kind of text it is, and when it was written. */
  sheets: string
  /** Words at which a title ends. */
  verbs: string
  /** Words of what stands before the event in a sentence: “leider”, “don't forget”. */
  leads: string
  /** Words that no title has: of greetings, of what surrounds an event, of why it is called off. */
  noTitles: string
  /** Words of the names of bodies, which stand in the head of a text: “Gemeinde Hintermoos”. */
  bodies: string
  /** Verbs whose object is the event. */
  presenting: string
  /** Words of kinds of events: “concert”. */
  kinds: string
  /** Words of parts of the day, which name an event with other words: “quiz night”. */
  occasions: string
  /** Ends of German compounds that name kinds of events: “Adventskonzert”. */
  kindEnds: string
  /** Between a kind and its subject: “talk on bees”. */
  links: string
  /** Headings of programmes, by kind or audience: “Musique”, “Jeune public”. They are no titles. */
  genres: string
  /** Words of rules and lists of fees. */
  rules: string
  /** Words of the minutes of meetings. */
  minutes: string
  /** Words of vacancies. */
  vacancies: string
  /**
   * Words of notices to residents and customers: water, roads, refuse, taxes, timetables, surgeries, school
   * holidays, what is to let, lost or on offer.
   */
  notices: string
  /** First words of texts that announce no event: “À vendre”. */
  otherHeadings: string
  /** Words that announcements have, but not rules, minutes, vacancies and notices. */
  inviting: string
  /** Phrases that only web pages have, in lines of their own: “Skip to content”, “Add to calendar”. */
  buttons: string
  /** Phrases of which menus of web pages consist: “Home”, “What's on”. */
  menus: string
  /** Headings of the other events that a web page offers. */
  related: string
  /** Words of the line that says when a house is open today. */
  opening: string
  /** Words beside “cookies” in a banner that asks for consent. */
  consent: string
  /** Programs in which a newsletter can be read: “View this email in your browser”. */
  browsers: string
  /** Verbs of a line that leads to a newsletter in a browser: “View online”, “im Browser anzeigen”. */
  verbsOfReading: string
  /** What a line at the top of a newsletter calls the newsletter: “Can't read this email?” */
  newsletters: string
  /** Where a newsletter can be read as well: “Onlineversion”, “version en ligne”. */
  onTheWeb: string
  /** What can be read on the web instead of the newsletter: “Webversion”, “versión web”. */
  versions: string
  /** Words of a line that only says to click: “Cliquez ici”. */
  clickHere: string
  /** Words of lines for leaving a newsletter: “Unsubscribe”, “darse de baja”. */
  unsubscribing: string
  /** The only words of a line of thanks at the end of a letter: “Many thanks in advance,” */
  linesOfThanks: string
  /** Greetings that begin other sentences as well: “All welcome!” */
  greetingsOfSentences: string
  /** Words of an answer that corrects the e-mail before it: “Rather Friday”, “lieber am Samstag”. */
  changesInAnswers: string
  /** Words for all that an answer leaves as it is: “Everything else stands”, “Der Rest stimmt”. */
  unchanged: string
  /** Words of the names that parishes give to days: “Second Sunday of Advent”. */
  daysOfChurchYear: string
  /** Beside the time that all events of a list have: “Beginn immer 20 Uhr”, “unless otherwise stated”. */
  timesOfAll: string
  /** Above the list of dates of those who are on tour: “Tourdaten”. */
  tours: string
  /** Beside rehearsals to which everybody may come: “Open rehearsal”, «répétition publique». */
  openRehearsals: string
  /** In the banner of a web page that asks for consent: “We use cookies”. */
  cookies: string
  /**
   * Words, without apostrophes, of the line of a web page that says when a house is open today: “Today’s
   * hours”.
   */
  todayOnPages: string
  /** Other words of the line of a web page that says when a house is open today: “We are open until 5 pm”. */
  hoursOnPages: string
  /** Words whose point ends no sentence: “Dr. Keller”. */
  abbreviations: string
  /** Labels in a line that has nothing else but a day and a time: “Date: 5 March, time: 7 pm”. */
  labelsOfMoments: string
  /** First in a line below the title that says place, price or doors: “Einlass 19 Uhr”. */
  detailsOfListings: string
  /** Above a list of events: “Programme”, “Concerts in March”. */
  headingsOfListings: string
  /** Words that nobody would end or begin a title with: “Concert on”. */
  looseInTitles: string
  /**
   * Small words that show that a title was cut after them, unless they have a capital: “Songs We Grew Up
   * With”.
   */
  smallAtEndOfTitles: string
  /** Words that say when or for whom; no title consists of them alone: “Einlass”, “new date”. */
  namingNothing: string
  /** Phrases that stand where something isn’t known yet: “TBA”, “noch offen”. */
  undecided: string
  /** Lower-case articles that a title in the middle of a sentence leaves out: “our quiz night”. */
  articlesBeforeTitles: string
  /** What is left of “heute Abend” and “die nächste” before a title. */
  restsOfDays: string
  /** Before “ferme” if it is a farm, not “closes” or “closed”: “à la ferme”. */
  beforeFarm: string
  /** Weekdays that are other words as well, unless a date follows: “so”, “sun”, “mar”. */
  shortWeekdays: string
  /** Beside a weekday that is then not the coming one, but a feast: “Palm Sunday”, “dimanche de Pâques”. */
  feastsBesideWeekdays: string
  /** Between days or times of a list, and between alternatives: “5, 6 and 7 March”. */
  and: string
  /** Before or around the days of one week: “Week of 17 January”, “Semana del 18 al 22 de enero”. */
  weeks: string
  /** Before the last day or hour of something: “bis 26. Januar”, “jusqu’en mai”. */
  upToMoment: string
  /** Before the first day of something: “ab 15. Februar”, “à partir du 5 mars”. */
  fromOn: string
  /** Before what comes earlier than the event: “nach der Messe”. */
  after: string
  /** Before a day that another one replaces: “reporté du 27 février”. */
  beforeOldDate: string
  /** Before an audience or a purpose: “for children”, “für den Urlaub”. */
  for: string
  /** Before what a text says is lacking: “sin sesión”. */
  withoutThings: string
  /** Words of sentences that thank: “Thank you for adding the concert”. */
  wordsOfThanks: string
  /** The day before another one: “am Vorabend des 1. Mai”, “la veille du 14 juillet”. */
  eves: string
  /**
   * Before the hour or day at which something ends: “terminamos el domingo a las 16 h”, “ends Sunday 7
   * March”.
   */
  ending: string
  /** Before company, or what belongs to something: “with music”, “mit Kurkarte”. */
  with: string
  /** Before what something belongs to: “the choir of Marsh Baldon”, “vom Turnverein”. */
  belongingTo: string
  /** Among the first words of the line before the names of those who write: “Kind regards,” */
  farewells: string
  /** Words that look like a kind of event and are none: “salle des fêtes”, “Feierabend”, “roof repairs”. */
  noKinds: string
  /** Before or after who holds an event: “organised by the WI”, “Veranstalter: Elternverein”. */
  holding: string
  /** What people travel in to an event: “Bus leaves at 12.45”. */
  vehicles: string
  /** Words that are more frequent in English texts than in others, to tell the language of a text. */
  englishWords: string
  /** Words of texts in languages other than English, to tell the language of a text. */
  wordsOfOtherLanguages: string
}
