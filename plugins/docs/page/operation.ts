import { html, type Html } from '../../content/markup.ts'
import type { ApiResponse, Content, Operation, OperationMethod, Parameter, RequestBody } from '../document.ts'
import type { OpenApiDocument } from '../openapi.ts'
import { curlOf } from './curl.ts'
import { type Field, fieldsHtml, prose, schemaHtml, toResponse } from './schema.ts'

/** Renders a route as a collapsed section: its summary line, an example, parameters, body and answers. */
export function operationHtml(document: OpenApiDocument, path: string, method: OperationMethod, operation: Operation): Html {
  const { operationId, summary, parameters = [], requestBody } = operation
  return html`<details>
<summary>
<span class="method ${method}">${method.toUpperCase()}</span>
<code class="path">${path}</code>
<span class="gate" title="gate">${operation['x-gate']}</span>
<span class="what">${summary}</span>
</summary>
<div class="inside" id="${operationId}">
<h3>Example</h3>
<pre><code>${curlOf(document, path, method, operation)}</code></pre>
${parameters.length > 0 ? html`<h3>Parameters</h3>${fieldsHtml(parameters.map(toField))}` : ''}
${requestBody ? bodyHtml(requestBody) : ''}
${answersHtml(document, operation)}
<p class="link"><a href="#${operationId}">#${operationId}</a></p>
</div>
</details>
`
}

function toField({ name, in: where, required, schema, description }: Parameter): Field {
  const place = places[where]
  const note = place === undefined ? description : [place, description ?? ''].join(' ').trim()
  return { name, schema, required, note }
}

/** Most parameters are in the query, so only the others are labelled. */
const places: Readonly<Record<Parameter['in'], string | undefined>> = { path: 'In the path.', header: 'A header.', query: undefined }

function bodyHtml({ description, required, content }: RequestBody): Html {
  const line = html`<code>${Object.keys(content).join(', ')}</code> ${prose(description)}`
  const schemas = Object.values(content).map(({ schema }) => schema).filter((schema) => schema !== undefined)
  const inside = schemas.length === 0 ? html`<p>${line}</p>` : folded(line, html`${schemas.map(schemaHtml)}`, true)
  return html`<h3>Body${required ? '' : ', optional'}</h3>${inside}`
}

/** Renders the answers of the route, each collapsed, and the shared refusals in one section. */
function answersHtml(document: OpenApiDocument, { responses }: Operation): Html {
  const all = Object.entries(responses)
  const shared = all.filter(([, response]) => '$ref' in response)
  const own = all.filter((each) => !shared.includes(each))
  const details = own.map(([status, response]) => responseHtml(status, toResponse(document, response)))
  const refused = html`Refused: ${shared.map(([status]) => named(status)).join(', ')}`
  const lines = shared.map(([status, response]) => html`<li>${lineOf(status, toResponse(document, response))}</li>`)
  return html`<h3>Answers</h3>
<div>${details}${shared.length === 0 ? '' : folded(refused, html`<ul class="fields">${lines}</ul>`)}</div>`
}

function responseHtml(status: string, response: ApiResponse): Html {
  const { content = {} } = response
  const line = lineOf(status, response)
  return Object.keys(content).length === 0 ? html`<div class="fold"><p>${line}</p></div>` : folded(line, contentHtml(content))
}

function lineOf(status: string, { description }: ApiResponse): Html {
  return html`<span class="status">${named(status)}</span> ${prose(description)}`
}

const named = (status: string): string => (status === 'default' ? 'others' : status)

/** Shows the media type unless it is JSON. */
function contentHtml(content: Content): Html {
  return html`${Object.entries(content).map(([type, { schema }]) => [
    type === 'application/json' ? '' : html`<p><code>${type}</code></p>`,
    schema && schemaHtml(schema),
  ])}`
}

function folded(line: Html, inside: Html, open = false): Html {
  return html`<details class="fold"${open ? html` open` : ''}><summary>${line}</summary><div>${inside}</div></details>`
}
