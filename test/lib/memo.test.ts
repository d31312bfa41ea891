import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LruCache } from '../../src/lib/memo.ts'

const make = () => new LruCache<string>({ most: 10, largest: 6, sizeOf: value => value.length })
const keysOf = (recent: LruCache<string>) => recent.entries().map(([key]) => key)

describe('LruCache', () => {
  it('forgets the least recently used value', () => {
    const recent = make()
    for (const key of ['a', 'b', 'c']) recent.set(key, 'xxx')
    expect(recent.get('a')).toBe('xxx')
    recent.set('d', 'xxx')
    expect([keysOf(recent), recent.get('b'), recent.size, recent.total]).toEqual([
      ['c', 'a', 'd'],
      undefined,
      3,
      9,
    ])
  })

  it('forgets as many values as a large one needs', () => {
    const recent = make()
    for (const key of ['a', 'b', 'c', 'd', 'e']) recent.set(key, 'xx')
    recent.set('f', 'xxxxx')
    expect([keysOf(recent), recent.total]).toEqual([['d', 'e', 'f'], 9])
  })

  it('counts a value that replaces another once, as the most recent', () => {
    const recent = make()
    recent.set('a', 'xxxx')
    recent.set('b', 'xxx')
    recent.set('a', 'yy')
    expect([recent.entries(), recent.total]).toEqual([
      [
        ['b', 'xxx'],
        ['a', 'yy'],
      ],
      5,
    ])
  })

  it('keeps no value that is too large, nor the one that it replaces', () => {
    const recent = make()
    recent.set('a', 'xxxxxx')
    recent.set('b', 'xx')
    recent.set('a', 'xxxxxxx')
    expect([keysOf(recent), recent.total]).toEqual([['b'], 2])
    const small = new LruCache<string>({ most: 3, largest: 6, sizeOf: value => value.length })
    small.set('a', 'xx')
    small.set('b', 'xxxx')
    expect([keysOf(small), small.total]).toEqual([['a'], 2])
  })

  it('is empty once it was cleared', () => {
    const recent = make()
    recent.set('a', 'xxxxxx')
    recent.clear()
    expect([recent.get('a'), recent.size, recent.total]).toEqual([undefined, 0, 0])
    recent.set('b', 'xxxxxx')
    expect(recent.total).toBe(6)
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
          expect(recent.total).toBe(model.reduce((sum, [, value]) => sum + value.length, 0))
        }
      }),
      { seed: 1 },
    )
  })
})
