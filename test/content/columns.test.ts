import { expect, it } from 'vitest'
import {
  asColumns,
  type ContentValues,
  contentColumns,
  type NothingLeft,
  ownFields,
} from '../../src/content/columns.ts'
import { organizers } from '../../src/db/schema.ts'

it('a field of a kind that is no column and that nothing else stores does not compile', () => {
  const values = { phone: '1', email: 'a@b.example', fax: '2', slug: 'x' }
  const { fax: _, ...stored } = ownFields(values)
  expect(asColumns(organizers, stored)).toEqual({ phone: '1', email: 'a@b.example' })
  // @ts-expect-error `fax` is no column of organizers
  asColumns(organizers, ownFields(values))
})

it('a shared field that nothing stores does not compile', () => {
  const forgetful = ({ author, date, date_utc, status, slug, image, ...rest }: ContentValues) => {
    // @ts-expect-error `description` is left over
    rest satisfies NothingLeft
    return { author, date, date_utc, status, slug, image }
  }
  expect(forgetful({ description: 'x' })).not.toHaveProperty('description')
  expect(contentColumns({ description: 'x', author: 7 })).toMatchObject({ description: 'x', author_id: 7 })
})
