import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('French words keep marks of two parts, and quotation marks, on the line of their words', () => {
  const loose = globSync('src/admin/words/**/*.ts').flatMap(file => {
    const text = readFileSync(file, 'utf8')
    const french = file.endsWith('/fr.ts') ? text : (/\n {2}fr: \{\n[\s\S]*?\n {2}\}/.exec(text)?.[0] ?? '')
    const strings = [...french.matchAll(/'(?:[^'\\\n]|\\.)*'/g)].map(([string]) => string)
    return strings.filter(string => /« | »|\S [?!;:](?:\s|')/.test(string))
  })
  expect(loose).toEqual([])
})
