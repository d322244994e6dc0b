/** The types of OpenAPI 3.1 that the description of this service uses. */

/** A JSON Schema (2020-12) with the keywords used here. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Subschema
  readonly propertyNames?: JsonSchema
  readonly items?: Subschema
  readonly prefixItems?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
}

/** The schema of further values; `true` accepts anything and `false` nothing. */
export type Subschema = JsonSchema | boolean

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

/** The body of one media type; bytes have no schema. */
export interface MediaType {
  readonly schema?: JsonSchema
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>
}

export type Content = Readonly<Record<string, MediaType>>

export interface RequestBody {
  readonly description: string
  readonly required: boolean
  readonly content: Content
}

export interface ApiResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>
  readonly content?: Content
}

export interface Reference {
  readonly $ref: string
}

/** Alternative credentials, of which one is enough; all schemes of an alternative are required together. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[]

export type SecurityScheme = { readonly description: string } & (
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string }
)

export interface Operation {
  readonly operationId: string
  readonly summary: string
  /** Who may call it. */
  readonly description: string
  readonly tags: readonly string[]
  readonly security: Security
  /** The gate of the route, without the prefix `gate.`. */
  readonly 'x-gate': string
  /** The permission that a scoped token needs. */
  readonly 'x-can'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>
}

export interface Tag {
  readonly name: string
  readonly description: string
}

export type OperationMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'
