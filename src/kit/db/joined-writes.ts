import { combineQueries, type Query, resolvedQuery } from './query.ts'

export type SendWrite = <T>(query: Query<T>) => Promise<T>

/**
 * Runs writers in order, and joins their first writes into one: the first write of each waits until all
 * writers after it have made theirs. Their further writes are not joined.
 *
 * Of two writers, the first runs until it writes, and waits there; then the second runs until it writes;
 * both writes are sent as one batch; the second goes on to its end, and then the first. If the batch or a
 * writer fails, the error passes through all that wait.
 *
 * So the writers run within one another: the first write of each runs those after it, and returns when their
 * batch has come back.
 *
 * @param takeNextWrite has the next write that a writer makes sent by a function
 * @param sendAll sends the joined write
 */
export async function joinFirstWrites<T>(
  writers: readonly (() => Promise<T>)[],
  takeNextWrite: (send: SendWrite) => void,
  sendAll: SendWrite,
): Promise<T[]> {
  const results: T[] = []
  /** @param waiting the writes of the writers before the i-th @returns their result */
  const runFrom = async <W>(i: number, waiting: Query<W>): Promise<W> => {
    const writer = writers[i]
    if (!writer) return sendAll(waiting)
    let batch: { waiting: W } | undefined
    takeNextWrite(async write => {
      const joined = await runFrom(i + 1, combineQueries({ waiting, write }))
      batch = joined
      return joined.write
    })
    results[i] = await writer()
    return batch ? batch.waiting : runFrom(i + 1, waiting)
  }
  await runFrom(0, resolvedQuery(undefined))
  return results
}
