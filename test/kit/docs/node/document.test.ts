import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import metadata from '../../../../package.json' with { type: 'json' }
import { documentAt } from '../../../../src/app.ts'

it('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(
    structuredClone(documentAt('https://calendar.example.org')),
  )
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

it('the document has the version of the package', () => {
  expect(Object(documentAt('https://calendar.example.org')).info.version).toBe(metadata.version)
})

it('the document follows the recommended rules of a linter', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(documentAt('https://calendar.example.org')),
    absoluteRef: '/openapi.json',
    config: await createConfig({
      extends: ['recommended'],
      // An id is a number, so that `/events/{id}/duplicate` is no address by slug.
      rules: { 'no-ambiguous-paths': 'off' },
      telemetry: 'off',
    }),
  })
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([])
})
