const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The number of letters to insert, leave out or replace that make one word of another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    let [left, diagonal] = [i + 1, i]
    row = row.map((above, j) => {
      const replaced = diagonal + (letter === to[j - 1] ? 0 : 1)
      left = j === 0 ? i + 1 : Math.min(above + 1, left + 1, replaced)
      diagonal = above
      return left
    })
  }
  return row.at(-1) ?? 0
}

/** The one of some names that was probably meant by another: `SITE_NAME` by SITENAME, `production` by prod. */
export function closestTo(word: string, names: readonly string[]): string | undefined {
  const wanted = plain(word)
  const begins = names.find(name => wanted.length > 2 && plain(name).startsWith(wanted))
  const [nearest] = names
    .map(name => ({ name, far: distance(wanted, plain(name)) }))
    .filter(({ name, far }) => far <= plain(name).length / 4)
    .sort((a, b) => a.far - b.far)
  return nearest?.name ?? begins
}
