import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

// Names and comments use the terms of HTTP, SQL and TypeScript. This test finds words that have crept in before, and
// doc comments that begin with a question word instead of a noun or a verb.

/** Words that neither comments nor names may contain, with the terms to use instead. */
const REPLACED: Readonly<Record<string, string>> = {
  answer: 'response',
  answers: 'responses',
  answered: 'sent',
  posts: 'content',
  post: 'content',
  linked: 'related',
  view: 'RequestContext',
  standpoint: 'DocsContext',
  standing: 'CacheKey',
  walk: 'IndexedList',
  walks: 'reads',
  stretch: 'Interval',
  stretches: 'extends',
  outlasting: 'endingAfter',
  unseen: 'notYetPublished',
  passenger: 'piggyback',
  demand: 'assert',
  demands: 'requires',
  problem: 'error',
  problems: 'ValidationErrors',
  refusal: 'InvalidValue',
  refusals: 'errors',
  manners: 'RetryPolicy',
  shelf: 'IdSlugIndex',
  told: 'reported',
  foreign: 'externalId',
  stamp: 'importedVersion',
  stated: 'given',
  implied: 'sideEffects',
  searched: 'searchColumns',
  utils: 'a name for what the file holds',
  helpers: 'a name for what the file holds',
  manager: 'a name for what it does',
}

/** Names that the API or JavaScript gives to things. */
const EXCEPTIONS = new Set([
  'post_parent',
  'post_type',
  'post',
  'DataView',
  'ArrayBufferView',
  'rest_post_invalid_page_number',
])
/** Files whose `post` is the parameter of the lists of terms, or WordPress's own. */
const WITH_POST = /^src\/(?:terms\/(?:queries|schema)|export\/|companion\/)/

const COMMENT = /(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm
const QUOTED = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g
const TEMPLATE = /`(?:[^`\\]|\\.)*`/g
const EMBEDDED = /\$\{([^{}]*)\}/g
const QUESTION = /^\/\*\*\s*(?:\*\s*)?(?:What|Whether|How|Which|Where|Whose|Who|When|Why)\b/

type Source = { file: string; comments: string[]; names: string[] }

function sourceOf(file: string, text: string): Source {
  const code = text
    .replace(COMMENT, '')
    .replace(QUOTED, '')
    .replace(
      TEMPLATE,
      template => ` ${[...template.matchAll(EMBEDDED)].map(([, inner]) => inner).join(' ')} `,
    )
  return {
    file,
    comments: [...text.matchAll(COMMENT)].map(([comment]) => comment),
    names: [...new Set([...code.matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => name))],
  }
}

/** The words of a text or a name, in lower case, without terms of HTTP and SQL and without code. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/\bPOST\b|\bforeign keys?\b|`[^`]*`/g, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

const replacedIn = (text: string): string[] => wordsOf(text).filter(word => Object.hasOwn(REPLACED, word))

/** Lines that name each file, the words in it and what to write instead. */
function findings({ file, comments, names }: Source): string[] {
  const own = names.filter(name => !(EXCEPTIONS.has(name) && (name !== 'post' || WITH_POST.test(file))))
  return [...comments, ...own].flatMap(text =>
    replacedIn(text).map(word => `${file}: ${word} → ${REPLACED[word]} in ${text.trim().slice(0, 100)}`),
  )
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => join('src', name))
  .map(file => sourceOf(file, readFileSync(file, 'utf8')))

describe('names and comments in src', () => {
  it('use the terms of HTTP, SQL and TypeScript', () => {
    expect(sources.flatMap(findings)).toEqual([])
  })

  it('begin doc comments with a noun or a verb', () => {
    const questions = sources.flatMap(({ file, comments }) =>
      comments.filter(comment => QUESTION.test(comment)).map(comment => `${file}: ${comment.slice(0, 100)}`),
    )
    expect(questions).toEqual([])
  })
})

describe('the check', () => {
  const check = (text: string) => findings(sourceOf('src/x.ts', text)).length

  it('finds a word in comments and in parts of names', () => {
    expect(check('/** The answer. */')).toBe(1)
    expect(check('const linkedRows = []')).toBe(1)
    expect(check(`sql\`SELECT 1 \${answers}\``)).toBe(1)
  })

  it('passes over strings, HTTP methods and names of the API', () => {
    expect(check("// A POST with `post`.\nconst post_parent = 'posts'")).toBe(0)
  })

  it('finds question words at the start of doc comments of one line and of several', () => {
    expect(QUESTION.test('/** What is read. */')).toBe(true)
    expect(QUESTION.test('/**\n * Whether it is read.\n */')).toBe(true)
    expect(QUESTION.test('/** The rows. */')).toBe(false)
  })
})
