import { html, type Html } from '../../content/markup.ts'
import type { Content, Operation, OperationMethod, Parameter } from '../document.ts'
import type { OpenApiDocument } from '../openapi.ts'
import { curlOf } from './curl.ts'
import { type Field, fieldsHtml, paragraphs, prose, schemaHtml, toResponse } from './schema.ts'

/** Renders a route as a collapsed section: its summary line, an example, parameters, body and answers. */
export function operationHtml(
  document: OpenApiDocument,
  path: string,
  method: OperationMethod,
  operation: Operation,
): Html {
  const { operationId, summary, parameters = [], requestBody: body } = operation
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
${parameters.length > 0 && html`<h3>Parameters</h3>${fieldsHtml(parameters.map(toField))}`}
${body && html`<h3>Body${body.required ? '' : ', optional'}</h3><p>${prose(body.description)}</p>${contentHtml(body.content)}`}
<h3>Answers</h3>
${answersHtml(document, operation)}
<p class="link"><a href="#${operationId}">#${operationId}</a></p>
</div>
</details>
`
}

function toField({ name, in: where, required, schema, description = '' }: Parameter): Field {
  // Most parameters are in the query, so only the others are labelled.
  const place = { path: 'In the path.', header: 'A header.', query: '' }[where]
  return { name, schema, required, note: `${place} ${description}`.trim() || undefined }
}

const named = (status: string): string => (status === 'default' ? 'others' : status)

/** Renders the answers of the route, each collapsed, and the shared refusals in one section. */
function answersHtml(document: OpenApiDocument, { responses }: Operation): Html {
  const answers = Object.entries(responses).map(([status, response]) => {
    const { description, content = {} } = toResponse(document, response)
    const [line = '', ...more] = paragraphs(description)
    const head = html`<span class="status">${named(status)}</span> ${line}`
    return { status, isShared: '$ref' in response, shown: folded(head, html`${more}${contentHtml(content)}`) }
  })
  const shared = answers.filter(({ isShared }) => isShared)
  const refused = html`Refused: ${shared.map(({ status }) => named(status)).join(', ')}`
  const own = answers.filter(({ isShared }) => !isShared).map(({ shown }) => shown)
  return html`<div>${own}${shared.length > 0 && folded(refused, html`${shared.map(({ shown }) => shown)}`)}</div>`
}

/** Shows the media type unless it is JSON. */
function contentHtml(content: Content): Html {
  return html`${Object.entries(content).map(([type, { schema }]) => [
    type !== 'application/json' && html`<p><code>${type}</code></p>`,
    schema && schemaHtml(schema),
  ])}`
}

const folded = (line: Html, inside: Html): Html =>
  html`<details class="fold"><summary>${line}</summary><div>${inside}</div></details>`
