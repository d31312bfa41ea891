// The words by which announcements say when something takes place and what is something else, in English, German, French and Spanish.
// All languages are read at once: a French text of a Swiss club has German weekdays. Words are in lower case without accents.

export { MONTHS, weekdayOf } from '../moment-words.ts'

/** A set of words. */
export const setOf = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap(list => list.split(' ')))

/** Weekdays that are other words as well, unless a date follows. */
export const SHORT_WEEKDAYS = setOf(
  'mo di mi do fr sa so lu ma me je ve mar sun sat mon wed jue sab dom mie ven',
)

/** Words for days by today. */
export const RELATIVE_DAYS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tonight', 0],
  ['heute', 0],
  // Its second half is a word of its own after the apostrophe.
  ['aujourd', 0],
  ['hoy', 0],
  ['tomorrow', 1],
  ['demain', 1],
  ['ubermorgen', 2],
])

/** Words before a weekday that say that it is the coming one. */
export const COMING = setOf('this kommenden kommender kommendem diesen diesem dieser ce cet este esta coming')
/** Words with a weekday that mean the next, or the one after it. */
export const NEXT = setOf('next nachsten nachster nachstem prochain prochaine proximo proxima')

/** Words before the weekday of something that takes place each week. */
export const EVERY = setOf('every each weekly jeden jeder chaque cada todos tous')

/** Words between the first and the last day or time. */
export const UNTIL = setOf('- bis to till until through thru a au al hasta')
/** Words between days or times of a list. */
export const AND = setOf(', & + / und u and et y e sowie or oder ou o')

/** Words that may stand between a weekday, a day and a month: `der 5. Juni`, `on the 5th of June`. */
export const SMALL = setOf(
  'the a an of at in on and with from by for to our your is',
  'der die das den dem des ein eine einen einem einer und im am an in mit von vom zum zur um ab bei ins',
  'le la les l d de du des et au aux un une a en dans pour par sur avec ce',
  'el los las y en con del al un una de a para por',
)

/** What is before a time that is not the beginning. */
export const NOT_THE_BEGINNING = setOf(
  'door doors gate gates box office bar kitchen registration register check signup lesson lessons class breakfast open opens opening bookings booking call last latest deadline',
  'einlass kasse abendkasse kassenoffnung saaloffnung offnung turoffnung turen anmeldung einschreibung tel telefon tagl taglich geschaftszeiten offnungszeiten burozeiten letzte letzter kuche bewirtung ausser fruher aufbau',
  'portes ouverture accueil billetterie inscription inscriptions restauration buvette ouvert ouverte permanences permanence permanencia cours telephone',
  'taquilla puertas apertura cocina barra inscripcion inscripciones apuntarse clase horario abierta abierto boletos segunda convocatoria',
  'before vor avant antes staffed hours geoffnet ouvert closed',
)
/** Words that say that what follows is the beginning. */
export const BEGINNING = setOf(
  'show starts start begins beginning dancing beginn beginnt anfang los debut commence comienzo empieza inicio primera',
)

/** What is before a day on which the event is not. */
export const NOT_THE_DAY = setOf(
  'by before until till deadline due closes not instead except since published printed posted photo originally',
  'annahme abgabe kartenvorverkauf vvk bis spatestens anmeldeschluss anmeldung anmeldungen fruhbucher vor nicht kein statt ausser seit gultig ursprunglich vorverkauf',
  'prevente avant jusqu limite cree creee relache sauf depuis inscription inscriptions',
  'preventa antes hasta plazo limite salvo excepto acta cuentas desde ultima ultimo inscripcion',
)

/** Words of sentences in which days and times are of something else. */
export const OTHER_MATTERS = setOf(
  'closed closing resume hours schliesst geschlossen offnungszeiten urlaub geschaftszeiten burozeiten ferme fermee fermeture cerrado cerrada cierre cerrara staffed waived',
  'refunded zuruckgegeben rembourses presse photo foto besetzt',
)

export const CANCELLED = setOf(
  'cancelled canceled abgesagt absage entfallt entfallen annule annulee annulation cancelado cancelada suspendido suspendida anulado anulada',
)
export const POSTPONED = setOf(
  'postponed rescheduled verschoben verlegt reporte reportee aplazado aplazada pospuesto moved',
)

/** Words of days that are sold out, or called off while others are not. */
export const FULL = setOf(
  'full sold ausverkauft ausgebucht voll belegt complet complete agotado agotadas completo completa fallt entfallt',
)

/** Words that mean that nothing has to be paid. */
export const FREE = setOf(
  'free frei kostenlos kostenfrei gratis umsonst gratuit gratuite gratuits gratuites gratuito gratuita gratuitas libre',
)

/** Words before or after an amount that is not an admission. */
export const NOT_ADMISSION = setOf(
  'prize prizes deposit stall pitch raised dinner',
  'tea coffee biscuits cake refreshments food drinks beer',
  'preis preisgeld tischgebuhr standgebuhr pfand gebuhr kaution wurst kuchen erlos',
  'exposants aussteller standler expositores stallholders',
  'prix lot gobelet emplacement caution',
  'premio senal puesto fianza',
)

/** The beginnings of letters and mails, and what stands above news. */
export const GREETINGS = setOf(
  'hi hello hey dear folks all',
  'hallo liebe lieber liebes sehr guten servus moin',
  'bonjour bonsoir coucou salut cher chere chers',
  'hola buenos buenas estimado estimada estimados gente',
)

/** Numbers in words. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    'one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12',
    'eins=1 ein=1 zwei=2 drei=3 vier=4 funf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwolf=12',
    'une=1 deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 treize=13 quatorze=14 quinze=15 seize=16 vingt=20',
    'una=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 trente=30',
  ]
    .join(' ')
    .split(' ')
    .map((entry): [string, number] => {
      const [word = '', number] = entry.split('=')
      return [word, Number(number)]
    }),
)

/** Words that begin or end the names of places. */
const PLACES = setOf(
  'halle saal haus kirche theater park schule gasthof gasthaus cafe museum bibliothek bucherei stadthalle festhalle turnhalle aula',
  'hall church centre center library theatre school pub inn barn park gallery clubhouse',
  'salle eglise mediatheque maison cinema espace chateau gymnase theatre grange',
  'foro club bodega albergue salon teatro centro casa biblioteca pabellon sala parroquia patio iglesia auditorio museo colegio polideportivo',
)

/** Ends of German compounds that name places. */
const PLACE_ENDS = [
  'halle',
  'saal',
  'haus',
  'kirche',
  'heim',
  'scheune',
  'theater',
  'bucherei',
  'museum',
  'schule',
  'platz',
  'garten',
  'park',
]

/** Whether a word names a kind of place: `hall`, `Mehrzweckhalle`. */
export const isPlaceWord = (low: string): boolean =>
  PLACES.has(low) || PLACE_ENDS.some(end => low.length > end.length + 2 && low.endsWith(end))
