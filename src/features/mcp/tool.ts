import type { RequestContext, WriteContext, WriteRequest } from '../../kit/context.ts'
import type { Capability } from '../../kit/lib/roles.ts'
import type { Json } from '../../kit/lib/values.ts'

type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }

export type Schema = { [name: string]: JsonValue }

/** The result of a tool: data in the form of its schema, and a short text with the same content. */
export type ToolResult = { structured: Json; text: string }

/** Requests of the API with the caller's rights. Tools read and write only through them. */
export type Api = {
  /** Reads. @param query parameters, without undefined ones @throws ToolError */
  read: (path: string, query: Readonly<Record<string, unknown>>, names?: ParameterNames) => Promise<Json>
  /** Writes. @throws ToolError */
  write: (request: WriteRequest, options?: Pick<WriteContext, 'isDraft'>) => Promise<Json>
}

/** The arguments of a tool that have other names than the API's parameters, by parameter. */
export type ParameterNames = Readonly<Record<string, string>>

/** The parts of a request that a tool may use. */
export type ToolCall = { context: RequestContext; api: Api }

/** A tool that agents may call. */
export type Tool = {
  name: string
  title: string
  /** A description for a model: what the tool does and when to use it. */
  description: string
  /** The capability that the caller's role needs; for other roles, the tool is not listed. */
  requires: Capability
  /** JSON Schemas of its arguments, by name. The API checks the values. */
  args: { [name: string]: Schema }
  required?: readonly string[]
  /** JSON Schemas of the fields of its result. */
  fields: { [name: string]: Schema }
  /** Runs the tool. @throws ToolError */
  run: (call: ToolCall, args: Json) => Promise<ToolResult>
}

/** An error that the model can correct; the message names the arguments. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

export const textSchema = (description: string, furtherSchema: Schema = {}): Schema => ({
  type: 'string',
  description,
  ...furtherSchema,
})
export const integerSchema = (description: string, furtherSchema: Schema = {}): Schema => ({
  type: 'integer',
  description,
  ...furtherSchema,
})
export const flagSchema = (description: string): Schema => ({ type: 'boolean', description })
export const listSchema = (items: Schema, description: string): Schema => ({
  type: 'array',
  items,
  description,
})

/** The JSON Schema of an object whose fields are all required. */
export const objectSchema = (properties: { [name: string]: Schema }): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
