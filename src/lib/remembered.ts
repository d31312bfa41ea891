/**
 * A function that gives the value of a key, which it works out once: the words for a day, of which many events are.
 *
 * @param most the number of values after which it begins anew
 */
export function remembered<V>(most: number): (key: string, work: () => V) => V {
  const known = new Map<string, V>()
  return (key, work) => {
    const kept = known.get(key)
    if (kept !== undefined) return kept
    if (known.size >= most) known.clear()
    const value = work()
    known.set(key, value)
    return value
  }
}
