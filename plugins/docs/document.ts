/** The types of OpenAPI 3.1 that the description of this service uses. */

import type { JsonSchema } from '../../kernel/index.ts'

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
