// What slips there are, apart from those of a format: a place in a file, and what is written there instead.

/** A kind of slip: the places where it can be made, and what is written there instead of what matches. */
export type Kind = { name: string; at: RegExp; put: (match: string) => readonly string[] }

/** One slip: the file with another text between two places. */
export type Slip = { kind: string; file: string; from: number; to: number; text: string }

export const WHITE = [' ', '\t', '\u00a0']

/** Stands for a byte that is no text in UTF-8, nor in Windows-1252. */
export const BAD_BYTE = '\ue0ff'

/** A kind that puts one of some texts before, or after, or instead of what matches. */
export const put = (name: string, at: RegExp, ...texts: string[]): Kind => ({ name, at, put: () => texts })
export const before = (name: string, at: RegExp, ...texts: string[]): Kind => ({
  name,
  at,
  put: match => texts.map(text => text + match),
})
export const after = (name: string, at: RegExp, ...texts: string[]): Kind => ({
  name,
  at,
  put: match => texts.map(text => match + text),
})
export const around = (name: string, at: RegExp, ...texts: string[]): Kind => ({
  name,
  at,
  put: match => texts.flatMap(text => [text + match, match + text]),
})
export const lost = (name: string, at: RegExp): Kind => put(name, at, '')
export const doubled = (name: string, at: RegExp): Kind => ({ name, at, put: match => [match + match] })

/** Other cases of a word. */
export const otherCase = (name: string, at: RegExp): Kind => ({
  name,
  at,
  put: match =>
    [
      match.toLowerCase(),
      match.toUpperCase(),
      match.replace(/^./, letter => letter.toLowerCase()),
      match.charAt(0) + match.slice(1).toLowerCase(),
    ].filter((text, i, all) => text !== match && all.indexOf(text) === i),
})

/**
 * A word with a letter lost, doubled, in the place of its neighbour, or another; none that is a word of its
 * own.
 */
export const misspelt = (name: string, at: RegExp, words: readonly string[] = []): Kind => {
  const taken = new Set(words.map(word => word.toLowerCase()))
  return {
    name,
    at,
    put: match =>
      [...match.matchAll(/\p{L}/gu)]
        .flatMap(({ 0: letter, index: i }) => {
          const head = match.slice(0, i)
          const tail = match.slice(i + 1)
          const other = /\p{Lu}/u.test(letter) ? 'Q' : 'q'
          const swapped = tail === '' ? [] : [head + tail.charAt(0) + letter + tail.slice(1)]
          return [head + tail, head + letter + letter + tail, head + other + tail, ...swapped]
        })
        .filter(text => text.toLowerCase() !== match.toLowerCase() && !taken.has(text.toLowerCase())),
  }
}

/** Numbers from 0 to 1 that follow from a seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Some slips of each kind in each file, as many of one as of another, in places by a seed. */
export function slipsOf(
  files: Readonly<Record<string, string>>,
  kindsOf: (file: string) => readonly Kind[],
  count: number,
  seed: number,
): Slip[] {
  const random = randomFrom(seed)
  const all = Object.entries(files).flatMap(([file, content]) =>
    kindsOf(file).flatMap(({ name, at, put: texts }) =>
      [...content.matchAll(at)].flatMap(match =>
        texts(match[0]).map(text => ({
          ...{ kind: name, file, from: match.index, to: match.index + match[0].length, text },
          rank: random(),
        })),
      ),
    ),
  )
  const groups = [...Map.groupBy(all, ({ kind, file }) => `${kind} ${file}`).values()].map(group => ({
    group: group.sort((a, b) => a.rank - b.rank),
    rank: random(),
  }))
  groups.sort((a, b) => a.rank - b.rank)
  const longest = Math.max(...groups.map(({ group }) => group.length))
  const chosen: Slip[] = []
  for (let round = 0; round < longest && chosen.length < count; round += 1)
    for (const { group } of groups) {
      const slip = group[round]
      if (slip && chosen.length < count) chosen.push(slip)
    }
  return chosen
}

/** The bytes of a file with a slip. */
export function bytesWith(content: string, { from, to, text }: Slip): Uint8Array {
  const parts = (content.slice(0, from) + text + content.slice(to)).split(BAD_BYTE)
  return Buffer.concat(
    parts.flatMap((part, i) => (i === 0 ? [Buffer.from(part)] : [Buffer.from([0x81]), Buffer.from(part)])),
  )
}
