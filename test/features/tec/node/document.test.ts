import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { TEC_ROUTES } from '../../../../src/features/tec/index.ts'
import { openApi30Document } from '../../../../src/features/tec/openapi30.ts'
import { clockAt } from '../../../../src/kit/lib/clock.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'

// The index is described, but not documented.
const document = openApi30Document(
  TEC_ROUTES.filter(({ path }) => path !== ''),
  {
    api: 'https://calendar.example/wp-json/tec/v1',
    clock: clockAt('2026-11-20 12:00:00'),
    settings: settingsOf({}),
  },
)
const text = JSON.stringify(document)

it('the document of tec/v1 is valid OpenAPI 3.0', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect({ valid, version: validator.version, openapi: document.openapi }).toEqual({
    valid: true,
    version: '3.0',
    openapi: '3.0.4',
  })
})

it('the document of tec/v1 follows the recommended rules of a linter', async () => {
  const problems = await lintFromString({
    source: text,
    absoluteRef: '/openapi.json',
    config: await createConfig({
      extends: ['recommended'],
      rules: { 'info-license-strict': 'off' },
      telemetry: 'off',
    }),
  })
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([])
})

it('the operations have the names that generated clients know', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => `${method} ${path} ${Object(operation).operationId}`,
    ),
  )
  expect(operations).toEqual([
    'get /docs getDocs',
    ...['event', 'venue', 'organizer'].flatMap(one => {
      const name = one.charAt(0).toUpperCase() + one.slice(1)
      return [
        `get /${one}s get${name}s`,
        `post /${one}s create${name}`,
        `get /${one}s/{id} get${name}`,
        `put /${one}s/{id} update${name}`,
        `patch /${one}s/{id} patch${name}`,
        `delete /${one}s/{id} delete${name}`,
      ]
    }),
  ])
})

it('the schemas have the names that generated types show', () => {
  const names = ['Event', 'Organizer', 'Venue'].flatMap(name => [`Tec${name}`, `Tec${name}Fields`])
  const { schemas } = Object(document.components)
  expect(Object.keys(schemas).sort()).toEqual(['Error', 'TecDocument', ...names].sort())
})
