/** Words of places, and of those who hold events. */
export type WhereWords = {
  /** Short forms, with vowels, of words in names: “maison des assos”, “Uni”. */
  clippedNames: string
  /** Before the name of a town, which is no short name of a club: “in Marden Bridge”. */
  beforeTown: string
  /** Before an article that leads to a place: “in the Grange”, but “organized by the …”. */
  beforeArticleOfPlace: string
  /** Words that alone stand for no place, although names have them: “in the centre”, “im Saal”. */
  tooGeneralPlaces: string
  /** Words for houses that alone between marks may be kinds of events, too: “Musik, Theater, Tanz”. */
  housesLikeGenres: string
  /** Before a shortened name (“in the Grange”); the name of a town does not follow an article. */
  definiteArticles: string
  /** Prepositions that have an article in them: “im Rialto”, “au Rialto”. */
  atThe: string
  /** Kinds of events that are houses as well: “obra de teatro”, but “en el teatro”. */
  housesLikeKinds: string
  /** Last in the names of those who play, sing or act: “The Market House Players”. */
  endsOfEnsembles: string
  /** After the names of streets: “Station Road”. */
  afterStreets: string
  /** Before the owner of a place, apart from the words of belongingTo: “Saal der Krone”. */
  beforeOwnerOfPlace: string
  /** Words that lead to a place, or that a place ends before: “outside the Town Hall”. */
  placePrepositions: string
  /** Before where people meet: “Treffpunkt Rathaus”. */
  meetingPoints: string
  /** Before a place where the event is not: “und nicht im Pfarrheim”, “instead of the Town Hall”. */
  beforeDeniedPlace: string
  /** Words for stops of buses: “Treffpunkt Haltestelle Rathaus”. */
  stopsOfBuses: string
  /** Seats that look like places: “places limitées”. */
  seats: string
  /** Words for times and days, which are no places: “Uhrzeit und Ort bleiben”. */
  wordsOfTimes: string
  /**
   * Words for rain after “if” or the like, before the place where the event then is: “Bei Regen: Turnhalle”,
   * but “Singin' in the Rain at …”.
   */
  rain: string
  /** Words that name no place after “in” or “en”: “in memory of”, “en plein air”. */
  noPlacesAfterIn: string
  /** After “au” and “en”, before what another place replaces: “au lieu de”, “en vez de”. */
  inSteadOfPlace: string
  /**
   * Before the place from which an event is moved, apart from the words of belongingTo: “moved from the town
   * hall”.
   */
  beforeOldPlace: string
  /** Words of an event that is moved to another place: “moved from the town hall to …”. */
  movedToPlace: string
  /** Before the place to which an event is moved, or goes: “vom Rathaus in den Saal”. */
  beforeNewPlace: string
  /** Words for what takes place online: “Webinar”, “en visio”. */
  onlineEvents: string
  /** Beside what is online although the event is not: “tickets online”, “venta online”. */
  soldOnline: string
  /** Before a second way to take part: “in the Reading Room or by Zoom”, but not “1 p.m. ET, Zoom”. */
  asWellAsOnline: string
  /** Words of a house where one pays, so that the event is not online: “Karten online, Abendkasse 10 €”. */
  doorsOfHouses: string
  /** Where in a house or behind it, in an address: “Kastanienallee 41, Hinterhof, Bremerstedt”. */
  withinHouses: string
  /**
   * Words that no name of a town has: “Salle Ravel, soupe et un dessert”, “beim Bahnhof, Dauer ca. 5
   * Stunden”.
   */
  notOfTowns: string
  /** Between a room and its venue: “der Kleine Saal des Theaters”, “the Small Hall of the library”. */
  betweenRoomAndVenue: string
  /** Instruments: “at” one of them nothing takes place, “Am Klavier: Mia Lang”. */
  instruments: string
  /** After a place, and no part of it: “in St Aidan’s again”, “au dojo également”. */
  afterPlaceNoPart: string
  /** After a place, before what is done there: “stellen wir auf dem Dorfplatz den Maibaum auf”. */
  beforeObjects: string
  /**
   * After a verb and a place, before what takes place there: “se celebrará en la plaza la Fiesta del Pan”.
   */
  beforeSubjects: string
  /**
   * Before a place of those who write, unless it has a capital: “dans notre salle”, but “Nuestra Señora de la
   * Paz”.
   */
  ourPlaces: string
  /** After “café” where that is an event, wherever it takes place: “café tricot”. */
  afterCafe: string
  /** After “at”, in an hour: “for the orchard at half past four”. */
  partsOfHoursAfterAt: string
  /** After the place to which an event is moved: “wird in die Bücherei verlegt”. */
  movedAwayVerbs: string
  /** Before a place that another one replaces: “in the library instead of the town hall”. */
  beforeReplacedPlace: string
  /** Before what a talk is about: “Charla sobre el molino”. */
  aboutTopics: string
  /** Before a place in the open where one meets or starts: “vor der Schule”, “desde la plaza”. */
  beforeOpenPlaces: string
  /** Before a place that is only near: “opposite the Town Hall”, “derrière la Salle Molière”. */
  near: string
  /** Articles before a place that nobody names: “Riot in a market town”. */
  indefiniteArticles: string
  /** Words of the names of those who hold events, and of no places: “Basar der Kita Lindach e. V.” */
  clubsAndParishes: string
  /** Words for money that is paid back: “Tickets will be refunded at the box office”. */
  refunds: string
  /**
   * At the beginning of a clause, before where people go when an event is over: “Anschliessend Apéro im
   * Foyer”.
   */
  afterTheEvent: string
  /**
   * Before a place without a name, of which everybody knows whose it is: “in der eigenen Werkstatt”, “en la
   * misma aula”.
   */
  ownPlaces: string
  /** Before where something ends: “hasta la carpa del recinto ferial”. */
  upToPlace: string
  /** Before a word for rain: “in case of rain”, “bei Regen”. */
  beforeRain: string
  /** Before a place where one buys tickets or asks, or goes to afterwards: “Karten in der Buchhandlung”. */
  elsewhere: string
  /**
   * Before where one parks, signs up, buys tickets in advance or fetches what one has ordered: “Abholung im
   * Pfarrhaus”.
   */
  signingUp: string
  /** Rooms that are known only by their owner: “in the bar”. */
  premises: string
  /** Before a colon and a place: “Veranstaltungsort: Krone”. */
  labelsOfPlaces: string
  /**
   * Before who supports an event, gets its proceeds, serves the guests, is one of them, or sells tickets:
   * “proceeds to the hospice”.
   */
  beforeHelpers: string
  /**
   * Before who plays at an event, unless a word of those who hold it stands there as well: “music by the Town
   * Band”.
   */
  playingAtEvents: string
  /** Between “organised” and who holds an event: “organised by the Scouts”. */
  byHolders: string
}
