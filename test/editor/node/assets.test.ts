import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSiteAssets } from '../../../src/commands/assets.ts'
import { ASSETS } from '../../../src/site/html/assets.ts'
import { temporaryFolder } from '../../commands/spawn.ts'

const folder = temporaryFolder(afterAll)
beforeAll(() => makeSiteAssets(folder))

it('all scripts of the editor take at most 10.2 KB, its stylesheet at most 7.6', async () => {
  const sizeOf = async (address: string) => gzipSync(await readFile(join(folder, address))).length
  expect((await sizeOf(ASSETS.editorScript)) + (await sizeOf(ASSETS.passkeys))).toBeLessThan(10_200)
  expect(await sizeOf(ASSETS.editorStyle)).toBeLessThan(7_600)
})

it('what succeeded does not have the accent colour, which may be red', async () => {
  const css = await readFile(join(folder, ASSETS.editorStyle), 'utf8')
  const rules = [...css.matchAll(/([^{}]*)\{([^{}]*)\}/g)].flatMap(([, selectors = '', rule = '']) =>
    /\.editor-notice(?![\w.-])/.test(selectors) ? [rule] : [],
  )
  // An earlier rule is shared with notes that do have the accent colour.
  const last = rules.at(-1)
  expect(last).toMatch(/border-color:\s*var\(--done\)/)
  expect(last).toMatch(/background:\s*var\(--done-tint\)/)
  expect(last).not.toMatch(/--(?:accent|tint)\b/)
})
