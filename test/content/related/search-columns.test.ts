import { expect, it } from 'vitest'
import { ORGANIZERS } from '../../../src/organizers/kind.ts'
import { BACKUP } from '../../../src/sources/columns.ts'
import { VENUES } from '../../../src/venues/kind.ts'

it.each([VENUES, ORGANIZERS])('a search of $plural looks through every column of text', kind => {
  const texts = Object.entries(BACKUP[kind.plural]).flatMap(([name, part]) =>
    part === 'text' || part === 'url' ? [name] : [],
  )
  expect(texts.length).toBeGreaterThan(3)
  expect(['name', ...kind.searchColumns].sort()).toEqual(texts.sort())
})
