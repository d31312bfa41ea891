/**
 * The words of one language by what they say: in lower case without accents, separated by blanks; phrases by
 * bars. Every language has the same.
 */
export type Words = Readonly<{
  /** Words that may stand between a weekday, a day and a month: `der 5. Juni`, `on the 5th of June`. */
  small: string
  /** Before a weekday: the coming one. */
  coming: string
  /** With a weekday: the next, or the one after it. */
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
  /** Words of sentences in which days and times are of something else. */
  otherMatters: string
  cancelled: string
  /** Phrases that say the same. */
  calledOff: string
  /** Phrases that mean “called off” after a negation: “not going ahead”. */
  takingPlace: string
  postponed: string
  /** Words beside the date that replaces another. */
  newDate: string
  /** With “postponed”: there is no new date. */
  noDateYet: string
  /** Between what is not and what is: “nicht am 5., sondern am 6.” */
  but: string
  /** Phrases of sentences that say what happens if it rains. */
  conditional: string
  negations: string
  /** Words beside a day that is sold out while others are not. */
  full: string
  free: string
  collected: string
  /** Words before an amount that is admission. */
  admission: string
  /** Who pays an amount, which is admission unless another price is meant. */
  audience: string
  /** Around an amount that is not admission. */
  notAdmission: string
  /** The beginnings of letters and mails. */
  greetings: string
  /** `five=5` */
  numbers: string
  /** Which weekday of a month: `second=2`, the last one is -1. */
  ordinals: string
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
  /** Words of announcements that rules, minutes, vacancies and notices lack. */
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
}>
