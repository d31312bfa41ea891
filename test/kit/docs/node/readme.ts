import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../../..')

/** The README and the pages for users that it leads to, by path. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    ...['API', 'CALENDARS', 'IMPORTING', 'OPERATING', 'PAGES', 'RECIPES', 'SCALE'].map(
      name => `.github/${name}.md`,
    ),
  ].map(path => [path, readFileSync(join(ROOT, path), 'utf8')]),
)

/** All of them. */
export const TEXT = [...PAGES.values()].join('\n')

const FENCE = /^```(\w+)\n(.*?)^```$/gms

/** The text below a heading, up to the next one of any level. A single # begins comments in commands. */
export function section(heading: string): string {
  const parts = [...PAGES.values()].flatMap(page => page.split(/^##+ /m))
  return parts.find(part => part.startsWith(`${heading}\n`)) ?? ''
}

/** The blocks of a language in a text. */
const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(FENCE)].filter(([, name]) => name === language).map(([, , block = '']) => block)

/** The blocks of a language below a heading. */
export const blocks = (heading: string, language: string): string[] => blocksOf(section(heading), language)

/** The blocks of a language on the page of recipes. */
export const recipes = (language: string): string[] =>
  blocksOf(PAGES.get('.github/RECIPES.md') ?? '', language)

/** Options in the first column of the tables below a heading. */
export const optionsInTable = (heading: string): string[] =>
  [...section(heading).matchAll(/^\| (`--.*?) \|/gm)].flatMap(([, cell = '']) => optionsIn(cell))

/** Long options of a text. */
export const optionsIn = (text: string): string[] =>
  [...text.matchAll(/--[a-z][\w-]*/g)].map(([option]) => option)

/** Calls of scripts in commands and in prose, with the options that they are given. */
export const calls = (): { script: string; options: string[] }[] =>
  [...TEXT.matchAll(/npm run ([\w:]+) -- ([^\n`#]*)/g)].map(([, script = '', rest = '']) => ({
    script,
    options: optionsIn(rest),
  }))
