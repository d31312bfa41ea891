// Words in titles of events, folded, in English, German, French and Spanish.

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** The words of lines such as `kids children kinder`, by the first of their line. */
export const byFirst = (lines: string): Map<string, string> =>
  new Map(
    lines
      .trim()
      .split('\n')
      .flatMap(line => {
        const words = line.trim().split(' ')
        return words.map((word): [string, string] => [word, words[0] ?? word])
      }),
  )

/** Words that say nothing. */
export const STOP = wordSet(
  `a an and at by de del der des die das dem den du e ein eine el en et feat featuring for fur ft from au aux avec con
  im in la las le les los mit n of on or par para pour presenta presente presented presents prasentiert s sur the to
  und un una une van vom von w with y zu zum zur d l am beim das los sus da do dos`,
)

/** What calendars put before or behind titles to say how things stand. */
export const MARKS = wordSet(
  `abgesagt agotado annule annulee annules ausgebucht ausgefallen ausverkauft aplazado aplazada cancelado cancelada cancelled
  canceled complet delayed entfallt fallt new neu nouveau nuevo out postponed reporte reportee rescheduled reprogramado
  sold soldout suspendido tickets available update updated verlegt verschoben restkarten few left aus termin neuer date
  karten fully booked`,
)

/** What many put beside the name of who plays. */
export const LABELS = wordSet(
  'live concert konzert concierto gig show liveshow livekonzert concerts konzerte',
)

export type SignKind =
  | 'number'
  | 'session'
  | 'level'
  | 'age'
  | 'gender'
  | 'mode'
  | 'language'
  | 'stage'
  | 'not'
  | 'version'
  | 'room'
  | 'date'

const SIGNS_BY_KIND: Partial<Record<SignKind, string>> = {
  number: `
    1 first erste erster erstes ersten premier premiere primero primera primer one eins uno
    2 second zweite zweiter zweites zweiten deuxieme segundo segunda two zwei dos
    3 third dritte dritter drittes dritten troisieme tercero tercera tercer three drei tres
    4 fourth vierte vierter vierten quatrieme cuarto cuarta`,
  session: `
    early fruhe fruher fruhvorstellung
    late spate spater spatvorstellung tardif
    matinee matineen
    morning vormittag vormittags morgen matin matinal manana
    afternoon nachmittag nachmittags apresmidi tarde
    evening abend abends abendvorstellung soir noche`,
  level: `
    beginners beginner anfanger anfangerinnen einsteiger debutant debutants principiante principiantes intro introductory beginning
    intermediate mittelstufe intermediaire intermedio
    advanced fortgeschrittene fortgeschrittenen avance avances avanzado avanzados improvers`,
  age: `
    kids kid children childrens kinder kind enfants enfant ninos ninas infantil junior juniors
    toddlers toddler kleinkinder tots
    babies baby krabbelgruppe bebe bebes
    preschool preschoolers vorschule
    tweens tween
    teens teen youth jugend jugendliche ados jeunes jovenes
    students student studierende studenten
    adults adult erwachsene erwachsenen adultes adulto adultos
    seniors senior senioren aines mayores seniorinnen
    family families familie familien familles famille familia familias`,
  gender: `
    women womens woman frauen femmes mujeres ladies damen
    girls girl madchen filles chicas
    men mens man manner hommes hombres herren
    boys boy jungen garcons chicos`,
  mode: `
    online virtual virtuell virtuelle zoom livestream stream streaming webinar remote enligne
    onsite inperson presencial prasenz presentiel`,
  language: `
    english englisch englische englischer anglais ingles inglesa
    german deutsch deutsche deutscher allemand aleman
    french franzosisch francais francaise frances
    spanish spanisch espagnol espanol espanola castellano
    italian italienisch italien italiano
    turkish turkisch turc turco turkce
    arabic arabisch arabe
    ukrainian ukrainisch
    russian russisch russe ruso
    polish polnisch polonais polaco
    asl dgs gebardensprache lsf`,
  stage: `
    afterparty aftershow
    preparty warmup preshow
    rehearsal probe generalprobe repetition ensayo
    opening vernissage eroffnung inauguration inauguracion vernissages
    closing finissage abschluss cloture clausura
    registration anmeldung checkin inscription inscripcion
    vip premium
    soundcheck
    final finale endspiel
    semifinal halbfinale
    tryouts tryout auditions audition casting
    setup aufbau
    einlass doors`,
  not: 'no not kein keine closed geschlossen ferme cerrado pas sin without ohne',
  version: `
    3d
    imax
    omu subtitled vost vostfr vose ov
    dubbed synchronisiert vf`,
}

/** The kind of a word that tells sessions apart, and the word that stands for its like. */
export const SIGNS: ReadonlyMap<string, readonly [SignKind, string]> = new Map(
  // The names are those of the object above.
  (Object.entries(SIGNS_BY_KIND) as [SignKind, string][]).flatMap(([kind, lines]) =>
    [...byFirst(lines)].map(([word, first]): [string, readonly [SignKind, string]] => [word, [kind, first]]),
  ),
)

/** After these, a single letter names one of several. */
export const PARTS = wordSet(
  'part teil partie parte group gruppe groupe grupo room raum saal salle sala hall halle class kurs vol volume level stufe niveau nivel team section act akt',
)

const MONTH_NAMES = [
  'january januar janvier enero jan',
  'february februar fevrier febrero feb',
  'march marz mars marzo mar mrz',
  'april avril abril apr',
  'may mai mayo',
  'june juni juin junio jun',
  'july juli juillet julio jul',
  'august aout agosto aug',
  'september septembre septiembre sep sept',
  'october oktober octobre octubre oct okt',
  'november novembre noviembre nov',
  'december dezember decembre diciembre dec dez',
]
const WEEKDAY_NAMES = [
  'sunday sundays sonntag sonntags dimanche domingo sun so',
  'monday mondays montag montags lundi lunes mon mo',
  'tuesday tuesdays dienstag dienstags mardi martes tue tues di',
  'wednesday wednesdays mittwoch mittwochs mercredi miercoles wed mi',
  'thursday thursdays donnerstag donnerstags jeudi jueves thu thur thurs do',
  'friday fridays freitag freitags vendredi viernes fri fr',
  'saturday saturdays samstag samstags sonnabend samedi sabado sat sa',
]
const numbered = (names: readonly string[], from: number): ReadonlyMap<string, number> =>
  new Map(names.flatMap((line, i) => line.split(' ').map((word): [string, number] => [word, i + from])))

/** Months by name, January being 1; days of the week, Sunday being 0. */
export const MONTH_WORDS = numbered(MONTH_NAMES, 1)
export const WEEKDAY_WORDS = numbered(WEEKDAY_NAMES, 0)

/** What kinds of events are called: words that many titles have, each line one thing. */
export const EVENT_WORDS: ReadonlyMap<string, string> = byFirst(`
  concert concerts konzert konzerte concierto conciertos
  exhibition ausstellung exposition exposicion exhibit
  tour tours fuhrung fuhrungen visite visita rundgang guided guidee guiada besichtigung
  workshop workshops atelier taller seminar
  reading lesung lecture lectura
  talk vortrag conference conferencia charla gesprach discussion diskussion debate debat
  market markt marche mercado mercadillo
  party fest fete fiesta feier celebration festival
  course kurs cours curso class classes lesson lessons
  meeting meetings treffen versammlung reunion sitzung council committee board
  film films kino cine pelicula movie screening
  theater theatre teatro
  dance tanz danse baile dancing
  yoga
  pilates
  fitness gym exercise workout zumba
  service gottesdienst culte culto worship mass messe misa
  prayer andacht priere oracion
  choir chor choeur coro
  music musik musique musica
  sing singing singen
  breakfast fruhstuck
  brunch
  dinner supper
  lunch mittagessen
  coffee cafe kaffee
  craft crafts basteln
  book books buch club
  story stories storytime geschichten
  games game spiele spieleabend spieletreff juegos jeux
  quiz trivia bingo karaoke
  open offene offener offenes ouvert abierto
  night nacht nuit
  day tag jour dia days
  week woche semaine semana
  summer sommer ete verano
  winter hiver invierno
  spring fruhling printemps primavera
  autumn herbst automne otono fall
  christmas weihnachts weihnachten noel navidad navideno navidena advent
  easter oster ostern paques pascua
  halloween parade
  city stadt ville ciudad town
  flea floh puces
  walk wanderung spaziergang promenade paseo hike hiking
  run lauf course carrera race
  art kunst arte
  history geschichte histoire historia
  museum musee museo
  library bibliothek bucherei bibliotheque biblioteca
  community gemeinde communaute comunidad public social
  training practice
  group gruppe groupe grupo support
  school schule ecole escuela
  farmers bauern
  sale basar bazaar
  event veranstaltung evenement evento special
  free gratis kostenlos gratuit gratuito
  annual monthly weekly jahrlich monatlich
  camp session sessions
  comedy comedian kabarett standup
  jam
  swim swimming schwimmen
  repair reparatur
  time
  general ordinary regular
  private reserved booked busy closed belegt reserviert rental
`)

/** Ends of compound words that are words of {@link EVENT_WORDS}. */
export const COMPOUNDS =
  'konzert ausstellung fuhrung markt fest feier kurs treffen tanz abend nacht gottesdienst wanderung lauf fruhstuck lesung chor'.split(
    ' ',
  )
