/** The conversion of schemas to JSON Schema. */
export type { JsonSchema } from './document.ts'
export { describedBy, toJsonSchema } from './json-schema.ts'
