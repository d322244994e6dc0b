import { html, type Html } from '../../content/markup.ts'
import { wordSet } from '../../content/words.ts'
import { nameIn } from '../components.ts'
import type { JsonSchema, Subschema } from '../../../kernel/index.ts'
import type { Parameter } from '../document.ts'

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
type NamedSchema = Omit<Parameter, 'in'>

/** Renders a schema as HTML: its type and rules in a line, and a list of its parts. */
export const schemaHtml = (schema: JsonSchema): Html =>
  html`<p class="type">${typeOf(schema)}${rulesOf(schema)}</p>${schemaParts(schema)}`

/** Renders a list of named values, and marks optional ones. */
export const fieldsHtml = (fields: readonly NamedSchema[]): Html =>
  html`<ul class="fields">${fields.map(
    ({ name, schema, required, description = schema.description }) =>
      html`<li><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${!required && html` <span class="rule">optional</span>`}${rulesOf(schema)}
${description && html`<p>${prose(description)}</p>`}${schemaParts(schema)}</li>`,
  )}</ul>`

/** Renders the type of a value in one line. */
function typeOf(schema: Subschema): Html {
  if (typeof schema === 'boolean') return html`${schema ? 'anything' : 'nothing'}`
  const { $ref, type = 'anything', items = true, enum: options, additionalProperties } = schema
  if ($ref !== undefined) return html`<a href="#${anchorOf(nameIn($ref))}">${nameIn($ref)}</a>`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (options) return either(options.map((option) => html`<code>${JSON.stringify(option)}</code>`))
  const choices = choicesOf(schema)
  if (choices.length > 0)
    return choices.some(hasParts) ? html`one of ${choices.length}` : either(choices.map(typeOf))
  if (type === 'array') return html`list of ${typeOf(items)}`
  if (typeof additionalProperties === 'object' && !schema.properties)
    return html`map to ${typeOf(additionalProperties)}`
  return html`${typeof type === 'string' ? type : type.join(' or ')}`
}

const either = (parts: readonly Html[]): Html =>
  html`${parts.map((part, at) => (at === 0 ? part : html` or ${part}`))}`

const limits = wordSet(
  `format minimum exclusiveMinimum maximum exclusiveMaximum
  minLength maxLength minItems maxItems pattern default`,
)

/** Renders the limits of a value, in the words of JSON Schema. */
function rulesOf(schema: JsonSchema): readonly Html[] {
  const limited = Object.entries(schema).filter(([name]) => limits.has(name))
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return limited.map(([name, value]) => html` <span class="rule">${name} ${text(value)}</span>`)
}

/** Renders the parts of a value that do not fit into one line. */
function schemaParts(schema: JsonSchema): Html {
  const { properties = {}, required = [] } = schema
  const own = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }))
  const choices = choicesOf(schema)
  const listed =
    choices.some(hasParts) &&
    html`<ol class="choices">${choices.map((part) => html`<li>${schemaHtml(part)}</li>`)}</ol>`
  return html`${own.length > 0 && fieldsHtml(own)}${listed}${furtherOf(schema).map(schemaParts)}`
}

const choicesOf = ({ anyOf, oneOf, allOf, prefixItems }: JsonSchema): readonly JsonSchema[] =>
  [anyOf, oneOf, allOf, prefixItems].flatMap((choices) => choices ?? [])

const furtherOf = ({ items, additionalProperties }: JsonSchema): readonly JsonSchema[] =>
  [items, additionalProperties].filter((part) => typeof part === 'object')

const hasParts = (schema: JsonSchema): boolean =>
  schema.properties !== undefined || [...choicesOf(schema), ...furtherOf(schema)].some(hasParts)
