const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Tells if so many letters to insert, leave out or replace make one word of another. */
function isWithin(letters: number, from: string, to: string): boolean {
  if (letters < 0) return false
  if (!from || !to) return from.length + to.length <= letters
  const [a, b] = [from.slice(1), to.slice(1)]
  if (from[0] === to[0]) return isWithin(letters, a, b)
  const left = letters - 1
  return isWithin(left, a, b) || isWithin(left, a, to) || isWithin(left, from, b)
}

/** The one of some names that was probably meant by another: `SITE_NAME` by SITENAME, `production` by prod. */
export function closestTo(word: string, names: readonly string[]): string | undefined {
  const wanted = plain(word)
  const [nearest] = [0, 1, 2, 3, 4].flatMap(letters =>
    names.filter(name => letters <= plain(name).length / 4 && isWithin(letters, wanted, plain(name))),
  )
  return nearest ?? names.find(name => wanted.length > 2 && plain(name).startsWith(wanted))
}
