import { expect, it } from 'vitest'
import { type ContentValues, contentColumns, type NothingLeft } from '../../src/content/columns.ts'

type Fields = { title?: string; website?: string }

it('a field that nothing stores does not compile', () => {
  const whole = ({ title, website, ...rest }: Fields) => {
    rest satisfies NothingLeft
    return { title, website }
  }
  const forgetful = ({ title, ...rest }: Fields) => {
    // @ts-expect-error `website` is left over
    rest satisfies NothingLeft
    return { title }
  }
  const fields = { title: 'Ball', website: 'https://ball.example' }
  expect(whole(fields)).toEqual(fields)
  // What the compiler refuses would be dropped in silence.
  expect(forgetful(fields)).not.toHaveProperty('website')
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
