import { env } from 'cloudflare:workers'
import { type Column, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../../src/kit/db/database.ts'
import {
  isConflict,
  isConstraintViolation,
  isForeignKeyViolation,
  isUniqueViolation,
  retryConflicts,
} from '../../../src/kit/db/failures.ts'
import { build } from '../../../src/kit/db/statements.ts'
import { events, eventVenues, idempotencyKeys, remarks, users, venues } from '../../../src/kit/db/tables.ts'
import { ApiError } from '../../../src/kit/lib/errors.ts'
import { asError } from '../../../src/kit/work/error-log.ts'
import { declareUser, makeEvent, makeVenue } from '../../factories.ts'

const db = new Database(env.DB)

/** The error of D1 for a write. */
const failureOf = (...statements: Parameters<Database['write']>[0]): Promise<unknown> =>
  db.write(statements).then(
    () => 'no failure',
    error => error,
  )

/** A statement that inserts the venue again, with expressions for its slug and its external id. */
const again = (slug: string, externalId: string) => sql`INSERT INTO ${venues}
    (name, slug, external_id, author_id, status, date, date_utc, modified, modified_utc)
  SELECT name, ${sql.raw(slug)}, ${sql.raw(externalId)}, author_id, status, date, date_utc, modified, modified_utc FROM ${venues}`

const editor = declareUser('editor', 'Anna')
beforeAll(async () => {
  await makeEvent(editor)
  await makeVenue(editor, 'Hall', { external_id: 'hall' })
})

describe('a unique violation', () => {
  const key = {
    user_id: 1,
    key: 'k',
    request_digest: '',
    request_id: '',
    at_utc: '',
    audit_id: 0,
    total_bytes: 0,
  }
  const remark = { event_id: 1, text: '', created_utc: '', form_digest: 'd' }

  it.each<[string, Column, Column, () => Promise<unknown>]>([
    [
      'an index that ignores case',
      users.login,
      users.name,
      () => failureOf(build.insert(users).values({ login: 'ANNA', role: 'author', created_utc: '' })),
    ],
    [
      'a primary key of two columns',
      idempotencyKeys.key,
      idempotencyKeys.request_digest,
      () => failureOf(build.insert(idempotencyKeys).values([key, key])),
    ],
    [
      'an index of texts that may be null',
      remarks.form_digest,
      remarks.text,
      () => failureOf(build.insert(remarks).values([remark, remark])),
    ],
    ['an index of slugs', venues.slug, events.slug, () => failureOf(again('slug', "''"))],
  ])('of %s is known by its column, and by no other', async (_, column, other, fail) => {
    const error = await fail()
    expect(String(error)).toContain('UNIQUE')
    expect([isUniqueViolation(error, column), isUniqueViolation(error, other)]).toEqual([true, false])
    expect([isConflict(error), isForeignKeyViolation(error)]).toEqual([false, false])
  })

  it('of an external id is a conflict: the next attempt finds whose it is', async () => {
    const taken = await failureOf(again("'other'", 'external_id'))
    expect([isUniqueViolation(taken, venues.external_id), isConflict(taken)]).toEqual([true, true])
  })

  it('is none where another rule of a table is broken', async () => {
    const error = await failureOf(sql`INSERT INTO users (login, role) VALUES (NULL, 'author')`)
    expect(isUniqueViolation(error, users.login)).toBe(false)
    expect(isConstraintViolation(error)).toBe(true)
  })
})

it('a wrong statement, a fault of D1 and a bug break no rule of the tables', async () => {
  const wrong = await failureOf(sql`INSERT INTO nowhere VALUES (1)`)
  for (const error of [
    wrong,
    new Error('D1_ERROR: Network connection lost.'),
    new TypeError('x is undefined'),
  ])
    expect(isConstraintViolation(error), String(error)).toBe(false)
})

describe('a link to a missing row', () => {
  const link = (venue: number) =>
    build.insert(eventVenues).values({ event_id: 1, target_id: venue, position: 0 })

  it('is tried again once, after which the row is known to be gone', async () => {
    const ids = [99, 1]
    await retryConflicts(() => db.write([link(ids.shift() ?? 0)]))
    expect(ids).toEqual([])
  })

  it('is a bug if the next attempt links to it again, and keeps its error', async () => {
    let attempts = 0
    const done = retryConflicts(() => {
      attempts++
      return db.write([link(99)])
    })
    await expect(done).rejects.toSatisfy(isForeignKeyViolation)
    expect(attempts).toBe(2)
  })
})

it('what others keep changing is given up with the last failure as its cause', async () => {
  const failure = new Error('version conflict')
  const error = await retryConflicts(() => Promise.reject(failure)).catch(asError)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'rest_concurrent_changes', cause: failure })
})

describe('an attempt within another one', () => {
  const GIVEN_UP = { code: 'rest_concurrent_changes', cause: new Error('version conflict') }
  /** An attempt that reads a version, of which the inner one writes the next. @returns the number of reads */
  const readsUntil = async (isCurrent: (version: number) => boolean) => {
    let reads = 0
    await retryConflicts(() => {
      const version = ++reads
      return retryConflicts(async () => {
        if (!isCurrent(version)) throw GIVEN_UP.cause
      })
    })
    return reads
  }

  it('that keeps failing with what the outer one has read makes the outer one read again', async () => {
    expect(await readsUntil(version => version === 2)).toBe(2)
  })

  it('is given up the second time', async () => {
    const versions = new Set<number>()
    const done = readsUntil(version => versions.add(version).size > 9)
    await expect(done).rejects.toMatchObject(GIVEN_UP)
    expect([...versions]).toEqual([1, 2])
  })
})
