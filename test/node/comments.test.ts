import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// The formatter wraps code, but no comments.
const WIDTH = 110
const isComment = (line: string): boolean => /^\s*(?:\/[/*]|\*)/.test(line)

/** Files whose comments quote long lines of announcements. */
const QUOTING = /readers\/texts\//

it('comments are no wider than code', () => {
  const files = ['src', 'test']
    .flatMap(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
    )
    .filter(name => /\.[cm]?[jt]s$/.test(name) && !/node_modules/.test(name) && !QUOTING.test(name))
  expect(files.length).toBeGreaterThan(1_000)
  const wide = files.flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => (line.length > WIDTH && isComment(line) ? [`${file}:${i + 1}`] : [])),
  )
  expect(wide).toEqual([])
})
