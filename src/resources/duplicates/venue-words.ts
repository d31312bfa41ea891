import { byFirst, wordSet } from './words.ts'

// Words in names of venues, folded, in English, German, French and Spanish.

/** What venues are: words that many names have, each line one thing. */
export const VENUE_WORDS: ReadonlyMap<string, string> = byFirst(`
  theater theatre teatro
  center centre ctr zentrum centro kulturzentrum cultural culture kultur
  library bibliothek bucherei stadtbibliothek stadtbucherei bibliotheque biblioteca
  hall halle saal salle sala stadthalle festhalle mehrzweckhalle
  townhall rathaus ayuntamiento mairie municipal municipality
  museum musee museo
  church kirche eglise iglesia gemeindehaus pfarrheim chapel kapelle parish
  school schule ecole escuela elementary middle high primary gymnasium grundschule
  university universitat universite universidad univ college campus
  park parc parque garden garten jardin
  cafe coffee bistro
  bar pub club lounge brewery taproom
  restaurant gasthaus gasthof
  community gemeinde burgerhaus dorfgemeinschaftshaus civic senior recreation rec
  house haus maison casa
  gallery galerie galeria
  arena stadium stadion
  hotel inn
  room raum auditorium aula studio
  building gebaude
  live music venue konzerthaus
  city stadt town village county public main central local branch
  square platz place plaza marktplatz
  ymca
`)

/** Short and long forms of words in names and addresses. */
export const SHORT: ReadonlyMap<string, string> = byFirst(`
  st street saint sankt santa san strasse str
  ave avenue av
  rd road
  dr drive
  blvd boulevard
  ln lane
  mt mount
  ft fort
  n north nord norte
  s south sud sur
  e east ost este
  w west ouest oeste
  bldg building
  hwy highway
  sq square
  pl platz place
  univ university
`)

/** What companies and clubs put behind their names. */
export const FORMS = wordSet('ev e v gmbh inc llc ltd co')

/** Cities that have another name in another language. */
export const CITIES: ReadonlyMap<string, string> = byFirst(`
  koln cologne colonia
  munchen munich muenchen
  wien vienna vienne viena
  nurnberg nuremberg
  geneve geneva genf ginebra
  zurich zuerich
  basel basle bale basilea
  bruxelles brussels brussel bruselas
  sevilla seville
  lisboa lisbon lissabon
  praha prague prag praga
  roma rome rom
  milano milan mailand
  hannover hanover
  frankfurt frankfort
  strasbourg strassburg
  nyc newyork newyorkcity
`)
