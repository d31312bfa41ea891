import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  COUNT_UNIT,
  digitsOf,
  HASHES,
  hashesOf,
  type SpamCounts,
  type SubmittedText,
  spamCountsOf,
} from '../calendar/intake/spam.ts'
import { command, runCommand } from './arguments.ts'

const FOLDER = 'src/calendar/intake'
const SAMPLES = `${FOLDER}/samples`

export type Sample = { language: string; text: SubmittedText }

/**
 * Reads labelled texts, one per line: `title | description | venue | organizer | website`, and other public
 * texts.
 */
const readSamples = (lines: string): SubmittedText[] =>
  lines
    // The samples have `.example` addresses, which real submissions don't.
    .replaceAll('.example', '')
    .trim()
    .split('\n')
    .map(line => {
      const [title = '', ...texts] = line.split('|').map(part => part.trim())
      return { title, otherText: texts.slice(0, 4).join(' \n ') }
    })

/** The labelled texts of a kind: a file for each language, such as `de.spam.txt`. */
export const samplesOf = (kind: 'events' | 'spam'): Sample[] =>
  readdirSync(SAMPLES)
    .filter(file => file.endsWith(`.${kind}.txt`))
    .sort()
    .flatMap(file =>
      readSamples(readFileSync(`${SAMPLES}/${file}`, 'utf8')).map(text => ({
        language: file.split('.')[0] ?? '',
        text,
      })),
    )

/**
 * The counts of labelled texts. In each language, both kinds have the same weight: otherwise the words of a
 * language with more samples of spam would count as spam themselves.
 */
export function countSamples(events: readonly Sample[], spam: readonly Sample[]): SpamCounts {
  const exact = new Float64Array(2 * HASHES)
  for (const language of new Set([...events, ...spam].map(sample => sample.language))) {
    const kinds = [events, spam].map(samples =>
      samples.filter(sample => sample.language === language).flatMap(({ text }) => [...hashesOf(text)]),
    )
    const sampleCount = kinds.flat().length
    for (const [kind, features] of kinds.entries())
      for (const feature of features) {
        const index = 2 * feature + kind
        exact[index] = (exact[index] ?? 0) + (COUNT_UNIT * sampleCount) / 2 / features.length
      }
  }
  return spamCountsOf(Uint16Array.from(exact, Math.round))
}

const HELP = `Counts the words of the labelled texts in ${SAMPLES} again after a change of these,
and writes ${FOLDER}/spam-counts.json.

  npm run spam`

if (import.meta.main)
  await runCommand(
    command(HELP, {}, async () => {
      const counts = countSamples(samplesOf('events'), samplesOf('spam'))
      writeFileSync(
        `${FOLDER}/spam-counts.json`,
        `${JSON.stringify({ counts: digitsOf(counts) }, null, 2)}\n`,
      )
    }),
  )
