import { expect, it } from 'vitest'
import { boxAround, type Position } from '../../src/lib/geography.ts'

it.each<[string, Position[], number[] | undefined]>([
  ['none', [], undefined],
  ['one', [[-9, 53]], [-9, 53, -9, 53]],
  [
    'two',
    [
      [-9, 53],
      [10, 40],
    ],
    [-9, 40, 10, 53],
  ],
  [
    'two on either side of the date line',
    [
      [179, -17],
      [-178, -13],
    ],
    [179, -17, -178, -13],
  ],
  [
    'three of which one is far from the date line',
    [
      [170, 0],
      [-170, 0],
      [120, 5],
    ],
    [120, 0, -170, 5],
  ],
  [
    'opposite ones',
    [
      [-90, 0],
      [90, 0],
    ],
    [-90, 0, 90, 0],
  ],
])('the smallest box around %s', (_, places, expected) => {
  const box = boxAround(places)
  expect(box && [box.west, box.south, box.east, box.north]).toEqual(expected)
  const turned = boxAround(places.toReversed())
  expect(turned).toEqual(box)
})
