import { SMALL, setOf } from '../../intake/readers/text/words.ts'
import { lazyPattern } from '../../lib/pattern.ts'
import { fold } from '../../lib/text.ts'

/** The prefixes with which programs and people begin subjects, and the names of lists in brackets. */
const PREFIX = /^\s*(?:(?:re|aw|antw|sv|fwd?|wg|tr|rv|r)\s*:|\[[^\]]{1,40}\])\s*/i

/** A short passage before a colon, and one with a letter after it. */
const PARTS = lazyPattern(String.raw`^([^:]{1,40}):\s(.*\p{L}.*)`, 'su')

/** A subject without what programs put before it. */
export function plainSubject(subject: string): string {
  let text = subject
  // A subject rarely has more than three.
  for (let i = 0; i < 10 && PREFIX.test(text); i++) text = text.replace(PREFIX, '')
  const [, before = '', rest = ''] = PARTS().exec(text) ?? []
  return (rest !== '' && isGeneral(before) ? rest : text).trim()
}

/** Words of subjects that say no more than that something takes place. */
const GENERAL = setOf(
  'event events date dates calendar announcement announcements programme program news invitation please publish publication press release upcoming new your our information info',
  'fur termin termine veranstaltung veranstaltungen kalender ankundigung programm einladung bitte veroffentlichen veroffentlichung pressemitteilung veranstaltungshinweis terminhinweis neu neue neuer neues ihren unsere',
  'evenement evenements date dates agenda annonce annonces programme invitation merci publier publication communique presse nouvelle nouveau votre notre nos vos',
  'evento eventos acto actos fecha fechas agenda anuncio anuncios programa invitacion publicar publicad publicacion nota prensa nueva nuevo vuestra nuestra',
)

const WORDS = lazyPattern(String.raw`[\p{L}\p{N}]+`, 'gu')
const wordsOf = (text: string): string[] => fold(text).match(WORDS()) ?? []
const inWords = (text: string): string => ` ${wordsOf(text).join(' ')} `

const isGeneral = (text: string): boolean => wordsOf(text).every(word => GENERAL.has(word) || SMALL.has(word))

/**
 * Tells whether a subject is a better title than the one that the text gives: where the text has it as well, and where it says more than
 * the text does. Subjects are often general, and a single word is often part of a title.
 */
export function isBetterTitle(subject: string, own: string, text: string): boolean {
  if (isGeneral(subject)) return false
  const isWithin = !wordsOf(subject)[1] && inWords(own).includes(inWords(subject))
  return !isWithin && (inWords(text).includes(inWords(subject)) || fold(subject).includes(fold(own)))
}
