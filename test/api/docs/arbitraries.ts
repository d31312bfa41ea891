import fc from 'fast-check'
import type { ApiDocument, Operation, Part } from './documented.ts'

// Requests made up from the document: mostly what it asks for, now and then something else.

/** Few enough ids that many requests name something there is. */
const SMALL_ID = 12
/** Clients resolve these segments of a path before they send it. */
const DOTS = /^\.{0,2}$/
const DATE = /^\d{4}-\d\d-\d\d/

type Fields = Record<string, unknown>
type Encoding = 'json' | 'form'
export type Attempt = {
  method: string
  template: string
  path: Fields
  query: Fields
  body: Fields | undefined
  encoding: Encoding
}

const dateText = fc
  .date({ min: new Date('1901-01-01'), max: new Date('2399-12-31'), noInvalidDate: true })
  .chain(date => {
    const iso = date.toISOString()
    const forms = [iso.slice(0, 10), iso.slice(0, 19).replace('T', ' '), iso, String(date.getTime() / 1000)]
    return fc.constantFrom(...forms, 'tomorrow 9am', '+1 week')
  })

function textOf({ examples = [], minLength = 0, maxLength = 2_000 }: Part): fc.Arbitrary<unknown> {
  const made = fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 60) })
  if (examples.some((example: unknown) => DATE.test(String(example))))
    return fc.oneof({ weight: 6, arbitrary: dateText }, { weight: 1, arbitrary: made })
  const longest = fc.constant('å'.repeat(maxLength))
  const weighted = [
    { weight: 6, arbitrary: made },
    { weight: maxLength < 5_000 ? 1 : 0, arbitrary: longest },
  ]
  return examples.length > 0
    ? fc.oneof(...weighted, { weight: 6, arbitrary: fc.constantFrom<unknown>(...examples) })
    : fc.oneof(...weighted)
}

const integerOf = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Part): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: minimum, max: SMALL_ID }) },
    { weight: 1, arbitrary: fc.maxSafeInteger().filter(value => value >= minimum && value <= maximum) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
  )

const numberOf = ({ minimum = -1_000, maximum = 1_000 }: Part): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.double({ min: minimum, max: maximum, noNaN: true }),
    fc.constantFrom(minimum, maximum, 0, minimum + 1),
  )

/** Values that a schema allows. */
function allowedBy(schema: Part, document: ApiDocument): fc.Arbitrary<unknown> {
  if (schema.$ref) return fieldsOf(named(schema.$ref, document), [], document)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(option => allowedBy(option, document)))
  if (schema.enum) return fc.constantFrom<unknown>(...schema.enum)
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map(type => allowedBy({ ...schema, type }, document)))
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return integerOf(schema)
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(allowedBy(schema.items ?? {}, document), { maxLength: 3 })
    case 'object':
      return fieldsOf(schema, [], document)
    default:
      return fc.jsonValue()
  }
}

/** What the document asks for, and one time in ten anything at all. */
const valueFor = (schema: Part, document: ApiDocument): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 9, arbitrary: allowedBy(schema, document) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  )

const named = (ref: string, { components }: ApiDocument): Part =>
  components.schemas[ref.replace(/^.*\//, '')] ?? {}

/** Some of an object's fields, each likely enough to be tried in company and alone. */
function fieldsOf(schema: Part, required: string[], document: ApiDocument): fc.Arbitrary<Fields> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    valueFor(field, document),
  ])
  const all: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields)
  return fc
    .subarray(Object.keys(all), { maxLength: Math.min(fields.length, 6) })
    .chain(names =>
      fc.record(
        Object.fromEntries(
          [...new Set([...required, ...names])].map(name => [name, all[name] ?? fc.constant('')]),
        ),
      ),
    )
}

function bodyOf({ requestBody }: Operation, document: ApiDocument): fc.Arbitrary<Fields | undefined> {
  const schema = requestBody?.content['application/json']?.schema
  if (!schema) return fc.constant(undefined)
  const [base = schema] = schema.allOf ?? []
  const fields = base.$ref ? named(base.$ref, document) : base
  const complete = fieldsOf(fields, schema.required ?? [], document)
  return schema.required
    ? fc.oneof({ weight: 5, arbitrary: complete }, fieldsOf(fields, [], document))
    : complete
}

function parametersOf(
  { parameters = [] }: Operation,
  place: string,
  document: ApiDocument,
): fc.Arbitrary<Fields> {
  // What `_fields` leaves out of a response, a schema can't say: test/http/fields.test.ts does.
  const here = parameters.filter(({ in: where, name }) => where === place && name !== '_fields')
  const properties = Object.fromEntries(
    here.map(({ name, schema, example }) => [name, { examples: [example], ...schema }]),
  )
  if (place === 'query') return fieldsOf({ properties }, [], document)
  return fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        allowedBy(schema, document).filter(value => !DOTS.test(String(value))),
      ]),
    ),
  )
}

/** Requests to any of the document's operations. */
export function attempts(document: ApiDocument): fc.Arbitrary<Attempt> {
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      template,
      method: method.toUpperCase(),
      operation,
    })),
  )
  // What is deleted can't be tried any more, so that happens less often than the rest.
  const lasting = operations.filter(({ method }) => method !== 'DELETE')
  // Made once for each operation, which takes as long as a request.
  const made = new Map<Operation, fc.Arbitrary<Attempt>>()
  return fc.constantFrom(...operations, ...lasting, ...lasting).chain(({ template, method, operation }) => {
    const attempt =
      made.get(operation) ??
      fc.record({
        method: fc.constant(method),
        template: fc.constant(template),
        path: parametersOf(operation, 'path', document),
        query: parametersOf(operation, 'query', document),
        body: bodyOf(operation, document),
        encoding: fc.constantFrom<Encoding>('json', 'form'),
      })
    made.set(operation, attempt)
    return attempt
  })
}
