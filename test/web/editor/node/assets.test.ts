import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSiteAssets } from '../../../../src/cli/assets.ts'
import { ASSETS } from '../../../../src/web/html/assets.ts'
import { temporaryFolder } from '../../../cli/spawn.ts'

const folder = temporaryFolder(afterAll)
beforeAll(() => makeSiteAssets(folder))

it('all scripts of the editor take at most 11.6 KB, its stylesheet at most 8.5', async () => {
  const sizeOf = async (address: string) => gzipSync(await readFile(join(folder, address))).length
  expect((await sizeOf(ASSETS.editorScript)) + (await sizeOf(ASSETS.passkeys))).toBeLessThan(11_600)
  expect(await sizeOf(ASSETS.editorStyle)).toBeLessThan(8_500)
})

it('what succeeded does not have the accent colour, which may be red', async () => {
  const css = await readFile(join(folder, ASSETS.editorStyle), 'utf8')
  const [, rule = ''] = css.match(/\.editor-notice[^{]*\{([^}]*)\}/) ?? []
  expect(rule).toContain('--done-tint')
  expect(rule).not.toMatch(/--(?:accent|tint)\b/)
})
