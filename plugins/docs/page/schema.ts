import { html, type Html } from '../../content/markup.ts'
import { nameIn } from '../components.ts'
import type { ApiResponse, JsonSchema, Part, Reference } from '../document.ts'
import type { OpenApiDocument } from '../openapi.ts'
import type { Resolve } from '../parts.ts'

/** Returns the anchor of a shared schema on the page. */
export const anchorOf = (name: string): string => `schema-${name}`

/** Renders text with words in backticks as code. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
  return html`${parts}`
}

/** Renders a text of several paragraphs. */
export const paragraphs = (text: string): readonly Html[] =>
  text.split('\n\n').map((each) => html`<p>${prose(each)}</p>`)

/** A named value, such as a property of an object or a parameter of a route. */
export interface Field {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
  readonly note?: string | undefined
}

/** Renders a schema as HTML: its type and rules in a line, and a list of its parts. */
export function schemaHtml(schema: JsonSchema): Html {
  const hasProperties = Object.keys(schema.properties ?? {}).length > 0
  return html`${!hasProperties && html`<p class="type">${typeOf(schema)}${rulesOf(schema)}</p>`}${partsOf(schema)}`
}

/** Renders a list of named values, and marks optional ones. */
export function fieldsHtml(fields: readonly Field[]): Html {
  return html`<ul class="fields">${fields.map(fieldHtml)}</ul>`
}

function fieldHtml({ name, schema, required, note }: Field): Html {
  const optional = required ? '' : html` <span class="rule">optional</span>`
  return html`<li><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${optional}${rulesOf(schema)}
${note === undefined ? '' : html`<p>${prose(note)}</p>`}${partsOf(schema)}</li>`
}

/** Renders the type of a value in one line. */
function typeOf(schema: Part): Html {
  if (typeof schema === 'boolean') return html`${schema ? 'anything' : 'nothing'}`
  const { $ref, type, items, anyOf, oneOf, allOf, enum: options, additionalProperties } = schema
  if ($ref !== undefined) return html`<a href="#${anchorOf(nameIn($ref))}">${nameIn($ref)}</a>`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (options) return alternatives(options.map((option) => html`<code>${JSON.stringify(option)}</code>`))
  const choices = anyOf ?? oneOf
  if (choices)
    return choices.some(hasParts) ? html`one of ${choices.length}` : alternatives(choices.map(typeOf))
  if (allOf) return html`all of ${allOf.length}`
  if (type === 'array') return items === undefined ? html`list` : html`list of ${typeOf(items)}`
  if (typeof additionalProperties === 'object' && !schema.properties)
    return html`map to ${typeOf(additionalProperties)}`
  if (type === undefined) return html`anything`
  if (schema.format === 'binary') return html`file`
  return html`${typeof type === 'string' ? type : type.join(' or ')}`
}

const alternatives = (parts: readonly Html[]): Html =>
  html`${parts.map((part, at) => (at === 0 ? part : html` or ${part}`))}`

const limits =
  'format minimum exclusiveMinimum maximum exclusiveMaximum minLength maxLength minItems maxItems pattern default'

/** Renders the limits of a value, in the words of JSON Schema. */
function rulesOf(schema: JsonSchema): Html {
  const limited = Object.entries(schema).filter(([name]) => limits.split(' ').includes(name))
  const rules = limited.map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return html`${rules.map((rule) => html` <span class="rule">${rule}</span>`)}`
}

/** Renders the parts of a value that do not fit into one line. */
function partsOf(schema: JsonSchema): Html {
  const { properties = {}, required = [] } = schema
  const own = Object.entries(properties).map(([name, inner]): Field => ({
    name,
    schema: inner,
    required: required.includes(name),
    note: inner.description,
  }))
  const choices = choicesOf(schema)
  const item = (part: JsonSchema) => html`<li>${schemaHtml(part)}</li>`
  const listed = choices.some(hasParts) && html`<ol class="choices">${choices.map(item)}</ol>`
  return html`${own.length > 0 && fieldsHtml(own)}${listed}${furtherOf(schema).map(partsOf)}`
}

const choicesOf = ({ anyOf, oneOf, allOf = [], prefixItems = [] }: JsonSchema): readonly JsonSchema[] => [
  ...(anyOf ?? oneOf ?? []),
  ...allOf,
  ...prefixItems,
]

const furtherOf = ({ items, additionalProperties }: JsonSchema): readonly JsonSchema[] =>
  [items, additionalProperties].filter((part) => typeof part === 'object')

function hasParts(schema: JsonSchema): boolean {
  const inner = [...choicesOf(schema), ...furtherOf(schema)]
  return Object.keys(schema.properties ?? {}).length > 0 || inner.some(hasParts)
}

/** Looks up shared schemas of a document; an unknown reference accepts anything. */
export function resolver({ components }: OpenApiDocument): Resolve {
  return (ref) => components.schemas[nameIn(ref)] ?? {}
}

/** Looks up a shared response of a document. */
export function toResponse({ components }: OpenApiDocument, response: ApiResponse | Reference): ApiResponse {
  if (!('$ref' in response)) return response
  return components.responses[response.$ref.replace('#/components/responses/', '')] ?? { description: '' }
}
