import { readFileSync, writeFileSync } from 'node:fs'
import { encodeCounts, learn, noCounts, type SubmittedText } from '../resources/submissions/spam.ts'

const FOLDER = 'src/resources/submissions'

/** Reads labelled texts, a line each: `title | description | venue | organizer | website`, and what else is public. */
export const readSamples = (lines: string): SubmittedText[] =>
  lines
    // Their addresses lead nowhere, which says nothing about those that people send in.
    .replaceAll('.example', '')
    .trim()
    .split('\n')
    .map(line => {
      const [title = '', ...rest] = line.split('|').map(part => part.trim())
      return { title, rest: rest.slice(0, 4).join(' \n ') }
    })

/** The labelled texts of a kind, by which the classifier is trained. */
export const samplesOf = (kind: 'events' | 'spam'): SubmittedText[] =>
  readSamples(readFileSync(`${FOLDER}/samples/${kind}.txt`, 'utf8'))

/** `npm run spam`: counts the features of the labelled texts anew after a change of these. */
if (import.meta.main) {
  let counts = noCounts()
  for (const text of samplesOf('events')) counts = learn(counts, text, false)
  for (const text of samplesOf('spam')) counts = learn(counts, text, true)
  const { events, spam } = counts
  writeFileSync(
    `${FOLDER}/spam-counts.json`,
    `${JSON.stringify({ events, spam, counts: encodeCounts(counts) }, null, 2)}\n`,
  )
}
