import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { makeAdminAssets } from '../../../../src/cli/assets.ts'

it('all scripts of the editor take at most 10.6 KB, its stylesheet at most 8', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'admin-assets-'))
  await makeAdminAssets(folder)
  const sizeOf = async (name: string) => gzipSync(await readFile(join(folder, '_admin', name))).length
  expect((await sizeOf('editor.js')) + (await sizeOf('webauthn.js'))).toBeLessThan(10_600)
  expect(await sizeOf('editor.css')).toBeLessThan(8_000)
  await rm(folder, { recursive: true })
})

it('what succeeded does not have the accent colour, which may be red', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'admin-assets-'))
  await makeAdminAssets(folder)
  const css = await readFile(join(folder, '_admin', 'editor.css'), 'utf8')
  const [, rule = ''] = css.match(/\.editor-notice[^{]*\{([^}]*)\}/) ?? []
  expect(rule).toContain('--done-tint')
  expect(rule).not.toMatch(/--(?:accent|tint)\b/)
  await rm(folder, { recursive: true })
})
