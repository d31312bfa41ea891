/** Words of days, times and of what becomes of them. */
export type WhenWords = {
  /** Words of headings above the services of a week: “Gottesdienstordnung”. */
  headingsOfWorship: string
  /** Feasts that last for days, each with points of its own: “Fasnacht Bärenwil”. */
  feastsOfDays: string
  /** What has a programme of its own, in which all points belong together: “Tagung”, “stage”. */
  withProgrammes: string
  /** Words of headings above events that many people hold: “Agenda”, “Veranstaltungen”. */
  headingsOfCalendars: string
  /** Phrases of headings above such events: “What’s on this week”, “Was ist los?”, “Semana Santa”. */
  phrasesAboveCalendars: string
  /** What goes after an amount of money: “12.50 Franken”. */
  afterAmount: string
  /** Before a bare number, which makes it a time: “at 7”, “um 8”. */
  beforeBareHour: string
  /** What is counted by bare numbers that are no times: “ab 12 Jahren”. */
  countedUnits: string
  /** Before two days, hours or numbers: “between 2 and 5 pm”, “entre 14 et 17 h”. */
  between: string
  /** Before the first hour of a span: “von 10 bis 12”. */
  beforeSpanOfHours: string
  /** Before what an event begins with: “first race 10.15”. */
  firstOfEvent: string
  /** Between a time and a word that says something about it: “jusque vers 18 h”, “bis etwa 22 Uhr”. */
  aboutTimes: string
  /** Labels of times: “Heure : 14h”, “curtain up 7.45”, “eyes down 7.30”. */
  labelsOfTimes: string
  /** Between the label of a time and the time: “curtain up 7.45”. */
  afterLabelsOfTimes: string
  /** Between minutes and the hour that they come after: “ten past seven”, “Viertel nach acht”. */
  pastHour: string
  /** Between minutes and the hour that they come before: “ten to seven”, “cuarto para las ocho”. */
  toHour: string
  /** Before an hour after which the German “am” leads to a place or a day: “von 10 bis 12 am Bahnhof”. */
  beforeHourAndAm: string
  /** Further words that deny the day or the time of an e-mail: “à 18 h et non à 20 h”. */
  negationsOfCorrections: string
  /** Before the weekday of a new date: “the following Saturday”. */
  beforeNextDay: string
  /** After the weekday, or “week”, of a new date: “the Saturday after”, “eine Woche später”. */
  afterNextDay: string
  /** Words of an answer that corrects an e-mail: “Sorry, the talk is on Thursday the 25th”. */
  corrections: string
  /** Before the day that is right: “is on the”, “findet am”, “c’est le”. */
  beforeRightDay: string
  /** Between a weekday that is corrected and its number: “Thursday, the 25th”. */
  beforeNumberOfCorrectedDay: string
  /** Words of texts that correct another one: “Errata: the poster says 5 March”. */
  errata: string
  /** Words of a match that is over: “We won 3–1 on Saturday”. */
  resultsOfMatches: string
  /**
   * Verbs in the past tense, and words that thank for what is over: “Der Basar am 5. Dezember war ein
   * Erfolg”.
   */
  pastTense: string
  /** Words that begin a sentence about last year: “Last year …”, “L’an dernier …”. */
  beforeLastYear: string
  /** Before what another text says by mistake: “el cartel pone viernes 5”. */
  beforePrinted: string
  /** Right before what another text says by mistake: “era el 12 de febrero”. */
  wasPrinted: string
  /** Texts that may have printed a wrong time: “Im Blatt stand 17 Uhr”. */
  printedMedia: string
  /** Before a day that is the name of a street: “rue du 8 mai”, “por 18 de Julio”. */
  beforeStreetOfDay: string
  /**
   * Sheets that come out again and again, in whose head their own date stands: “Parish newsletter, 17
   * January”.
   */
  periodicals: string
  /** Words of a heading above several events, as of a cinema: “Filme vom 7. bis 14. Februar”. */
  headingsOfSeveral: string
  /** Between a weekday and its number: “nächsten Freitag (also den 22.)”, “next Friday, that’s the 22nd”. */
  beforeNumberOfDay: string
  /** Before pairs of days whose month follows the last one: “weekends of 4/5 and 11/12 December”. */
  weekends: string
  /** After numbers that are no day: “10/12 ans”, “4.5 km”. */
  unitsAfterNumbers: string
  /** Between weekdays and their days: “Samstag und Sonntag, den 20. und 21. März”. */
  beforeListsOfDays: string
  /** What rounds and lessons are counted in, before their number: “Sesión 1 → 19 enero”. */
  countedMeetings: string
  /** Before a number that is no day: “20 Uhr 15”, “número 14”. */
  beforeNumberOfNoDay: string
  /** Between a street and a day, which is then no number of a house: “Marktplatz am 1., 2. Mai”. */
  beforeDaysNotStreets: string
  /** Before a day of the month: “den 12.”, “le 12”. */
  beforeDate: string
  /** After a weekday and before its number: “Friday night (22nd)”. */
  partsOfNamedDay: string
  /**
   * Words and marks of hours between the first and the last day of a stretch: “vendredi 19 mars 18h au
   * dimanche 21 mars”.
   */
  clockOfStretch: string
  /** Before the number of a day to which another one is moved: “reporté au 20”. */
  beforeMovedDay: string
  /** Before a new day that is earlier than the old one: “brought forward to the 10th”. */
  movedToEarlier: string
  /**
   * Verbs that move something to a day of the same month, unless that day is over: a text that means another
   * month names it.
   */
  movedWithinMonth: string
  /** Between a day and the one to which it is moved: “The talk on 6 March is now on the 20th”. */
  verbsOfMovingDays: string
  /**
   * Between the first day of a stretch and the hour at which it ends: “Friday 12 March to 8am Saturday 13
   * March”.
   */
  toLastHour: string
  /** Words before a day that a series leaves out: “sauf le 18 février”, “not on the 16th”. */
  exceptDays: string
  /** Days of which the text says no date: feasts and “bank holidays”. */
  holidaysWithoutDate: string
  /** After a weekday of Holy Week: “jeudi saint”. */
  holyWeekdays: string
  /** Beside a day that the series leaves out: “am 27.3. fällt sie aus”, “el 5 no hay sesión”. */
  leftOut: string
  /** Before the feast after which a church or a parish is named: “Pfarrei Allerheiligen”. */
  beforeFeastOfChurch: string
  /** Between a day and the feast that it is before: “the Saturday before Easter”. */
  beforeFeast: string
  /** Between a day and the feast that it is after, apart from “after”: “le lendemain de Noël”. */
  afterFeast: string
  /** Words that on their own mean the day after a feast: “le lendemain de Noël”. */
  dayAfterFeast: string
  /** Between words such as “before” and the feast: “víspera de la”, “nach dem”. */
  toFeast: string
  /** A day or a part of it that is counted from a feast: “the night before Christmas”. */
  daysBesideFeast: string
  /**
   * What takes place in the morning as often as in the evening: nobody knows which eight o’clock is meant.
   */
  kindsAtAnyEight: string
  /** Events that last until the morning: “disco, 10 to 2”. */
  nightlife: string
  /** What takes place in the morning if it may be in the evening as well: “story time 9.30 to 11”. */
  kindsOfMornings: string
  /** Before the time at which an outing leaves, in the morning: “Abfahrt 5.45 Uhr”. */
  departures: string
  /** After a vehicle that leaves: “Coach from Market Square at 8.30”. */
  afterVehicle: string
  /** Parts of the day in the line of a time that is before noon: “coffee morning, 10”. */
  partsOfMorning: string
  /** Parts of the day in the line of a time that is after noon: “tonight 7.30”. */
  partsOfEvening: string
  /** What takes place in the evening rather than in the morning: “quiz at 9”. */
  livelyKinds: string
  /** What begins in the morning from eight o’clock on: “8.00 Holy Communion”. */
  kindsOfEarlyMornings: string
  /** Words of walks in the mountains, which begin in the morning: “hikers meet at 8”. */
  wordsOfMountains: string
  /** Before a reason: “Due to illness the talk …”, “con motivo de las obras”. */
  beforeReason: string
  /**
   * Before what is already done each week, where the event has a day of its own: “Geprobt wird seit Oktober
   * jeden Dienstag”.
   */
  sinceLongAgo: string
  /**
   * Before the day on which a series ends, apart from “until” and “ends”: “every Monday, ending 22 March”.
   */
  endOfSeries: string
  /** With a day that is said to be one of a series as well: “every Friday, 26 March too”. */
  tooInSeries: string
  /**
   * At the head of a sentence, before a reason that may have a day: “Como el lunes 29 es festivo, …”, “Por
   * ser feriado …”.
   */
  beforeReasonAtHead: string
  /** Parts of today in a text that tells news: “la fuite d’eau constatée ce matin”. */
  morningsOfNews: string
  /** What is open at other hours than those of an event: “Box office open 10 to 4”. */
  servicesOfHouses: string
  /** At the head of a clause on what somebody does: “Our cook, who retires on 31 March, …”. */
  whoDoes: string
  /** Words of a price that is paid for some hours: “Parking costs £2 all day”. */
  pricesOfHours: string
  /** Labels of days on which one signs up: “Inscripciones del 18 al 27 de enero”. */
  registrations: string
  /** Verbs by which things are handed in: “puede traerlos los días 2, 3 y 4 de febrero”. */
  verbsOfHandingIn: string
  /** Words of days on which things are handed in or out: “dépôt vendredi 12 mars, vente samedi 13 mars”. */
  handedOver: string
  /** Words for giving out stalls, numbers or tickets: “Die Tische vergeben wir am Montag”. */
  givenOut: string
  /** What is given out before an event: “Die Tische vergeben wir am Montag”. */
  stallsAndTickets: string
  /**
   * Before “lieu” and “lugar” of a day that gave way to another: “au lieu du 3 mai”, “en lugar del 3 de
   * mayo”.
   */
  beforeLieuOfDay: string
  /** Names of days up to which something has to be done, or that close a house: “19 February: deadline”. */
  deadlines: string
  /** Words of a sentence that says when people meet: “Départ samedi à 9h au plus tard”. */
  wordsOfMeetingUp: string
  /** What begins to be sold on a day: “Der Vorverkauf für die Spielzeit beginnt am 1. März”. */
  salesOfTickets: string
  /** Verbs by which the sale of tickets begins: “Der Vorverkauf beginnt am 1. März”. */
  saleBegins: string
  /** Beside days that are over: “el pasado 4 de diciembre”, “le 5 décembre dernier”. */
  beforePastDay: string
  /** Right before a day up to which or after which something else is true: “add $15 after July 1”. */
  beforeLaterPrice: string
  /** Words for what can be had from a day on: “Karten gibt es ab 5. März”. */
  availableFrom: string
  /** Between what opens for bookings and its day: “Registration opens January 19”. */
  registrationOpens: string
  /** What opens on a day before the event: “Registration opens January 19”. */
  opensForBookings: string
  /** Before the first day of some on which people can register: “Inscripciones del 18 al 27 de enero”. */
  beforeDaysOfRegistration: string
  /** What comes out on a day that is not the event’s: “new album out 5 Feb”. */
  releases: string
  /** Right after the day on which something is published: “Am 18. Februar erscheint ihr neuer Roman”. */
  appears: string
  /** Right after a day on which a house is closed: “El sábado 27 cerramos”. */
  weClose: string
  /**
   * Right after a day on which a house is open at other hours: “am 14. Februar ausnahmsweise ab 10 Uhr
   * geöffnet”.
   */
  exceptionally: string
  /** What helpers do on a day before the event: “Aufbauhelfer treffen sich bereits am 9. Juni”. */
  helpersMeet: string
  /**
   * Trips for which an event collects, with their days in brackets: “proceeds go to the trip to the lake
   * (20–22 May)”.
   */
  tripsCollectedFor: string
  /** What runners get on a day before the race: “Number pick-up Friday”. */
  handedOutBeforeRace: string
  /** Between a break and its days: “Half term is 15–19 February”, “les vacances sont du 15 au 19”. */
  areDaysOfBreak: string
  /**
   * Prepositions right before a day that is not the event’s. Before anything else they say nothing about the
   * day, as in “by the Town Band”.
   */
  rightBeforeOtherDay: string
  /** Negations that may deny a day, unless they deny something else: “kein Training am 7. März”. */
  negationsOfDays: string
  /** After a negation that denies nothing: “Nicht verpassen!”, “not only for children”. */
  afterNegationOfNothing: string
  /** Before “date”, which is then for a case that may not come: “rain date 14 March”. */
  beforeDateInCase: string
  /** Words for the day in a case that may not come: “Ausweichtermin 14. März”, “date de repli : 14 mars”. */
  datesInCase: string
  /** Before bad weather in which another day is meant: “bei Regen am 14.”, “en caso de lluvia”. */
  beforeBadWeather: string
  /** Weather in which another day is meant: “bei Regen am 14.”, “if wet, Sunday 14th”. */
  badWeather: string
  /** At the head of a sentence with a condition: “If cloudy we move to Saturday 20 March”. */
  conditionsAtHead: string
  /** After the hour at which something begins: “at 7 sharp”, “a las 19 en punto”. */
  sharp: string
  /** Before the hour at which the event is said to begin: “los geht’s um 19 Uhr”, “Inicio: 19 h”. */
  saidToBegin: string
  /** Right after the hour at which the event begins: “Arrive 6.45 for a 7pm start”. */
  startAfterTime: string
  /** After the verb to which they belong: “Sign-in begins at 6.30”. */
  particlesOfVerbs: string
  /**
   * What comes before the event itself: a lesson, drinks, the handing out of numbers: “initiation à 20h, bal
   * à 21h”.
   */
  preliminaries: string
  /** What comes before a first race or match: “Coaches’ meeting 7.15, first race 8.30”. */
  briefings: string
  /** Before an hour from which on something no longer happens: “No entry after 8pm”. */
  fromHourOn: string
  /** Words for what no longer happens from an hour on: “Ab 16 Uhr nehmen wir keine Sachen mehr an”. */
  nothingFromHourOn: string
  /** Between a time and its place: “a las nueve en el bar”, “um 17 Uhr vor dem Rathaus”. */
  beforePlaceOfTime: string
  /**
   * Rooms that after “in” are where the event takes place, and otherwise are services with hours of their
   * own: “in the bar at 8pm”.
   */
  roomsForServices: string
  /**
   * Words for “earlier” that need no other word after them, unlike “before the talk”: “fish and chips
   * beforehand at 7”.
   */
  earlierOn: string
  /**
   * At the beginning of a sentence of what comes before the event: “Antes, 20.30, clase”, but not “Antes de
   * la cena”.
   */
  beforehandAtStart: string
  /** Before “after” where that means the hour itself: “kurz nach 19 Uhr”, “just after 7pm”. */
  shortly: string
  /** Openings, which mean the event itself if its kind follows: “11:00 Apertura del mercado”. */
  openingsOfEvents: string
  /**
   * After the time of a series, before the days that it leaves out: “freitags um 18.30 Uhr, außer am 12.
   * Februar”.
   */
  exceptAfterTimes: string
  /** What is done with goods, numbers or money before or after an event: “Abgabe 8–9 Uhr”. */
  handedInOrOut: string
  /** What stands above the days of an exhibition: “Vernissage am 5. März”. */
  vernissages: string
  /**
   * In headings above the days of several events, which are no single event of some days: “Wochenprogramm”.
   */
  calendarsAndNewsletters: string
  /** Between two events of a sentence: “Konzert am 5. März und Lesung am 6. März”. */
  jointsOfEvents: string
  /**
   * Before the day for which something was planned before it was moved: “d’abord annoncée pour le 7 mars”.
   */
  atFirst: string
  /** At the end of a line above the day to which something is moved: “… wird daher verlegt auf”. */
  targetsAtLineEnds: string
  /** Before the day that is the right one now: “The workshop on 6 March will now be on 20 March”. */
  nowOfNewDates: string
  /** Between two days of which the second adds to the first and does not replace it: “also on 6 March”. */
  alsoBetweenDays: string
  /** What is held later in place of a day that was missed: “wird am 6. März nachgeholt”. */
  madeUp: string
  /** Right before the old day of an event that is moved: “Le loto du 27 février aura lieu le 6 mars”. */
  ofOldDates: string
  /** Right before the day on which something takes place: “tendrá lugar el próximo jueves 4 de febrero”. */
  heldBeforeNewDay: string
  /**
   * Words of a sentence that says on which day something takes place in place of another: “We meet instead on
   * …”.
   */
  insteadOfCalledOff: string
  /** German verbs after the one day of a list that is called off: “5. Februar (fällt aus), 12. Februar”. */
  dropsOut: string
  /** After a weekday of each week: “Friday evenings”, “vendredis soirs”. */
  partsOfWeekdays: string
  /** Before a number that says how often, and not how many times: “alle zwei Wochen”. */
  eachBeforeNumbers: string
  /** Before a number that is an hour and no count, although a weekday follows: “um 19 dienstags”. */
  beforeHoursOfWeekdays: string
  /** After weeks that lie between two things: “sow eight weeks ahead”, “acht Wochen vor dem Frost”. */
  apartAfterWeeks: string
  /** After “morgen” and “mañana”, which then mean tomorrow: “morgen Abend”. */
  partsOfDayAfterTomorrow: string
  /** Words for “this”, which name today before a part of the day: “ce soir”, “esta noche”. */
  thisBeforePartsOfDay: string
  /** After “this”, with which they name today: “ce soir”, “esta noche”. */
  partsOfToday: string
  /** Before “mañana” and “Morgen” where these are the morning: “por la mañana”, “jeden Morgen”. */
  beforeMornings: string
  /** After a number that is an hour, and not the day of the weekday before it: “Saturday 8pm”. */
  afterHoursOfWeekdays: string
  /** Phrases before how much later than a day, or than today: “heute in einer Woche”, “dentro de 8 días”. */
  beforeStretchesAfterDays: string
  /** Between a week and its weekday: “Next week, on Friday”. */
  betweenWeekAndWeekday: string
  /** Between a stretch of time and an hour: “In zwei Wochen um 19 Uhr”. */
  beforeHoursAfterStretches: string
  /** Words for “one” before a unit of time: “in einer Woche”. */
  oneBeforeUnits: string
  /**
   * “Next” in Spanish: “el próximo sábado” is the coming one, whereas “next Saturday” may be the one after
   * it.
   */
  nextInSpanish: string
  /** Between the word for an eve and its day: “la víspera del día”, “am Vorabend von”. */
  betweenEveAndDay: string
  /** Between “eve of” and its day: “the eve of the 5th”, “la víspera del día 5”. */
  articlesAfterEves: string
  /** Before or after a day or a time that is denied: “à 18 h et non 20 h”, “heute nicht, sondern …”. */
  denials: string
  /** Between a denial and a day or a time: “nicht erst um 9.30 Uhr”, “no es este domingo”. */
  betweenDenialAndTime: string
  /**
   * Words for photographs: beside a kind of event they are no other matter, “photo walk”, “soirée du club
   * photo”.
   */
  photos: string
  /** Words for a house that is open: “geöffnet Samstag und Sonntag 14–17 Uhr”. */
  openForVisitors: string
  /** What a text asks for with its thanks: “Merci d’annoncer …”, “Thanks for publishing …”. */
  requestsAfterThanks: string
  /** After “open”, of days on which a house is closed: “open daily 10–4, closed Good Friday”. */
  closedAfterOpen: string
  /** Labels of what is before or after an event: “Aufbau: 8 Uhr”, “retrait des dossards”. */
  settingUp: string
  /** Between “instead of” and the day or time: “statt am 9. Februar”, “rather than at 7pm”. */
  betweenInsteadAndDate: string
  /** Words of a sentence that sets one time against another: “plutôt à 20h30 qu’à 20h”. */
  ratherThan: string
  /**
   * Breaks, in which classes and clubs don’t meet: “les vacances sont du 15 au 19”. German “…ferien” needs no
   * word.
   */
  breaksOfSchools: string
  /** What a cinema, a class or a choir does not have on a day: “no hay clases”, “sin sesión”. */
  sessionsLeftOut: string
  /** Before further days or performances of the same event: “Weitere Vorstellungen: 27. Februar”. */
  moreOfSeries: string
  /** Between the hours before and after a break: “de 9h à 12h puis de 13h30 à 16h30”. */
  thenAfterBreaks: string
  /** Before a month as a whole: “throughout March”, “im Mai”. */
  beforeWholeMonths: string
  /** Words of a part of a month, of which nobody knows where it begins: “Anfang März”, “mid-May”. */
  partsOfMonths: string
  /** Between a preposition and a month: “d’avril”, “mid-May”. */
  betweenUntilAndMonth: string
  /** Before the first day of a series: “beginnt am 19. Januar”, “reprend le 5 mars”. */
  beginningsOfSeries: string
  /** Phrases for the two days of a run: “an beiden Tagen”, “les deux jours”. */
  bothDays: string
  /** Phrases that say that something lasts all day. */
  allDay: string
  /** Phrases of what is moved to another day, but not to another hour. */
  sameHour: string
  /** Phrases after a day up to which something has to be done: “pour le 5 mars au plus tard”. */
  latest: string
  /** Phrases after a day that is not the event’s: “Wednesday 27th: Last day for permission slips”. */
  otherDays: string
  /** Before the day on which tickets go on sale, something is open again, or a decision comes into force. */
  inForce: string
  /** Before a day or an hour that another one replaces: “rather than at 7pm”. */
  insteadOfMoment: string
  /** Before the right day in place of a misprinted one. */
  readsCorrectly: string
  /** Minutes before “past”, “to” and their like: `quarter past seven`. */
  minutesBeforePast: string
  /** Minutes from the hour that follows: `halb acht` is 7:30, and so is `half seven`. */
  minutesToHour: string
  /** Minutes after an hour and “and”: `sept heures et quart`, `siete y media`. */
  minutesAfterHour: string
  /** Minutes right after an hour in words: `seven thirty`, `las siete quince`. */
  minutesRightAfterHour: string
  /**
   * Phrases for a weekend, after a number that says which of the month it is: “le dernier week-end de juin”.
   */
  weekendOfMonth: string
  /** Phrases for the day after tomorrow: “après-demain”. */
  dayAfterTomorrow: string
  /** Words for days, with how many days from today they are: `tomorrow=1`; “aujourd’hui” is two words. */
  relativeDays: string
  /** Phrases after a day that mean a later one, with the days between: “Friday week”, “vendredi en huit”. */
  daysAfterDay: string
  /** Phrases for the weeks to come, with their number: `next week=1`. */
  weeksAhead: string
  /** Phrases after the number of a day, with the number of months from now: `next month=1`. */
  monthsAhead: string
  /** Words for each evening of a run of days: “3–5 March, evenings at 7.30”. */
  eveningsOfRuns: string
  /**
   * Words of performances besides those of each evening: “Saturday matinee 2.30pm”, “samstags auch um 15
   * Uhr”.
   */
  matinees: string
  /** Before what alone does not take place: “Only the disco is off; the quiz takes place on Friday”. */
  aloneCalledOff: string
  /**
   * What puts something off if a day follows: “moves a week, to Saturday 20 March”, but “moves to a new
   * hall”.
   */
  movesToDays: string
  /** Before the new date of what was put off: “auf den 27. Februar”, “al 27 de febrero”. */
  beforeNewDates: string
  /** After French “remis à”: “remis à plus tard”, “remise à une date ultérieure”. */
  laterAfterPutBack: string
  /**
   * Forms of “be” before a participle that calls something off or puts it off: “has been pulled”, “est
   * remise”.
   */
  beOfStatus: string
  /**
   * Negations of words for what is done, not of words for “cancelled”: “ne peut être maintenu”, “unable to go
   * ahead”.
   */
  notDone: string
  /** After a negation that denies less than all: “n’a lieu qu’à midi”, “not only”. */
  onlyAfterNegations: string
  /**
   * After what does take place, only later or in another way: “will not begin before 9”; but “until further
   * notice” is for good.
   */
  notBefore: string
  /** Verbs by which an event is taken off where it is announced: “please remove it from the website”. */
  takingOffListings: string
  /** Where events are announced: “off the website”, “aus dem Kalender”. */
  listingsOfEvents: string
  /** Before the place from which an announcement is taken off: “off the website”, “du site”. */
  offListings: string
  /** Participles that call something off only beside “be”: “has been pulled”, but “pulled pork”. */
  scrapped: string
  /** Verbs that call something off with “ins Wasser” or “à l’eau”: “Das Konzert fällt leider ins Wasser”. */
  fallsIntoWater: string
  /** Verbs of a sentence in which a negation says that there is no event: “there will be no concert”. */
  existsNone: string
  /** Between “no” and a kind of event that takes place: “No ordinary concert”. */
  ordinaryKinds: string
  /**
   * Before a kind of event that does not take place on a day, apart from negations: “mercredi: sans
   * répétition”.
   */
  noneOfKind: string
  /** Words for today beside an event that does not take place: “Heute Abend kein Training”. */
  todayBeforeNone: string
  /** Words for what takes place: “findet statt”, “aura lieu”, “es el sábado”. */
  isHeld: string
  /**
   * Words for what was called off and takes place now: “El partido suspendido se jugará el sábado 6 de
   * marzo”.
   */
  heldAgain: string
  /** Before the month of something that was called off earlier: “the concert cancelled in November”. */
  beforeEarlierMonths: string
  /**
   * Words that, like “but”, lead to what takes place after what does not: “Saturday is cancelled, but Sunday
   * goes ahead”.
   */
  however: string
  /** What may follow the second half of a German verb: “fällt aus wegen Sturm”, but “Musik aus Irland”. */
  afterSplitVerbs: string
  /** Before the hour to which something is moved: “to 8pm”, “à 20h”, “a las 20”. */
  beforeNewHours: string
  /** Words that move an hour, before it, or in German after it: “moved to 8pm”, “auf 20 Uhr verschoben”. */
  movesOfHours: string
  /**
   * Right before “from” and two hours from which and to which something is moved: “pasa de las 19 a las 20”.
   */
  movedFromHours: string
  /**
   * Before a day for which something was planned before it was moved: “prévu pour le 23”, “was scheduled for
   * 6 March”.
   */
  plannedDays: string
  /** Words for “put off” that may also say that something has another place: “has been moved to the hall”. */
  movedAway: string
  /** Words beside the hour at which a stay or exhibition opens or closes: “Vernissage Freitag 19 Uhr”. */
  openingsAndClosings: string
  /** Before a place that follows hours: “von drei bis sechs im Saal”. */
  beforePlacesAfterHours: string
  /** Places that have numbers where they are written with a capital: “Gate 3”. */
  numberedPlaces: string
  /** Before spans that are no times, but sizes, ages or prices: “Gruppen von drei bis fünf”. */
  beforeSpansOfGroups: string
  /** Before the hour at which something ends, or people are back: “ends 10pm”, “Rückkehr 18 Uhr”. */
  onlyEnds: string
  /** Beside an hour at which something ends: “1.00 Uhr Ende”. */
  endings: string
  /** Words of what takes some hours: “durent environ une heure et demie”. */
  lasts: string
  /** After “de” and hours that are a length: “environ 4h30 de marche”. */
  lengthsOfThings: string
  /** What begins at night or early in the morning: “Osternacht 5.00 Uhr”, “sunrise service 5.30”. */
  nightlyEvents: string
  /** Words for an end without an hour: “8 till late”. */
  lateEnds: string
  /** After hours without a unit: “Saturday 2–4 upstairs”, “10 to 12.30 each morning”. */
  afterBareSpans: string
  /** Words for twelve o’clock, which in quotation marks are a title: “Midnight at Marlow”. */
  twelves: string
  /** Spanish weekdays that are the same in the plural: “los lunes”. */
  sameInPlural: string
  /** Between weekdays and their month: “Tuesdays in March”, “los viernes de julio”. */
  betweenWeekdayAndMonth: string
  /** Words for the first ones, beside a number of weekdays: “the first two Fridays in March”. */
  firstOfMonth: string
  /** Words for the last ones, beside a number of weekdays: “los tres últimos viernes de febrero”. */
  lastOfMonth: string
  /** After “last” and before a month: “the last day of January”. */
  dayOfMonth: string
  /** Weeks as units: “in a week”, “dans deux semaines”. */
  unitsOfWeeks: string
  /** Days as units: “dans 15 jours”. */
  unitsOfDays: string
  /** Before a weekday that is not the coming one, apart from “every” and “next”: “last Friday”. */
  beforePastWeekdays: string
  /** Before the last day on which something may be done: “RSVP by Wednesday”, “avant lundi”. */
  beforeLastWeekday: string
  /** Between a weekday and its hour: “Friday at 7”, “Freitag ab 19 Uhr”. */
  beforeHoursAfterWeekdays: string
  /** After the number of an hour: “8pm”, “7:30”. */
  afterHours: string
  /** Months that in lower case may be another word: “you may come”, “le mar”. */
  wordsLikeMonths: string
  /** Before the days of a week, apart from “week”: “KW 3 (18.1.–24.1.)”, “Wochenplan 18. bis 24. Januar”. */
  headsOfWeeks: string
}
