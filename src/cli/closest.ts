import { isNearly } from '../lib/nearly.ts'

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The one of some names that was probably meant by another: `SITE_NAME` by SITENAME, `production` by prod. */
export function closestTo(word: string, names: readonly string[]): string | undefined {
  const wanted = plain(word)
  const [nearest] = [0, 1, 2, 3, 4].flatMap(letters =>
    names.filter(name => letters <= plain(name).length / 4 && isNearly(wanted, plain(name), letters)),
  )
  return nearest ?? names.find(name => wanted.length > 2 && plain(name).startsWith(wanted))
}
