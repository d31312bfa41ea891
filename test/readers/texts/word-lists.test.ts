import { expect, it } from 'vitest'
import { fold } from '../../../src/kit/lib/text.ts'
import { de } from '../../../src/readers/texts/words/de.ts'
import { en } from '../../../src/readers/texts/words/en.ts'
import { es } from '../../../src/readers/texts/words/es.ts'
import { fr } from '../../../src/readers/texts/words/fr.ts'

it.each(Object.entries({ de, en, es, fr }))(
  'words of %s are folded like texts, once in each list',
  (_, words) => {
    const mistakes = Object.entries(words()).flatMap(([name, list]) => {
      const entries = list.split(list.includes('|') ? '|' : ' ')
      return entries
        .filter((entry, i) => entry !== fold(entry) || entries.indexOf(entry) < i)
        .map(entry => `${name}: ${entry}`)
    })
    expect(mistakes).toEqual([])
  },
)
