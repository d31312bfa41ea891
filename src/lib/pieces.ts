/** Splits items into lists of at most so much together. An item that is larger by itself stands alone. */
export function* piecesWithin<T>(
  items: Iterable<T>,
  most: number,
  sizeOf: (item: T) => number,
): Generator<T[]> {
  let piece: T[] = []
  let size = 0
  for (const item of items) {
    const more = sizeOf(item)
    if (piece.length > 0 && size + more > most) {
      yield piece
      piece = []
      size = 0
    }
    piece.push(item)
    size += more
  }
  if (piece.length > 0) yield piece
}
