import { setOf } from '../../intake/readers/text/words.ts'
import { lazyPattern } from '../../lib/pattern.ts'
import { fold } from '../../lib/text.ts'

// What newsletters put around their content: the way to see them in a browser.

const BROWSERS = setOf('browser webbrowser', 'navigateur', 'navegador')
const SEES = setOf(
  'view viewing see open read display displayed',
  'ansehen anschauen anzeigen angezeigt dargestellt offnen lesen',
  'voir visualiser visualisez afficher affiche lire ouvrir consulter consultez',
  'ver abrir leer visualizar visualiza visualice muestra',
)
const MAILS = setOf(
  'email e mail newsletter message',
  'nachricht rundbrief',
  'courriel lettre infolettre',
  'correo boletin mensaje',
)
const WEB = setOf('online web webversion onlineversion', 'ligne', 'linea')
const VERSIONS = setOf('version webversion onlineversion')
const CLICK = setOf('click here', 'klicken sie hier', 'cliquez ici', 'haga clic aqui pulse')

/** The most words of such a line, and of one that names a version for the web. */
const [MOST_WORDS, FEW_WORDS] = [25, 8]
/** The lines at the beginning and at the end of a text that may be such ones. */
const [FIRST, LAST] = [5, 10]
const LONGEST = 1_000

const WORDS = lazyPattern(String.raw`[\p{L}\p{N}]+`, 'gu')
const wordsOf = (line: string): string[] => fold(line.replace(/https?:\/\/\S+/g, ' ')).match(WORDS()) ?? []

function isFrame(words: readonly string[]): boolean {
  if (words.length > MOST_WORDS || words.some(word => /\d/.test(word))) return false
  const has = (set: ReadonlySet<string>) => words.some(word => set.has(word))
  if (has(BROWSERS)) return has(SEES)
  if (has(WEB) && has(VERSIONS)) return words.length <= FEW_WORDS
  return has(MAILS) && has(SEES) && (has(WEB) || has(CLICK))
}

/** A text without the lines at its beginning and end that lead to the same text in a browser. */
export function withoutFrame(text: string): string {
  const lines = text.split('\n')
  const written = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at]))
  const outer = new Set([...written.slice(0, FIRST), ...written.slice(-LAST)])
  let follows = false
  const isContent = (line: string, at: number): boolean => {
    if (!outer.has(at) || line.length > LONGEST) return true
    const words = wordsOf(line)
    // The link may be on a line of its own.
    const isLink = follows && words.every(word => CLICK.has(word))
    follows = isFrame(words)
    return !(follows || isLink)
  }
  return lines.filter(isContent).join('\n')
}
