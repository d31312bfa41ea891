/** Words of titles and costs, and of texts that announce nothing. */
export type WhatWords = {
  /** After “free”, where everybody pays nothing: “a free event”. */
  eventNouns: string
  /** Phrases for free admission: “no entry fee”, but not “no entry after 8”. */
  nothingToPay: string
  /**
   * Those who pay nothing, which is no reason to say that admission may be free: “children under 12 free”.
   */
  childrenFree: string
  /** Beside donations that were collected before, or are of blood: “The last collection raised £300”. */
  notCollectedNow: string
  /** What guests who pay nothing do: “free to play”, but not “free to park”. */
  afterFreeTo: string
  /** Words for nothing as a price: “members nothing”. */
  nothing: string
  /** What people who pay nothing show: “7 € / mit Kurkarte frei”. */
  cardsOfHolders: string
  /**
   * Forms of “free” that stand before their noun, and need not be about the price: “free vintage bus”, “freie
   * Platzwahl”.
   */
  freeBeforeNoun: string
  /**
   * Words that belong to the name of no event: pronouns, conjunctions and the like, as in “our next concert”.
   */
  outsideNames: string
  /** Before an event that is over: “last concert”. */
  beforePastKinds: string
  /**
   * Before an event that only says when another one begins or ends, or one that does not take place: “after
   * mass”, “no class”.
   */
  beforeOtherKinds: string
  /** Events that go somewhere, and whose names say where: “walk through the woods”. */
  outings: string
  /** Between an outing and where it goes: “Ausflug nach Lindau”, “walk around the lake”. */
  towards: string
  /** Words for money after an amount, apart from those with a sign or a code: “50 pesos”. */
  currencies: string
  /** The first parts of German compounds for what one pays: “Teilnahmegebühr”. */
  feeCompounds: string
  /** Words around an amount that do not say what is paid for: “just £5”, “pro Abend je 5 €”. */
  neutralAroundPrices: string
  /** Verbs before a price: “Der Kurs kostet 40 €”. */
  costs: string
  /** Beside “free” or a number, where no price is meant: “al aire libre”, “12 places”. */
  freeButNotOfCharge: string
  /**
   * Words for what one pays if a colon follows, and else for what one wins: “Prix : 12 €”, but “1er prix :
   * 800 €”.
   */
  labelsOfPrices: string
  /** Before what comes on top of the admission, or is taken off it: “plus £2 for materials”. */
  beforeSurcharges: string
  /** Right after what comes on top of another amount: “2 € mehr”. */
  afterSurcharges: string
  /** Before an amount that is not exact: “plus about £5 for paper”. */
  aboutPrices: string
  /** Currencies in which 1,000 is too much for admission: “1500 €”, but “1500 pesos”. */
  dearCurrencies: string
  /** After a price, before what else is in it or comes on top of it: “£10 including lunch”. */
  including: string
  /** After what is in the price: “22 €, boissons comprises”. */
  included: string
  /** Before the unit of a price: “£38 a year”, “25 € pro Kopf”. */
  perUnit: string
  /** Words for a year, for which members pay: “£38 a year”. */
  yearsOfDues: string
  /** One word after a price that says “a year”: “£38 yearly”. */
  yearly: string
  /** After a number that is the age of those who pay an amount: “-12 ans”, “18+”. */
  yearsOfAge: string
  /** Words for people after a number that counts them, and is no price: “12 personnes au maximum”. */
  personsCounted: string
  /** Verbs between who pays and the price: “Gäste zahlen 19”. */
  paying: string
  /** Before the age of who pays an amount: “mayores de 65, 10 €”. */
  beforeAgeOfPayers: string
  /** Before a price that holds later, or for all others: “8 € until midnight, then 10”. */
  beforeLaterPrices: string
  /**
   * What members pay for a year or a month, in whose sentence no amount is admission: “Subs are due on the
   * night, £32”.
   */
  dues: string
  /** Between two amounts of a list: “10 oder 12 €”. */
  betweenPrices: string
  /** Words of headings of rules and menus, below which no event is announced: “Pool Rules”. */
  rulesAbove: string
  /** Words of houses that are closed: “wegen Inventur geschlossen”. */
  housesClosed: string
  /** Words for opening hours, beside “usual” or the like: “übliche Öffnungszeiten”, “horario normal”. */
  hoursAsUsual: string
  /** Before what is forbidden: “no dogs on the beach”, but “hot dogs” are food. */
  beforeForbidden: string
  /** Who may not come along: “no dogs on the beach”. */
  dogs: string
  /** What is “off” in a notice: “your water will be off”, but a “kick-off” is not. */
  supplies: string
  /** Before the school holidays that are left out: “every Tuesday (not half term)”. */
  beforeHalfTerm: string
  /** What people need not have: “no appointment necessary”. */
  notNeeded: string
  /** Before what people need not have: “no appointment necessary”. */
  beforeNotNeeded: string
  /**
   * Right before the days on which a pool or a garden is open: “Temporada: 15 de diciembre al 7 de marzo”.
   */
  seasonsOfHouses: string
  /** Before the days on which a pool is open: “Abierta del 2 de enero al 28 de febrero”. */
  openFrom: string
  /** Before the first of some days: “du 2 au 27 février”. */
  beforeFirstOfDays: string
  /** Words for work, which fairs may be about: “Feria de empleo”, but “Empleo: camarero”. */
  work: string
  /** Before what one person has: “your next appointment”. */
  yours: string
  /** What one person has or awaits: “your next appointment”, “votre colis”. */
  ownMatters: string
  /** The writer of a text: “Ich fliege am Samstag”. */
  firstPerson: string
  /** What the writer does, and nobody else comes to: “I am away on Friday”. */
  ownWays: string
  /** What the writer does, in a Spanish verb that says who goes: “Vuelvo el domingo”. */
  ownWaysInOneWord: string
  /**
   * Words of a sentence that offers something, invites, or says that it takes place: “Die nächste
   * Schlachtplatte gibt es am …”.
   */
  announcing: string
  /** First in a row that says that there is nothing: “no class”, «spielfrei». */
  noneInRow: string
  /**
   * Verbs of those who look for people, in the case in which they are written: “sucht ab 1. März eine
   * Aushilfe”, but “Sucht und Familie”.
   */
  lookingForPeople: string
  /** Words in headings of those who look for people on some weekdays: “Drivers wanted!” */
  seekingInHeadings: string
  /** Words for days, after which the days follow: “Die nächsten Daten: 3. Februar”. */
  datesAhead: string
  /** Words that say what is changed about an event: “Neuer Ort: …”. */
  whenOrWhereChanged: string
  /** Words that stand beside verbs, so that the sentence is a clause: “wir singen”, “we meet”. */
  besideVerbs: string
  /** Articles, and words that say whose something is: “the”, “unser”, “notre”. */
  articlesAndOwners: string
  /** Before a colon and a title: “Was: Sommerfest”. */
  labelsOfTitles: string
  /** Before a colon and a title, to say what kind of notice it is: “Rappel : loto”. */
  labelsOfNotices: string
  /** Before a colon and a person: “Leitung: Brigitte Söllner”. */
  labelsOfPersons: string
  /** Before the date of something else, or a new one: “Another date for your diary: the gala”. */
  beforeFurtherDates: string
  /** Verbs of those who inform: “Die Gemeinde informiert: …”. */
  informing: string
  /** Before a place: “in the hall”, “beim Rathaus”. */
  inOrAt: string
  /** Before a place in French: “au foyer”. */
  frenchAu: string
  /** Before any place, and often before other words: “à la salle”, “an der Schule”. */
  aBeforePlaces: string
  /** Before where something goes: “trip to Kew”, “Fahrt nach Lindau”. */
  toPlaces: string
  /**
   * Before a place, an owner, company or a purpose, apart from the words for “in”, “of”, “for” and “with”:
   * “by the Town Band”.
   */
  prepositionsOfTitles: string
  /** What follows the apostrophe in a verb: “we’ll”, “they’re”, “won’t”. */
  contractions: string
  /** Before a clause that says why or when: “As Tuesday is a holiday, …”. */
  subordinates: string
  /** Words beside genres in the lines of a programme: “New exhibition”, “Conférence publique”. */
  besideGenres: string
  /** Genres that are titles where no name stands near them: “Buchvorstellung”. */
  namedGenres: string
  /** Words beside a day or an hour, in a line that says only when: “Datum: 5. März, 20 Uhr”. */
  besideDayOrHour: string
  /** Between who shows something and its name: “The Tatty Players present The Winter Guest”. */
  shows: string
  /** At the end of a clause whose subject names what takes place: “Die Strickgruppe trifft sich …”. */
  meets: string
  /** Before what people are invited to in German: “lädt um 15 Uhr zur Führung ein”. */
  invitingTo: string
  /** German verbs that invite, whose other half is “ein”: “lädt zur Führung ein”. */
  germanInvites: string
  /** Before “se” within a title: “Elle se lève”. */
  beforeReflexive: string
  /** Before “lieu”: “la conférence a lieu le mardi”. */
  beforeLieu: string
  /** Verbs between a title and its day: “Das Suppenfest ist heuer am 21. Februar”. */
  betweenTitleAndDay: string
  /** Between a title and its day: “Pleno para el día 28”. */
  dayAfterTitle: string
  /** Before the time of an event, or of what is before it: “Emmausgang, Treffpunkt 6 Uhr”. */
  aroundTimesAfterTitle: string
  /** What a course is counted in, apart from its meetings: “acht Mal”. */
  timesOfCourses: string
  /** Before news in a message: “Sorry all, the talk …”. */
  beforeNews: string
  /** Before the status of an event in a form: “Status: confirmed”. */
  labelsOfStatus: string
  /**
   * Before who plays: “mit der Kapelle „Blechschaden“”, “music by "The Tweed Boys"”, “Musik: die „Moosbuam“”.
   */
  beforePlayers: string
  /** Words for those who wrote a work: “The author of “The Ice Harvest” talks about …”. */
  authors: string
  /** Series of which an event is a part: “Dentro del ciclo «Noches de invierno»”. */
  programmesOfEvents: string
  /** Verbs that ask somebody to come, or to note the day: “Et notez déjà : le bal”. */
  comingAlong: string
  /** Who speaks, or is spoken to: “Can you add our concert?” */
  personsSpokenTo: string
  /** Before a day or a week that is near: “este mes”. */
  thisBeforeDays: string
  /** Stretches of days, apart from the words for a week: “Weekend ahead”. */
  weekendsAndMonths: string
  /** Words that say what becomes of an event, and not which event it is: “Verlegung”. */
  changesOfTitles: string
  /**
   * First in a line that says only which date is meant, apart from the usual words for “next”: “Nächstes
   * Treffen”.
   */
  nextOnes: string
  /**
   * Words of lines that say only which of several meetings is meant: “First session”, “trois prochains
   * rendez-vous”.
   */
  numberedMeetings: string
  /** Words of events whose title says where they go: “Coach trip to Kew Gardens”. */
  trips: string
  /** Words of titles whose places belong to a story: “Film: Murder at the Vicarage”. */
  filmsAndPlays: string
}
