import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LruCache, memoizeByObject } from '../../../src/kit/lib/memo.ts'

const make = () => new LruCache<string>({ maxSize: 10, maxValueSize: 6, sizeOf: value => value.length })
const keysOf = (recent: LruCache<string>) => recent.entries().map(([key]) => key)

describe('LruCache', () => {
  it('keeps no value that is larger than the whole cache', () => {
    const small = new LruCache<string>({ maxSize: 3, maxValueSize: 6, sizeOf: value => value.length })
    small.set('a', 'xx')
    small.set('b', 'xxxx')
    expect(keysOf(small)).toEqual(['a'])
  })

  it('is empty after it was cleared', () => {
    const recent = make()
    recent.set('a', 'xxxxxx')
    recent.clear()
    expect([recent.get('a'), recent.entries()]).toEqual([undefined, []])
    recent.set('b', 'xxxxxx')
    recent.set('c', 'xxxx')
    expect(keysOf(recent)).toEqual(['b', 'c'])
  })

  it('behaves like a list in order of use', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), size: fc.option(fc.nat({ max: 8 })) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const recent = make()
        let model: [key: string, value: string][] = []
        for (const { key, size } of steps) {
          const before = model.find(([known]) => known === key)
          if (size === null) expect(recent.get(key)).toBe(before?.[1])
          else recent.set(key, 'x'.repeat(size))
          const now: typeof before = size === null ? before : size > 6 ? undefined : [key, 'x'.repeat(size)]
          model = [...model.filter(([known]) => known !== key), ...(now ? [now] : [])]
          while (model.reduce((sum, [, value]) => sum + value.length, 0) > 10) model = model.slice(1)
          expect(recent.entries()).toEqual(model)
        }
      }),
      { seed: 1 },
    )
  })
})

it('computes a result once for each object, even if another one is equal', () => {
  const sumOf = memoizeByObject((list: number[], more: number) => list.reduce((sum, n) => sum + n, more))
  const list = [1, 2]
  expect([sumOf(list, 0), list.push(4), sumOf(list, 1), sumOf([1, 2], 1)]).toEqual([3, 3, 3, 4])
})
