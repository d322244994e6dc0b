import { nameIn } from '../components.ts'
import type { ApiResponse, OpenApiDocument, Reference } from '../document.ts'
import type { Resolve } from '../parts.ts'

/** Looks up the schemas that a document shares; a reference that leads nowhere stands for anything. */
export function resolver({ components }: OpenApiDocument): Resolve {
  return (ref) => components.schemas[nameIn(ref)] ?? {}
}

/** Looks up a response that a document shares. */
export function toResponse({ components }: OpenApiDocument, response: ApiResponse | Reference): ApiResponse {
  if (!('$ref' in response)) return response
  return components.responses[response.$ref.replace('#/components/responses/', '')] ?? { description: '' }
}
