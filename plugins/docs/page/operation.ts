import { html, type Html } from '../../content/markup.ts'
import type { ApiResponse, Content } from '../document.ts'
import type { Resolve } from '../parts.ts'
import { curlOf, type DescribedRoute } from './curl.ts'
import { fieldsHtml, paragraphs, prose, schemaHtml } from './schema.ts'

/** Renders a route as a collapsed section: its summary line, an example, parameters, body and answers. */
export function operationHtml(route: DescribedRoute, resolve: Resolve): Html {
  const { path, method, operation } = route
  const { operationId, summary, parameters = [], requestBody: body, responses } = operation
  const fields = parameters.map(({ in: where, description = '', ...rest }) => ({
    ...rest,
    // Most parameters are in the query, so only the others are labelled.
    description: where === 'query' ? description : `In the ${where}. ${description}`.trim(),
  }))
  return html`<details>
<summary>
<span class="method ${method}">${method.toUpperCase()}</span>
<code class="path">${path}</code>
<span class="gate" title="gate">${operation['x-gate']}</span>
<span class="what">${summary}</span>
</summary>
<div class="inside" id="${operationId}">
<p>${prose(operation.description)}</p>
<h3>Example</h3>
<pre><code>${curlOf(route, resolve)}</code></pre>
${fields.length > 0 && html`<h3>Parameters</h3>${fieldsHtml(fields)}`}
${body && html`<h3>Body${body.required ? '' : ', optional'}</h3><p>${prose(body.description)}</p>${contentHtml(body.content)}`}
<h3>Answers</h3>
${Object.entries(responses).map(([status, response]) =>
  '$ref' in response
    ? html`<a class="status" href="#${response.$ref.replace('#/components/responses/', 'refused-')}">${named(status)}</a> `
    : responseHtml(named(status), response),
)}
<p class="link"><a href="#${operationId}">#${operationId}</a></p>
</div>
</details>
`
}

const named = (status: string): string => (status === 'default' ? 'others' : status)

/** Renders an answer, collapsed to its first paragraph. */
export function responseHtml(name: string, { description, content = {} }: ApiResponse): Html {
  const [line = '', ...more] = paragraphs(description)
  return html`<details class="fold"><summary><span class="status">${name}</span> ${line}</summary>
<div>${more}${contentHtml(content)}</div></details>`
}

/** Shows the media type unless it is JSON. */
const contentHtml = (content: Content): Html =>
  html`${Object.entries(content).map(([type, { schema }]) => [
    type !== 'application/json' && html`<p><code>${type}</code></p>`,
    schema && schemaHtml(schema),
  ])}`
