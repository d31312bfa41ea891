/** What a stand-in for a language model answers, by words of the text that it is asked about. */
export type PreparedAnswers = Readonly<Record<string, unknown>>

/** A quote and the value that it says. */
type Said = readonly [quote: string, value: string]

type EventParts = {
  title: string
  date?: Said
  time?: Said
  until?: Said
  /** The last day. */
  to?: Said
  venue?: Said
  organizer?: Said
  cost?: readonly [quote: string, ...amounts: number[]]
  status?: Said
}

const named = ([quote = '', name = '']: Said | readonly [] = []) => ({ quote, name })

/** An event of an answer. @param more further fields, as the model gives them */
export const answeredEvent = (
  { title, date, time, until, to, venue, organizer, cost, status }: EventParts,
  more: object = {},
) => ({
  title,
  start: {
    date_quote: date?.[0] ?? '',
    date: date?.[1] ?? '',
    time_quote: time?.[0] ?? '',
    time: time?.[1] ?? '',
  },
  end: {
    date_quote: to?.[0] ?? '',
    date: to?.[1] ?? '',
    time_quote: until?.[0] ?? '',
    time: until?.[1] ?? '',
  },
  venue: named(venue),
  organizer: named(organizer),
  cost: { quote: cost?.[0] ?? '', amounts: cost?.slice(1) ?? [] },
  status: { quote: status?.[0] ?? '', value: status?.[1] ?? 'scheduled' },
  ...more,
})

/** An answer with these events. */
export const answerOf = (...events: readonly EventParts[]) => ({
  events: events.map(event => answeredEvent(event)),
  more: false,
})

/** The prepared answer to a question. @throws Error if none is prepared */
export function preparedAnswer(answers: PreparedAnswers, user: string): unknown {
  const text = user.slice(user.indexOf('\nText:\n') + '\nText:\n'.length)
  const words = Object.keys(answers).find(key => text.includes(key))
  if (words === undefined) throw new Error('No answer is prepared for this text.')
  return answers[words]
}

/** A stand-in for Workers AI. @property asked the questions so far */
export function answering(answers: PreparedAnswers) {
  const asked: string[] = []
  const AI = {
    run: async (_model: string, input: object) => {
      const { messages } = input as { messages: { content: string }[] }
      const user = messages[1]?.content ?? ''
      asked.push(user)
      return { response: preparedAnswer(answers, user) }
    },
  }
  return { AI, asked }
}
