import { required } from '../../lib/required.browser.ts'

// The documentation page: asks its own address for the document, and shows it with Swagger UI.

/** The parts of the API's document that are changed here. */
type ApiDocument = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> }
type Parameter = {
  required?: boolean
  description?: string
  example?: unknown
  schema: { default?: unknown }
}

/** Swagger UI, which the script before this one defines. */
declare const SwaggerUIBundle: (options: Record<string, unknown>) => void

const main = required(document.getElementById('document'))

/**
 * Swagger UI fills forms with examples and defaults, and sends all of them. A request should contain only
 * values that people typed, so this moves examples and defaults into the text beside the form.
 */
function asHint(parameter: Parameter): Parameter {
  const { example, schema, description, ...rest } = parameter
  if (parameter.required) return parameter
  const { default: fallback, ...bare } = schema
  const code = (value: unknown) => `\`${[value].flat().join(',')}\``
  const hints = [
    description,
    fallback === undefined ? '' : `Default: ${code(fallback)}.`,
    example === undefined ? '' : `Example: ${code(example)}.`,
  ]
  return { ...rest, schema: bare, description: hints.filter(Boolean).join(' ') }
}

function withHints(spec: ApiDocument) {
  for (const operations of Object.values(spec.paths))
    for (const operation of Object.values(operations))
      if (operation.parameters) operation.parameters = operation.parameters.map(asHint)
  return spec
}

async function show() {
  const response = await fetch(location.pathname, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`The document could not be read: ${response.status}`)
  SwaggerUIBundle({
    spec: withHints(await response.json()),
    domNode: main,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    // Swagger UI's validator is a third-party server.
    validatorUrl: null,
  })
}

show().catch((error: Error) => {
  main.textContent = error.message
})
