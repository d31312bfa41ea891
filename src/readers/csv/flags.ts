import { memoize } from '../../kit/lib/memo.ts'
import { fold } from '../../kit/lib/text.ts'

// Yes or no, and who may see an event, in the words of programs and of people. Case and accents don't count.

/** A set of words, built at the first look-up. */
const wordSet = (texts: string) => memoize((): ReadonlySet<string> => new Set(texts.split(', ').map(fold)))

/**
 * Words for yes: of spreadsheets in the languages that write them out, of Outlook, which has "on" in some, of
 * databases (Access writes -1, Airtable "checked"), and marks.
 */
const YES = wordSet(
  'true, yes, y, t, on, 1, -1, x, checked, enabled, ✓, ✔, ☑, ☒, ✅, ja, j, ein, an, wahr, aktiviert, oui, vrai, activé, sí, si, s, verdadero, cierto, activado, waar, aan, vero, vera, sim, verdadeiro, tak, prawda, ano, pravda, igen, igaz, kyllä, tosi, sant, sann, sand, på, evet, doğru, da, adevărat, да, истина, ναι, αληθεσ, cert',
)

/** Words for no. In a column of marks, a dash is an empty cell. */
const NO = wordSet(
  'false, no, n, f, off, 0, unchecked, disabled, ☐, ⬜, -, nein, aus, falsch, deaktiviert, non, faux, désactivé, falso, desactivado, onwaar, nee, uit, falsa, não, nie, fałsz, ne, nepravda, nem, hamis, ei, epätosi, nej, nei, falskt, falsk, usann, av, hayır, yanlış, nu, fals, нет, ложь, οχι, ψευδεσ',
)

/** Reads the cell of a yes or no; undefined for an empty one, and for a word that is unknown. */
export function flagIn(cell: string): boolean | undefined {
  const word = fold(cell)
  return YES().has(word) ? true : NO().has(word) ? false : undefined
}

/** Words for what only some may see, as in the column *Sensitivity* of Outlook. */
const WORDS_FOR_HIDDEN = wordSet(
  'private, confidential, personal, internal, secret, hidden, unlisted, not public, non-public, members only, privat, vertraulich, persönlich, intern, geheim, verborgen, versteckt, nicht öffentlich, nur für mitglieder, privé, privée, confidentiel, confidentielle, personnel, personnelle, interne, secrète, masqué, masquée, non public, privado, privada, confidencial, interno, interna, secreto, oculto, oculta, no público, vertrouwelijk, persoonlijk, privato, privata, riservato, riservata, personale',
)

/** Words for what everybody may see. */
const WORDS_FOR_PUBLIC = wordSet(
  'public, normal, default, standard, everyone, everybody, visible, öffentlich, alle, sichtbar, publique, normale, tous, par défaut, público, pública, todos, openbaar, normaal, pubblico, pubblica, tutti, predeterminado',
)

/** True if a word says who may see an event, rather than yes or no. */
export function isVisibilityWord(cell: string): boolean {
  const word = fold(cell)
  return WORDS_FOR_HIDDEN().has(word) || WORDS_FOR_PUBLIC().has(word)
}

/**
 * True if a cell of a column such as *Private* or *Sensitivity* hides the event; undefined for an empty one,
 * and for an unknown word.
 */
export function hidesIn(cell: string): boolean | undefined {
  const word = fold(cell)
  return WORDS_FOR_HIDDEN().has(word) ? true : WORDS_FOR_PUBLIC().has(word) ? false : flagIn(cell)
}

/**
 * True if a cell of a column such as *Public* hides the event; undefined for an empty one, and for an unknown
 * word.
 */
export function hidesUnless(cell: string): boolean | undefined {
  const word = fold(cell)
  if (WORDS_FOR_HIDDEN().has(word) || WORDS_FOR_PUBLIC().has(word)) return WORDS_FOR_HIDDEN().has(word)
  const flag = flagIn(cell)
  return flag === undefined ? undefined : !flag
}
