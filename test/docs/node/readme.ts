import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fenced block of the README. */
export type Block = { section: string; language: string; text: string }

export const ROOT = join(import.meta.dirname, '../../..')
export const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

const FENCE = /^```(\w+)\n(.*?)^```$/gms

/** The text below a heading, up to the next one of any level. A single # begins comments in commands. */
export function section(heading: string): string {
  const parts = README.split(/^##+ /m)
  return parts.find(part => part.startsWith(`${heading}\n`)) ?? ''
}

/** The blocks of a language below a heading. */
export const blocks = (heading: string, language: string): string[] =>
  [...section(heading).matchAll(FENCE)].filter(([, name]) => name === language).map(([, , text = '']) => text)

/** Options in the first column of the tables below a heading. */
export const optionsInTable = (heading: string): string[] =>
  [...section(heading).matchAll(/^\| (`--.*?) \|/gm)].flatMap(([, cell = '']) => optionsIn(cell))

/** Long options of a text. */
export const optionsIn = (text: string): string[] =>
  [...text.matchAll(/--[a-z][\w-]*/g)].map(([option]) => option)

/** Calls of scripts in commands and in prose, with the options that they are given. */
export const calls = (): { script: string; options: string[] }[] =>
  [...README.matchAll(/npm run ([\w:]+) -- ([^\n`#]*)/g)].map(([, script = '', rest = '']) => ({
    script,
    options: optionsIn(rest),
  }))
